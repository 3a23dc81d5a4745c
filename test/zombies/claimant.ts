// A worker with bad luck: some of its claims stall past their lease and are settled late, some are never settled, and
// some take the whole process with them. Fates follow from the seed, so that a seed can be run again.

import { setTimeout as wait } from 'node:timers/promises';
import { sha256Hex } from '../../src/core/model/hash.ts';
import type { Claim } from '../../src/store/port.ts';
import type { OpenPlace } from './test-database.ts';
import type { Site } from './site.ts';

const STALLS = 0.15;
const CRASHES = 0.1;
/** Of the crashes, how many end the process; the others abandon their claim. */
const FATAL = 0.25;
const BATCH = 8;

export type Told = 'settled' | 'late' | 'superseded' | 'stall' | 'abandoned' | 'crash';

export interface Luck {
  readonly seed: number;
  readonly worker: string;
  readonly leaseMs: number;
  /** Ends the process at once; null where a crash only abandons the claim. */
  readonly die: (() => void) | null;
  readonly tell: (what: Told) => void;
}

/** Returns when every URL is settled and every stalled claim has been settled late. */
export async function work(open: OpenPlace, site: Site, luck: Luck): Promise<void> {
  const { store } = open;
  const stalled: Array<Promise<void>> = [];
  for (;;) {
    const claims = await store.frontier.claim({ worker: luck.worker, limit: BATCH, leaseMs: luck.leaseMs, aheadMs: 0 });
    const fates = Map.groupBy(claims, (claim) => fateOf(claim, luck));
    for (const claim of fates.get('stall') ?? []) stalled.push(settleLate(claim));
    for (const _ of fates.get('abandon') ?? []) luck.tell('abandoned');
    if (fates.has('die')) {
      luck.tell('crash');
      luck.die?.();
    }
    await settle(fates.get('settle') ?? [], 'settled');
    if (claims.length > 0) continue;
    if ((await open.unsettled()) === 0) break;
    await wait(luck.leaseMs / 10);
  }
  await Promise.all(stalled);

  async function settleLate(claim: Claim): Promise<void> {
    luck.tell('stall');
    await wait(luck.leaseMs * (1.1 + chance(claim, luck.seed)[1]));
    await settle([claim], 'late');
  }

  async function settle(claims: readonly Claim[], told: Told): Promise<void> {
    if (claims.length === 0) return;
    // The copy says which claim it was read under, as a page with a clock would: two copies are never the same.
    const settlements = claims.map((claim) => site.answer(claim, 0, `, copy ${claim.fence}`));
    for (const result of await store.frontier.settle(settlements)) luck.tell(result === 'settled' ? told : result);
  }
}

function fateOf(claim: Claim, { seed, die }: Luck): 'settle' | 'stall' | 'abandon' | 'die' {
  const [fate, share] = chance(claim, seed);
  if (fate < CRASHES) return die !== null && share < FATAL ? 'die' : 'abandon';
  return fate < CRASHES + STALLS ? 'stall' : 'settle';
}

/** Two numbers below 1. */
function chance(claim: Claim, seed: number): [number, number] {
  const hash = sha256Hex(`${seed} ${claim.url} ${claim.fence}`);
  return [Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32, Number.parseInt(hash.slice(8, 16), 16) / 2 ** 32];
}
