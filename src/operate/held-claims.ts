// The claims that a worker holds while it works on them, and how it waits for room to take more.

import { hostOf } from '../core/model/page-url.ts';
import type { Claim } from '../store/port.ts';
import { restFor } from '../crawl/context/retry.ts';

export interface HeldClaims {
  readonly size: () => number;
  readonly claims: () => readonly Claim[];
  /** How many of one paced host are taken together. */
  readonly mostOfHost: number;
  /** Paced hosts of which as many are held. */
  readonly crowdedHosts: () => readonly string[];
  /** Held until the work ends; it must not fail. */
  readonly hold: (claim: Claim, work: Promise<void>) => void;
  /** Resolves when all that is held now has ended. */
  readonly ended: () => Promise<void>;
  /** How many more may be held: at once where that is a good many, else after waiting a moment for more of them. */
  readonly room: (signal: AbortSignal) => Promise<number>;
}

/** A claim is a transaction, whether it takes one URL or many. So room is waited for, but not long: a host may be ready. */
const GATHER_MS = 20;

/** A host that does not answer holds the share of one of so many, and the others go on beside it. */
const HOSTS_AT_ONCE = 4;

const nothing = (): void => undefined;

export function createHeldClaims(most: number): HeldClaims {
  const held = new Map<Claim, Promise<void>>();
  const enough = Math.ceil(most / 2);
  const mostOfHost = Math.max(2, Math.floor(most / HOSTS_AT_ONCE));
  let tellFreed = nothing;

  return {
    size: () => held.size,
    claims: () => [...held.keys()],
    mostOfHost,
    crowdedHosts() {
      const paced = [...held.keys()].filter(({ paceMs }) => paceMs > 0);
      const hosts = Map.groupBy(paced, ({ url }) => hostOf(url));
      return [...hosts].filter(([, claims]) => claims.length >= mostOfHost).map(([host]) => host);
    },
    hold(claim, work) {
      const ending = work.finally(() => {
        held.delete(claim);
        if (most - held.size >= enough) tellFreed();
      });
      held.set(claim, ending);
    },
    async ended() {
      await Promise.allSettled(held.values());
    },
    async room(signal) {
      if (most - held.size < enough) {
        const freed = new Promise<void>((resolve) => (tellFreed = resolve));
        await Promise.race([freed, restFor(GATHER_MS, signal)]);
      }
      return most - held.size;
    },
  };
}
