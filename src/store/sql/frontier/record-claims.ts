// Events of a claim: URLs that leave the queue for a fetch, return to it, or have no attempt left. Each is written in the
// transaction that changes the row of its URL, so history and frontier agree after any crash.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { ClaimedRow } from '../engine/engine-parts.ts';
import type { Executor } from '../engine/engine.ts';
import { ALL_RUNS, createTransactionTail } from '../runs/transaction-tail.ts';

/** The reason if no retry gave a better one: every worker that claimed the URL was lost. */
export const WORKER_LOST = 'worker-lost';

/** A claim whose lease expired, or a retry whose delay is over and that has no attempt left. */
export interface ExpiredClaim {
  readonly run_id: number;
  readonly url: string;
  readonly depth: number;
  readonly reason: string;
}

export interface ClaimEvents {
  /** Settled as failed: the last worker died, or asked for one more retry. */
  readonly exhausted: readonly ExpiredClaim[];
  /** Returned to the queue because their worker died or stalled. */
  readonly lost: readonly ExpiredClaim[];
  readonly claimed: readonly ClaimedRow[];
}

const selectSource = `select source_id from runs where id = $1`;

/** Counts and tells what a claim did; last in its transaction. */
export async function recordClaims(
  tx: Executor,
  { exhausted, lost, claimed }: ClaimEvents,
  queueEventMaxUrls: number,
): Promise<void> {
  const tail = createTransactionTail();
  for (const [run, expired] of Map.groupBy([...exhausted, ...lost], (row) => row.run_id)) {
    const [row] = await tx.all<{ source_id: number }>(selectSource, [run]);
    if (row === undefined) continue;
    for (const claim of expired) {
      const isExhausted = exhausted.includes(claim);
      const { url, depth, reason } = claim;
      if (isExhausted) tail.count(run, 'failed', 1);
      const kind = isExhausted ? 'failed' : 'retry';
      const detail = isExhausted ? { reason } : { depth, reason: WORKER_LOST };
      tail.append({ source: row.source_id, run, kind, url: url as PageUrl, detail, ofRunsUpTo: ALL_RUNS });
    }
  }
  if (queueEventMaxUrls > 0)
    for (const { source_id: source, run_id: run, url, depth } of claimed)
      tail.append({
        source,
        run,
        kind: 'dequeued',
        url: url as PageUrl,
        detail: { depth },
        ofRunsUpTo: queueEventMaxUrls,
      });
  await tail.write(tx);
}
