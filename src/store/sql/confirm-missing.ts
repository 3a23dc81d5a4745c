// The end of a sweep: what the site said is gone, and what a whole run did not contradict, goes.

import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunLease } from '../port.ts';
import { createTally } from './count.ts';
import { batch, type Executor } from './engine.ts';
import { chunksBefore, replaceChunks } from './replace-chunks.ts';
import type { SettleDeps } from './settle-claims.ts';
import { removePages } from './write-pages.ts';

const stillConducting = `select id from runs where id = $1 and worker = $2 and fence = $3 and ended_at is null`;

const nextMissing = `select url_key, url from frontier where version_id = $1 and run_id = $2 and state = 3 and outcome = 4 order by url_key limit $3`;

const markGone = batch(
  { url_key: 'bytes' },
  `update frontier set outcome = 5, settled_at = now_ms() from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key`,
  ['int'],
);

export async function confirmMissing(deps: SettleDeps, lease: RunLease, limit: number): Promise<number> {
  const { run } = lease;
  return deps.engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return 0;
    const missing = await tx.all<{ url_key: Uint8Array; url: string }>(nextMissing, [run.version, run.id, limit]);
    const pages = missing.map(({ url_key }) => ({
      version: run.version,
      key: url_key,
      title: '',
      chunks: [],
      known: true,
    }));
    await replaceChunks(tx, deps.parts, pages, await chunksBefore(tx, pages));
    await removePages(tx, pages);
    await tx.each(
      markGone,
      missing.map(({ url_key }) => [url_key]),
      [run.version],
    );
    const tally = createTally();
    tally.count(run.id, 'missing', -missing.length);
    tally.count(run.id, 'gone', missing.length);
    for (const { url } of missing) {
      tally.tell({
        source: run.source,
        run: run.id,
        kind: 'gone',
        url: url as PageUrl,
        detail: { reason: 'confirmed' },
      });
    }
    await tally.write(tx);
    return missing.length;
  });
}

export async function holdsLease(tx: Executor, lease: RunLease): Promise<boolean> {
  return (await tx.all(stillConducting, [lease.run.id, lease.worker, lease.fence])).length > 0;
}
