// Records what processes were promised about their claims: a fencing token is handed out once, and a settlement is accepted once, never after
// one with a higher token. Settlements count in the order of their commits: the answer to an earlier one may reach its process later.

import type { Store } from '../../../src/store/port.ts';
import { withCommitNumber } from './commit-order.ts';

interface Acceptance {
  readonly commit: number;
  readonly fence: number;
}

export interface FenceLedger {
  problems(): readonly string[];
  /** The same store, with its answers recorded. */
  watch(store: Store): Store;
}

export function createFenceLedger(): FenceLedger {
  const claimed = new Set<string>();
  const leased = new Set<string>();
  const accepted = new Map<string, Acceptance[]>();
  const repeated: string[] = [];

  function handOut(tokens: Set<string>, token: string): void {
    if (tokens.has(token)) repeated.push(`handed out twice: ${token}`);
    tokens.add(token);
  }

  function accept(url: string, acceptance: Acceptance): void {
    const ofUrl = accepted.get(url);
    if (ofUrl === undefined) accepted.set(url, [acceptance]);
    else ofUrl.push(acceptance);
  }

  return {
    problems: () => [...repeated, ...[...accepted].flatMap(([url, ofUrl]) => fenceProblems(url, ofUrl))],
    watch: (store) => ({
      ...store,
      frontier: {
        ...store.frontier,
        async claim(request) {
          const claims = await store.frontier.claim(request);
          for (const { version, url, fence } of claims) handOut(claimed, `${version} ${url} ${fence}`);
          return claims;
        },
        async settle(settlements) {
          const { result: results, commit } = await withCommitNumber(() => store.frontier.settle(settlements));
          settlements.forEach(({ claim: { version, url, fence } }, i) => {
            if (results[i] === 'settled') accept(`${version} ${url}`, { commit, fence });
          });
          return results;
        },
      },
      runs: {
        ...store.runs,
        async lease(worker, leaseMs) {
          const lease = await store.runs.lease(worker, leaseMs);
          if (lease !== null) handOut(leased, `run ${lease.run.id} ${lease.fence}`);
          return lease;
        },
      },
    }),
  };
}

function fenceProblems(url: string, acceptances: readonly Acceptance[]): readonly string[] {
  const problems: string[] = [];
  let highest = 0;
  for (const { fence } of acceptances.toSorted((a, b) => a.commit - b.commit)) {
    if (fence <= highest) problems.push(`${url}: fence ${fence} accepted after ${highest}`);
    highest = Math.max(highest, fence);
  }
  return problems;
}
