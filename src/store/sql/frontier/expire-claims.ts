// Claims that used up their attempts: the last worker died, or asked for one more retry. Such a URL does not return to the queue;
// it is settled as failed when its lease or its delay expires.

import type { PageUrl } from '../../../core/model/page-url.ts';
import { createTally } from '../runs/tally.ts';
import type { Executor } from '../engine/engine.ts';

/** The reason if no retry gave a better one: every worker that claimed the URL was lost. */
export const WORKER_LOST = 'worker-lost';

export interface ExhaustedClaim {
  readonly run_id: number;
  readonly url: string;
  readonly reason: string;
}

const selectSource = `select source_id from runs where id = $1`;

/** Counts them and appends their events; last in the transaction that settled the rows. */
export async function recordExhausted(tx: Executor, claims: readonly ExhaustedClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const tally = createTally();
  for (const [run, claimsOfRun] of Map.groupBy(claims, (row) => row.run_id)) {
    const [row] = await tx.all<{ source_id: number }>(selectSource, [run]);
    if (row === undefined) continue;
    tally.count(run, 'failed', claimsOfRun.length);
    for (const { url, reason } of claimsOfRun)
      tally.append({ source: row.source_id, run, kind: 'failed', url: url as PageUrl, detail: { reason } });
  }
  await tally.write(tx);
}
