// The claims that a worker holds while it works on them, and how it waits for room to take more.

import type { Claim } from '../store/port.ts';
import { restFor } from './persist.ts';

export interface HeldClaims {
  readonly size: () => number;
  readonly claims: () => readonly Claim[];
  /** Held until the work ends; it must not fail. */
  readonly hold: (claim: Claim, work: Promise<void>) => void;
  /** Resolves when all that is held now has ended. */
  readonly ended: () => Promise<void>;
  /** How many more may be held: at once where that is a good many, else after waiting a moment for more of them. */
  readonly room: (signal: AbortSignal) => Promise<number>;
}

/** A claim is a transaction, whether it takes one URL or many. So room is waited for, but not long: a host may be ready. */
const GATHER_MS = 20;

const nothing = (): void => undefined;

export function createHeldClaims(most: number): HeldClaims {
  const held = new Map<Claim, Promise<void>>();
  const enough = Math.ceil(most / 2);
  let tellFreed = nothing;

  return {
    size: () => held.size,
    claims: () => [...held.keys()],
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
