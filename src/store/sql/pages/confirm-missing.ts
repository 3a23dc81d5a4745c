// The end of a sweep: pages that the site said are gone, moved or not to be kept, and that a whole run did not contradict, go.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { RunLease } from '../../port.ts';
import { createTally } from '../runs/tally.ts';
import { batch } from '../engine/engine.ts';
import { holdsLease } from '../holds-lease.ts';
import { chunksBefore, replaceChunks } from './replace-chunks.ts';
import type { SettleDeps } from '../frontier/settle-claims.ts';
import { aliasesOf, standAgain } from '../stand-again.ts';
import { removePages } from './write-pages.ts';

const nextMissing = `select url_key, url, confirms from frontier where version_id = $1 and run_id = $2 and state = 3 and outcome = 4 order by url_key limit $3`;

const confirm = batch(
  { url_key: 'bytes' },
  `update frontier set outcome = frontier.confirms, confirms = null, settled_at = now_ms() from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key`,
  ['int'],
);

const CONFIRMED = ['gone', 'moved', 'skipped'] as const satisfies readonly OutcomeName[];

export async function confirmMissing(deps: SettleDeps, lease: RunLease, limit: number): Promise<number> {
  const { run } = lease;
  return deps.engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return 0;
    const missing = await tx.all<{ url_key: Uint8Array; url: string; confirms: number }>(nextMissing, [
      run.version,
      run.id,
      limit,
    ]);
    const keys = missing.map(({ url_key }) => url_key);
    const pages = keys.map((key) => ({ version: run.version, key, title: '', chunks: [], known: true }));
    const tally = createTally();
    await standAgain(tx, run, await aliasesOf(tx, run.version, keys), tally);
    await replaceChunks(tx, deps.parts, pages, await chunksBefore(tx, pages));
    await removePages(tx, pages);
    await tx.each(
      confirm,
      keys.map((key) => [key]),
      [run.version],
    );
    tally.count(run.id, 'missing', -missing.length);
    for (const { url, confirms } of missing) {
      const kind = CONFIRMED.find((name) => OUTCOME_CODES[name] === confirms) ?? 'gone';
      tally.count(run.id, kind, 1);
      tally.tell({ source: run.source, run: run.id, kind, url: url as PageUrl, detail: { reason: 'confirmed' } });
    }
    await tally.write(tx);
    return missing.length;
  });
}
