// A URL that was claimed as often as a run allows and is still not settled: its last worker died, or asked for one more
// try. It does not return to the queue; it is settled as failed when its lease or its wait ends.

import type { PageUrl } from '../../../core/model/page-url.ts';
import { createTally } from '../runs/tally.ts';
import type { Executor } from '../engine/engine.ts';

/** The reason where no retry gave a better one: every worker that held the URL was lost. */
export const WORKER_LOST = 'worker-lost';

export interface GivenUp {
  readonly run_id: number;
  readonly url: string;
  readonly reason: string;
}

const sourceOf = `select source_id from runs where id = $1`;

/** Counts them and tells of them; last in the transaction that settled the rows. */
export async function tellGivenUp(tx: Executor, urls: readonly GivenUp[]): Promise<void> {
  if (urls.length === 0) return;
  const tally = createTally();
  for (const [run, ofRun] of Map.groupBy(urls, (row) => row.run_id)) {
    const [row] = await tx.all<{ source_id: number }>(sourceOf, [run]);
    if (row === undefined) continue;
    tally.count(run, 'failed', ofRun.length);
    for (const { url, reason } of ofRun)
      tally.tell({ source: row.source_id, run, kind: 'failed', url: url as PageUrl, detail: { reason } });
  }
  await tally.write(tx);
}
