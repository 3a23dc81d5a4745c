// Records what processes were promised about their claims: a fencing token is handed out once, and a settlement is accepted once, never after
// one with a higher token.

import type { Store } from '../../../src/store/port.ts';

export interface FenceLedger {
  readonly problems: string[];
  /** The same store, with its answers recorded. */
  watch(store: Store): Store;
}

export function createFenceLedger(): FenceLedger {
  const claimed = new Set<string>();
  const leased = new Set<string>();
  const accepted = new Map<string, number>();
  const problems: string[] = [];

  function handOut(tokens: Set<string>, token: string): void {
    if (tokens.has(token)) problems.push(`handed out twice: ${token}`);
    tokens.add(token);
  }

  return {
    problems,
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
          const results = await store.frontier.settle(settlements);
          settlements.forEach(({ claim: { version, url, fence } }, i) => {
            if (results[i] !== 'settled') return;
            const before = accepted.get(`${version} ${url}`) ?? 0;
            if (fence <= before) problems.push(`${url}: fence ${fence} accepted after ${before}`);
            accepted.set(`${version} ${url}`, fence);
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
