// Removes the missing pages of a run: those that were found deleted, moved or unwanted, once the end of the run confirms it.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { RunLease } from '../../port/runs.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { underLease } from '../runs/run-row.ts';
import { createTransactionTail, type TransactionTail } from '../runs/transaction-tail.ts';
import { aliasesOf, restoreAliases } from './dedupe-pages.ts';
import { readChunks, replaceChunks, withoutChunks } from './replace-chunks.ts';

const selectMissing = `select url_key, url, depth, reason, pending_outcome from frontier where version_id = $1 and run_id = $2 and state = ${URL_STATE.settled} and outcome = ${OUTCOME_CODES.missing} order by url_key limit $3`;

const deletePages = batch(
  { version_id: 'int', url_key: 'bytes' },
  `delete from pages where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);

/** Before they are deleted; an alias leaves its group as well. */
const markRemoved = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into duplicate_marks (version_id, url_key) select r.version_id, coalesce(p.alias_key, p.url_key) from pages p, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key`,
);
const markDeclared = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into duplicate_marks (version_id, url_key) select r.version_id, p.canonical_key from pages p, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key and p.canonical_key is not null`,
);

const markLinks = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into link_marks (version_id, url_key, counted) select l.version_id, l.url_key, l.targets
   from page_links l join pages p on p.version_id = l.version_id and p.url_key = l.url_key, {rows} r
   where l.version_id = r.version_id and l.url_key = r.url_key and p.alias_key is null`,
);
const markLinked = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into link_marks (version_id, url_key) select r.version_id, p.alias_key from pages p, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key and p.alias_key is not null`,
);
const MARK_REMOVED = [markRemoved, markDeclared, markLinks, markLinked];

/** Texts of removed pages that a version keeps, and how long one may be: together a few megabytes. */
const MAX_REMOVED = 500;
const MAX_REMOVED_CHARS = 50_000;

const keepRemoved = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into removed_pages (version_id, url_key, removed_at, since_at, title, text)
   select p.version_id, p.url_key, now_ms(), p.changed_at, p.title, case when length(d.text) <= ${MAX_REMOVED_CHARS} then d.text end
   from pages p join documents d on d.version_id = p.version_id and d.url_key = p.url_key, {rows} r
   where p.version_id = r.version_id and p.url_key = r.url_key
   on conflict (version_id, url_key) do update set removed_at = excluded.removed_at, since_at = excluded.since_at, title = excluded.title, text = excluded.text`,
);

const forgetRemoved = `delete from removed_pages where version_id = $1 and url_key in
  (select url_key from removed_pages where version_id = $1 order by removed_at desc, url_key limit 1000 offset ${MAX_REMOVED})`;

const confirm = batch(
  { url_key: 'bytes' },
  `update frontier set outcome = frontier.pending_outcome, pending_outcome = null, settled_at = now_ms(),
     state = case when frontier.pending_outcome = ${OUTCOME_CODES.excluded} then ${URL_STATE.excluded} else frontier.state end from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.outcome = ${OUTCOME_CODES.missing}`,
  ['int'],
);

const CONFIRMED = ['removed', 'moved', 'skipped', 'excluded'] as const satisfies readonly OutcomeName[];

/** What a missing URL becomes once the end of its run confirms it. */
export type ConfirmedOutcome = (typeof CONFIRMED)[number];

interface MissingRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly depth: number;
  readonly reason: string | null;
  readonly pending_outcome: number;
}

export async function confirmMissing(
  { engine, parts }: { readonly engine: Engine; readonly parts: EngineParts },
  lease: RunLease,
  limit: number,
): Promise<number> {
  const { run } = lease;
  return underLease(engine, lease, 0, async (tx) => {
    const missing = await tx.all<MissingRow>(selectMissing, [run.version, run.id, limit]);
    const keys = missing.map(({ url_key }) => url_key);
    const pages = missing.map(({ url, url_key }) => withoutChunks(run, url as PageUrl, url_key));
    const tail = createTransactionTail();
    await restoreAliases(tx, run, await aliasesOf(tx, run.version, keys), tail);
    tail.announce(await replaceChunks(tx, parts, pages, await readChunks(tx, pages)));
    const rows = pages.map((page) => [page.version, page.key]);
    await tx.each(keepRemoved, rows);
    for (const mark of MARK_REMOVED) await tx.each(mark, rows);
    await tx.each(deletePages, rows);
    if (rows.length > 0) await tx.all(forgetRemoved, [run.version]);
    await tx.each(
      confirm,
      keys.map((key) => [key]),
      [run.version],
    );
    tail.count(run.id, 'missing', -missing.length);
    for (const row of missing) tallyConfirmed(tail, run, row);
    await tail.write(tx);
    return missing.length;
  });
}

function tallyConfirmed(
  tail: TransactionTail,
  run: RunLease['run'],
  { url, depth, reason, pending_outcome }: MissingRow,
): void {
  const kind = CONFIRMED.find((name) => OUTCOME_CODES[name] === pending_outcome) ?? 'removed';
  tail.count(run.id, kind, 1);
  if (kind === 'excluded') {
    tail.count(run.id, 'found', -1);
    tail.dropped({ run: run.id, source: run.source }, { url, outcome: kind, depth, reason: reason ?? '' });
  } else tail.append({ source: run.source, run: run.id, kind, url: url as PageUrl, detail: { reason: 'confirmed' } });
}
