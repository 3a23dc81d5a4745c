// The order and the time of commits, whatever the order in which processes learn of them.

import { AsyncLocalStorage } from 'node:async_hooks';
import { virtualMs } from './virtual-time.ts';

export interface Commit {
  readonly commit: number;
  readonly atMs: number;
}

const observed = new AsyncLocalStorage<{ last: Commit }>();
let commits = 0;

/** Called right after a commit, before its answer is on its way. */
export function countCommit(): void {
  commits += 1;
  const observer = observed.getStore();
  if (observer !== undefined) observer.last = lastCommit();
}

export function lastCommit(): Commit {
  return { commit: commits, atMs: virtualMs() };
}

/** The result of the work, and its last commit. */
export async function withCommit<T>(work: () => Promise<T>): Promise<Commit & { readonly result: T }> {
  const observer = { last: { commit: 0, atMs: 0 } };
  const result = await observed.run(observer, work);
  return { result, ...observer.last };
}
