// Turns duplicates into aliases of their canonical page, and aliases back into pages. An alias keeps its row, its validators
// and its body, and has no chunks.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { AliasChange, StoredCandidate, Pages } from '../../port/pages.ts';
import type { Run, RunLease } from '../../port/runs.ts';
import { hashBytes, hashOf, hex, keyBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { nextKeyWindow } from '../engine/key-window.ts';
import { STORED_OUTCOMES_SQL, URL_STATE } from '../engine/states.ts';
import { holdsLease } from '../runs/run-row.ts';
import { createTransactionTail, type TransactionTail } from '../runs/transaction-tail.ts';
import { chunkDigest, readChunks, replaceChunks, withoutChunks } from './replace-chunks.ts';

const PAGE_KEY = { url_key: 'bytes' } as const;
const ALIAS_KEYS = { url_key: 'bytes', alias_key: 'bytes' } as const;

const selectCandidates = `select p.url_key, p.url, p.dedupe_hash, p.canonical, p.alias_key from pages p where p.version_id = $1 and p.url_key > $2 and p.url_key <= $3
    and (p.alias_key is not null or p.canonical <> p.url
      or exists (select 1 from pages other where other.version_id = p.version_id and other.dedupe_hash = p.dedupe_hash and other.url_key <> p.url_key))
  order by p.url_key`;

const selectTargets = batch(
  PAGE_KEY,
  `select f.url_key, f.outcome, f.target_key, p.url as page_url from frontier f
     left join pages p on p.version_id = f.version_id and p.url_key = f.url_key, {rows} r
   where f.version_id = $1 and f.url_key = r.url_key`,
  ['int'],
);

const setAlias = batch(
  ALIAS_KEYS,
  `update pages set alias_key = r.alias_key, n_chunks = 0, chunk_digest = $2 from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int', 'bytes'],
);

const selectOutcomes = batch(
  PAGE_KEY,
  `select frontier.run_id, frontier.outcome from frontier, {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = ${URL_STATE.settled} and frontier.outcome in ${STORED_OUTCOMES_SQL}`,
  ['int'],
);

const settleAsMoved = batch(
  ALIAS_KEYS,
  `update frontier set outcome = ${OUTCOME_CODES.moved}, target_key = r.alias_key from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = ${URL_STATE.settled} and frontier.outcome in (${OUTCOME_CODES.new}, ${OUTCOME_CODES.changed}, ${OUTCOME_CODES.unchanged}, ${OUTCOME_CODES.moved})`,
  ['int'],
);

const selectAliases = batch(
  PAGE_KEY,
  `select pages.url_key from pages, {rows} r where pages.version_id = $1 and pages.alias_key = r.url_key`,
  ['int'],
);

/** The chunks were deleted when the page became an alias: an empty pipeline version marks it to be reprocessed from its body. */
const clearAlias = batch(
  PAGE_KEY,
  `update pages set alias_key = null, pipeline_version = '' from {rows} r where pages.version_id = $1 and pages.url_key = r.url_key and pages.alias_key is not null`,
  ['int'],
);

/** It was fetched in this run, did not change, and is not an alias any more. */
const settleAsUnchanged = batch(
  PAGE_KEY,
  `update frontier set outcome = ${OUTCOME_CODES.unchanged}, target_key = null from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and frontier.state = ${URL_STATE.settled} and frontier.outcome = ${OUTCOME_CODES.moved} returning frontier.run_id`,
  ['int'],
);

/** Longer redirect chains are not followed. */
const MAX_STEPS = 12;

interface CandidateRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly dedupe_hash: Uint8Array | null;
  readonly canonical: string | null;
  readonly alias_key: Uint8Array | null;
}

interface TargetRow {
  readonly url_key: Uint8Array;
  readonly outcome: number | null;
  readonly target_key: Uint8Array | null;
  readonly page_url: string | null;
}

export function createDeduplication(
  engine: Engine,
  parts: EngineParts,
): Pick<Pages, 'duplicateCandidates' | 'resolveCanonical' | 'applyAliases'> {
  return {
    async duplicateCandidates(version, after, limit) {
      const from = hashBytes(after ?? '');
      const { end, isLast } = await nextKeyWindow(engine.reader, 'pages', version, { after: from, rows: limit });
      const rows = await engine.reader.all<CandidateRow>(selectCandidates, [version, from, end]);
      return { pages: rows.map(toCandidate), after: isLast ? null : hex(end) };
    },
    async resolveCanonical(version, urls) {
      const canonical = new Map<PageUrl, PageUrl>();
      let pending = new Map(urls.map((url) => [url, keyBytes(url)]));
      for (let step = 0; step < MAX_STEPS && pending.size > 0; step += 1) {
        const keys = new Map([...pending.values()].map((key) => [hex(key), key]));
        const rows = await engine.reader.each<TargetRow>(
          selectTargets,
          [...keys.values()].map((key) => [key]),
          [version],
        );
        const targets = new Map(rows.map((row) => [hex(row.url_key), row]));
        const next = new Map<PageUrl, Uint8Array>();
        for (const [url, key] of pending) {
          const target = targets.get(hex(key));
          if (target?.page_url != null) canonical.set(url, target.page_url as PageUrl);
          else if (target?.outcome === OUTCOME_CODES.moved && target.target_key !== null)
            next.set(url, target.target_key);
        }
        pending = next;
      }
      return canonical;
    },
    applyAliases: (lease, changes) => applyAliases(engine, parts, lease, changes),
  };
}

async function applyAliases(
  engine: Engine,
  parts: EngineParts,
  lease: RunLease,
  changes: readonly AliasChange[],
): Promise<void> {
  const { run } = lease;
  const aliased = changes.flatMap(({ url, aliasOf }) =>
    aliasOf === null ? [] : [{ page: withoutChunks(run, url), aliasKey: keyBytes(aliasOf) }],
  );
  const pages = aliased.map(({ page }) => page);
  const aliasRows = aliased.map(({ page, aliasKey }) => [page.key, aliasKey]);
  const restored = changes.filter(({ aliasOf }) => aliasOf === null).map(({ url }) => keyBytes(url));
  await engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return;
    const tail = createTransactionTail();
    await restoreAliases(tx, run, restored, tail);
    tail.announce(await replaceChunks(tx, parts, pages, await readChunks(tx, pages)));
    await tx.each(setAlias, aliasRows, [run.version, chunkDigest([])]);
    const before = await tx.each<{ run_id: number; outcome: number }>(
      selectOutcomes,
      pages.map(({ key }) => [key]),
      [run.version],
    );
    await tx.each(settleAsMoved, aliasRows, [run.version]);
    for (const { run_id, outcome } of before) {
      if (run_id !== run.id) continue;
      tail.count(run.id, storedOutcomeName(outcome), -1);
      tail.count(run.id, 'moved', 1);
    }
    for (const { url, aliasOf } of changes)
      tail.append({
        source: run.source,
        run: run.id,
        kind: aliasOf === null ? 'restored' : 'deduplicated',
        url,
        detail: { aliasOf },
      });
    await tail.write(tx);
  });
}

/** Turns aliases back into pages, in the transaction of a change to their canonical page. */
export async function restoreAliases(
  tx: Executor,
  run: Run,
  keys: readonly Uint8Array[],
  tail: TransactionTail,
): Promise<void> {
  const rows = keys.map((key) => [key]);
  await tx.each(clearAlias, rows, [run.version]);
  const settled = await tx.each<{ run_id: number }>(settleAsUnchanged, rows, [run.version]);
  const countOfRun = settled.filter(({ run_id }) => run_id === run.id).length;
  tail.count(run.id, 'moved', -countOfRun);
  tail.count(run.id, 'unchanged', countOfRun);
}

/** Keys of the aliases of some pages. */
export async function aliasesOf(tx: Executor, version: number, keys: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const rows = await tx.each<{ url_key: Uint8Array }>(
    selectAliases,
    keys.map((key) => [key]),
    [version],
  );
  return rows.map(({ url_key }) => url_key);
}

function storedOutcomeName(outcome: number): OutcomeName {
  return outcome === OUTCOME_CODES.new ? 'new' : outcome === OUTCOME_CODES.changed ? 'changed' : 'unchanged';
}

function toCandidate(row: CandidateRow): StoredCandidate {
  return {
    url: row.url as PageUrl,
    dedupeHash: row.dedupe_hash === null ? null : hashOf(row.dedupe_hash),
    canonical: row.canonical as PageUrl | null,
    aliasOf: row.alias_key === null ? null : (hex(row.alias_key) as UrlKey),
  };
}
