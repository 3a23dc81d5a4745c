// An unreliable worker: some of its claims stall past their lease and are settled late, some are never settled, and
// some crash the whole process. What happens follows from the seed, so that a run can be repeated.

import { setTimeout as wait } from 'node:timers/promises';
import { sha256Hex } from '../../src/core/model/hash.ts';
import type { Claim } from '../../src/store/port/frontier.ts';
import type { OpenDatabase } from './test-database.ts';
import type { Site } from './arithmetic-site.ts';

const STALLS = 0.15;
const CRASHES = 0.1;
/** The share of crashes that end the process; the others abandon their claim. */
const FATAL = 0.25;
const BATCH = 8;

export type ClaimantMessage = 'settled' | 'late' | 'superseded' | 'stall' | 'abandoned' | 'crash';

export interface FailureOptions {
  readonly seed: number;
  readonly worker: string;
  readonly leaseMs: number;
  /** Ends the process immediately; null if a crash only abandons the claim. */
  readonly die: (() => void) | null;
  readonly onMessage: (what: ClaimantMessage) => void;
}

/** Returns when every URL is settled and every stalled claim has been settled late. */
export async function work(open: OpenDatabase, site: Site, options: FailureOptions): Promise<void> {
  const { store } = open;
  const stalled: Array<Promise<void>> = [];
  for (;;) {
    const claims = await store.frontier.claim({
      worker: options.worker,
      limit: BATCH,
      leaseMs: options.leaseMs,
      aheadMs: 0,
    });
    const fates = Map.groupBy(claims, (claim) => fateOf(claim, options));
    for (const claim of fates.get('stall') ?? []) stalled.push(settleLate(claim));
    for (const _ of fates.get('abandon') ?? []) options.onMessage('abandoned');
    if (fates.has('die')) {
      options.onMessage('crash');
      options.die?.();
    }
    await settle(fates.get('settle') ?? [], 'settled');
    if (claims.length > 0) continue;
    if ((await open.unsettled()) === 0) break;
    await wait(options.leaseMs / 10);
  }
  await Promise.all(stalled);

  async function settleLate(claim: Claim): Promise<void> {
    options.onMessage('stall');
    await wait(options.leaseMs * (1.1 + chance(claim, options.seed)[1]));
    await settle([claim], 'late');
  }

  async function settle(claims: readonly Claim[], messages: ClaimantMessage): Promise<void> {
    if (claims.length === 0) return;
    // The copy names its claim, like a page that shows the time: no two copies are the same.
    const settlements = claims.map((claim) => site.answer(claim, 0, `, copy ${claim.fence}`));
    for (const result of await store.frontier.settle(settlements))
      options.onMessage(result === 'settled' ? messages : result);
  }
}

function fateOf(claim: Claim, { seed, die }: FailureOptions): 'settle' | 'stall' | 'abandon' | 'die' {
  const [fate, share] = chance(claim, seed);
  if (fate < CRASHES) return die !== null && share < FATAL ? 'die' : 'abandon';
  return fate < CRASHES + STALLS ? 'stall' : 'settle';
}

/** Two numbers below 1. */
function chance(claim: Claim, seed: number): [number, number] {
  const hash = sha256Hex(`${seed} ${claim.url} ${claim.fence}`);
  return [Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32, Number.parseInt(hash.slice(8, 16), 16) / 2 ** 32];
}
