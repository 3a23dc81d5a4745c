// Enqueues and lists the URLs of earlier runs of a version, in batches, so that a recrawl of millions needs no long lock.

import type { RunId } from '../../../core/model/run.ts';
import { OUTCOME_NAMES, OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import { DISCOVERY_KINDS, USUAL_RANK, type PreviousUrl } from '../../port/frontier.ts';
import { hashBytes, hex } from '../engine/codec.ts';
import { inLiveRun } from '../runs/run-row.ts';
import { createTransactionTail } from '../runs/transaction-tail.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { LAST_KEY, nextKeyWindow } from '../engine/key-window.ts';
import { URL_STATE } from '../engine/states.ts';
import type { EnqueueDeps } from './enqueue-urls.ts';

const selectPages = `select url_key from pages where version_id = $1 and url_key > $2 order by url_key limit $3`;

const takeOver = batch(
  { url_key: 'bytes' },
  `update frontier set run_id = $2, state = ${URL_STATE.queued}, attempts = 0, crashes = 0, hops = 0, rank = ${USUAL_RANK}, priority = frontier.depth, enqueued_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2
   returning frontier.host_id, frontier.url, frontier.depth`,
  ['int', 'int'],
);

/** Returns the cursor for the next batch; null when none is left. */
export async function enqueuePrevious(
  deps: EnqueueDeps & { readonly engine: Engine },
  run: RunId,
  range: { readonly after: string | null; readonly limit: number },
): Promise<string | null> {
  const info = await deps.lookup.runInfo(run);
  const { version } = info;
  return inLiveRun<string | null>(deps.engine, run, null, async (tx) => {
    const keys = await tx.all<{ url_key: Uint8Array }>(selectPages, [
      version,
      hashBytes(range.after ?? ''),
      range.limit,
    ]);
    const added = await tx.each<{ host_id: number; url: string; depth: number }>(
      takeOver,
      keys.map(({ url_key }) => [url_key]),
      [version, run],
    );
    const hosts = [...new Set(added.map((row) => row.host_id))].sort((a, b) => a - b);
    if (hosts.length > 0) await deps.wakeHosts(tx, run, hosts);
    const tail = createTransactionTail();
    tail.count(run, 'found', added.length);
    for (const { url, depth } of added) tail.enqueued(info, { url, depth });
    await tail.write(tx);
    const last = keys.at(-1);
    return last === undefined || keys.length < range.limit ? null : hex(last.url_key);
  });
}

const ANY = 0;
/** URLs that one statement looks at for those with an outcome, which may be few among millions. */
const EXAMINED_URLS = 20_000;

/** A URL that the site no longer has is not fetched again if its linking page was removed too: nothing links to it any more. */
const selectPrevious = `select f.url_key, f.url, f.depth, f.found_by, f.parent_key, f.outcome,
    exists (select 1 from pages p where p.version_id = f.version_id and p.url_key = f.url_key) as has_page
  from frontier f where f.version_id = $1 and f.url_key > $2 and f.url_key <= $7 and f.run_id < $3
    and (f.outcome is null or f.outcome not in (${OUTCOME_CODES.removed}, ${OUTCOME_CODES['not-found']}) or exists (select 1 from pages p where p.version_id = f.version_id and p.url_key = f.parent_key))
    and ($5 = ${ANY} or (f.outcome = $5 and ($6 = '' or f.reason = $6)))
  order by f.url_key limit $4`;

interface PreviousRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly depth: number;
  readonly found_by: number;
  readonly parent_key: Uint8Array | null;
  readonly outcome: number | null;
  readonly has_page: number | boolean;
}

export async function previousUrls(
  { lookup, engine }: EnqueueDeps & { readonly engine: Engine },
  run: RunId,
  range: {
    readonly after: string | null;
    readonly limit: number;
    readonly only: { readonly outcome: OutcomeName; readonly reason: string | null } | undefined;
  },
): Promise<{ readonly urls: readonly PreviousUrl[]; readonly after: string | null }> {
  const { version } = await lookup.runInfo(run);
  const { only } = range;
  const code = only === undefined ? ANY : OUTCOME_CODES[only.outcome];
  const after = hashBytes(range.after ?? '');
  const { end, isLast } =
    only === undefined
      ? { end: LAST_KEY, isLast: true }
      : await nextKeyWindow(engine.reader, 'frontier', version, { after, rows: EXAMINED_URLS });
  const values = [version, after, run, range.limit, code, only?.reason ?? '', end];
  const rows = await engine.reader.all<PreviousRow>(selectPrevious, values);
  const last = rows.at(-1);
  const urls = rows.map((row) => ({
    url: row.url as PageUrl,
    depth: row.depth,
    foundBy: DISCOVERY_KINDS[row.found_by] ?? 'link',
    parent: row.parent_key === null ? null : (hex(row.parent_key) as UrlKey),
    outcome: OUTCOME_NAMES.find((name) => OUTCOME_CODES[name] === row.outcome) ?? null,
    hasPage: Boolean(row.has_page),
  }));
  if (last !== undefined && rows.length === range.limit) return { urls, after: hex(last.url_key) };
  return { urls, after: isLast ? null : hex(end) };
}
