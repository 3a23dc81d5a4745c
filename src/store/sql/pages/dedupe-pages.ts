// Turns duplicates into aliases of their canonical page, and aliases back into pages. An alias keeps its row, its validators
// and its body, and has no chunks.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { AliasChange, Pages } from '../../port/pages.ts';
import type { Run, RunLease } from '../../port/runs.ts';
import { hex, keyBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { STORED_OUTCOMES_SQL, URL_STATE } from '../engine/states.ts';
import { holdsLease } from '../runs/run-row.ts';
import { createTransactionTail, type TransactionTail } from '../runs/transaction-tail.ts';
import { readChangedGroups, resolveKeys, settleGroups } from './changed-groups.ts';
import { chunkDigest, readChunks, replaceChunks, withoutChunks } from './replace-chunks.ts';

const PAGE_KEY = { url_key: 'bytes' } as const;
const ALIAS_KEYS = { url_key: 'bytes', alias_key: 'bytes' } as const;

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

export function createDeduplication(
  engine: Engine,
  parts: EngineParts,
): Pick<Pages, 'changedGroups' | 'groupsSettled' | 'resolveCanonical' | 'applyAliases'> {
  return {
    changedGroups: (version, after, limit) => readChangedGroups(engine.reader, version, { after, limit }),
    groupsSettled: (lease, keys) => settleGroups(engine, lease, keys),
    async resolveCanonical(version, urls) {
      const keys = new Map(urls.map((url) => [url, keyBytes(url)]));
      const pages = await resolveKeys(engine.reader, version, [...keys.values()]);
      return new Map(
        [...keys].flatMap(([url, key]) => {
          const page = pages.get(hex(key));
          return page === undefined ? [] : [[url, page.url]];
        }),
      );
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
