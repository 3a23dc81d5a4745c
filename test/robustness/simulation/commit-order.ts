// The order of commits, whatever the order in which processes learn of them.

import { AsyncLocalStorage } from 'node:async_hooks';

interface LastCommit {
  nth: number;
}

const observed = new AsyncLocalStorage<LastCommit>();
let commits = 0;

/** Called right after a commit, before its answer is on its way. */
export function countCommit(): void {
  commits += 1;
  const last = observed.getStore();
  if (last !== undefined) last.nth = commits;
}

/** The result of the work, and the number of its last commit. */
export async function withCommitNumber<T>(work: () => Promise<T>): Promise<{ result: T; commit: number }> {
  const last: LastCommit = { nth: 0 };
  const result = await observed.run(last, work);
  return { result, commit: last.nth };
}
