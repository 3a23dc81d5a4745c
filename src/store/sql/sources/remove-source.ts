// Removes a source in steps, each in a transaction: first it becomes invisible, then its rows are deleted in batches, last the
// source itself. After a kill between two steps `finishRemovals` completes it.
//
// Each table is read by a cursor, because the entries of deleted rows stay in its index for a while: reading "the first hundred" again
// and again would pass over all of them each time. The size of a batch follows the time that the last one took.

import type { PageUrl } from '../../../core/model/page-url.ts';
import { monotonicMs } from '../../../platform/clock.ts';
import type { NewChange } from '../runs/transaction-tail.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { hex } from '../engine/codec.ts';
import { batch, singleStatement, type Engine, type Executor, type Value } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { deleteMarks, selectMarkedKeys } from '../pages/change-marks.ts';
import { createTransactionTail } from '../runs/transaction-tail.ts';
import { DROP_SEGMENTS, removeFromIndex } from '../search/index-queue.ts';
import { recordRemoval } from './daily-sizes.ts';
import { lockSource, lockSourceOf } from './lock-source.ts';
import { dropUnusedTexts } from '../vectors/chunk-texts.ts';

/** How long a step may hold the writer: others, and requests to a server, wait for it. */
const STEP_MS = 40;
const FIRST_BATCH = 100;
const MIN_BATCH = 10;
const MAX_BATCH = 5000;

const VERSIONS = `(select id from versions where source_id = $1)`;
/** Selected by version, for which runs have an index. */
const RUNS = `(select id from runs where version_id in ${VERSIONS})`;

/** Before the name is replaced: those who follow the changes know the source by it. */
const keepNames = `insert into removed_versions (version_id, source, label) select v.id, s.name, v.label from versions v join sources s on s.id = v.source_id
  where s.id = $1 and s.removed_at is null on conflict do nothing`;
/** The name becomes free immediately, so that the same source can be added again while its old rows are deleted. */
const hide = `update sources set removed_at = now_ms(), name = name || ' removed ' || cast(id as text) where id = $1 and removed_at is null`;
const endRuns = `update runs set state = 'stopped', reason = 'source removed', ended_at = now_ms(), worker = null, lease_until = null, fence = fence + 1
  where source_id = $1 and ended_at is null`;
/** Claimed rows are few and have their own index; without a claim, a late settlement is superseded. */
const releaseClaims = `update frontier set state = ${URL_STATE.queued}, worker = null, due_at = null
  where due_at is not null and run_id in ${RUNS}`;
const selectHidden = `select id from sources where removed_at is not null order by id`;
const selectVersions = `select id from versions where source_id = $1 order by id`;
const selectRuns = `select id from runs where version_id in ${VERSIONS} order by id`;

const deleteRest = [
  DROP_SEGMENTS,
  `delete from run_plans where run_id in ${RUNS}`,
  `delete from runs where version_id in ${VERSIONS}`,
  `delete from discovery_files where version_id in ${VERSIONS}`,
  `delete from domain_analysis where version_id in ${VERSIONS}`,
  `delete from place_hubs where version_id in ${VERSIONS}`,
  `delete from coverage_reports where version_id in ${VERSIONS}`,
  `delete from milestones where version_id in ${VERSIONS}`,
  `delete from version_counts where version_id in ${VERSIONS}`,
  `delete from term_samples where version_id in ${VERSIONS}`,
  `delete from project_versions where version_id in ${VERSIONS}`,
  `delete from versions where source_id = $1`,
  `delete from sources where id = $1`,
];

export async function removeSource(engine: Engine, parts: EngineParts, source: number): Promise<void> {
  await engine.transaction(async (tx) => {
    // Whoever starts a run has committed it by now, or waits and finds no source.
    await lockSource(tx, source);
    await tx.all(keepNames, [source]);
    await recordRemoval(tx, source);
    await tx.all(hide, [source]);
    await tx.all(endRuns, [source]);
    await tx.all(releaseClaims, [source]);
  });
  await parts.withShortLog(() => removeRows(engine, parts, source));
}

/** A source that was never visible takes the version over, and is removed like any other. */
const insertHidden = `insert into sources (name, kind, start_url, settings, created_at, removed_at)
  select s.name || ' ' || v.label || ' removed ' || cast(v.id as text), s.kind, s.start_url, '{}', now_ms(), now_ms()
  from versions v join sources s on s.id = v.source_id where v.id = $1 and s.removed_at is null returning id`;
const keepName = `insert into removed_versions (version_id, source, label) select v.id, s.name, v.label from versions v join sources s on s.id = v.source_id
  where v.id = $1 on conflict do nothing`;
const moveVersion = [
  `update runs set state = 'stopped', reason = 'version removed', ended_at = now_ms(), worker = null, lease_until = null, fence = fence + 1
    where version_id = $1 and ended_at is null`,
  `update runs set source_id = $2 where version_id = $1`,
  `update versions set source_id = $2 where id = $1`,
];

export async function removeVersion(engine: Engine, parts: EngineParts, version: number): Promise<void> {
  const hidden = await engine.transaction(async (tx) => {
    if (!(await lockSourceOf(tx, version))) return null;
    const [row] = await tx.all<{ id: number }>(insertHidden, [version]);
    if (row === undefined) return null;
    await tx.all(keepName, [version]);
    for (const statement of moveVersion)
      await tx.all(statement, statement.includes('$2') ? [version, row.id] : [version]);
    await tx.all(releaseClaims, [row.id]);
    return row.id;
  });
  if (hidden !== null) await parts.withShortLog(() => removeRows(engine, parts, hidden));
}

export async function finishRemovals(engine: Engine, parts: EngineParts): Promise<void> {
  for (const { id } of await engine.reader.all<{ id: number }>(selectHidden))
    await parts.withShortLog(() => removeRows(engine, parts, id));
}

async function removeRows(engine: Engine, parts: EngineParts, source: number): Promise<void> {
  const versions = await engine.reader.all<{ id: number }>(selectVersions, [source]);
  const runs = await engine.reader.all<{ id: number }>(selectRuns, [source]);
  for (const { id } of versions) {
    const owner = { version: id, source };
    await inBatches(engine, (tx, limit, after) => removeChunks(tx, parts, owner, { limit, after }));
    await inBatches(engine, (tx, limit, after) => removePages(tx, id, { limit, after }));
    for (const keyed of KEYED)
      await inBatches(engine, (tx, limit, after) => removeKeyed(tx, id, keyed, { limit, after }));
    await inBatches(engine, (tx, limit, after) => removeLinkCounts(tx, id, { limit, after }));
  }
  for (const rows of ROWS_OF_RUNS)
    await inBatches(engine, (tx, limit, after) => removeOfRuns(tx, rows, runs, { limit, after }));
  await engine.transaction(async (tx) => {
    for (const statement of deleteRest) await tx.all(statement, [source]);
  });
}

type Cursor = readonly Value[];

interface Range {
  readonly limit: number;
  /** Null at the beginning. */
  readonly after: Cursor | null;
}

/** Deletes up to `limit` rows after a cursor; returns the next cursor, or null if there are no more rows. */
type RemoveBatch = (tx: Executor, limit: number, after: Cursor | null) => Promise<Cursor | null>;

/** Not flushed: what a power failure undoes is deleted by the next start. */
async function inBatches(engine: Engine, remove: RemoveBatch): Promise<void> {
  let limit = FIRST_BATCH;
  let after: Cursor | null = null;
  do {
    // From when the writer is held to the end of the commit, which may move the log into the file.
    let started = 0;
    after = await engine.transaction<Cursor | null>((tx) => {
      started = monotonicMs();
      return remove(tx, limit, after);
    }, 'later');
    const ms = monotonicMs() - started;
    limit = Math.round(Math.min(MAX_BATCH, Math.max(MIN_BATCH, limit * Math.min(2, STEP_MS / Math.max(1, ms)))));
  } while (after !== null);
}

const selectChunks = `select pk, url_key, ordinal, content_hash, chunk_id from chunks where version_id = $1 and (url_key, ordinal) > ($2, $3) order by url_key, ordinal limit $4`;
const deleteChunks = singleStatement(
  batch({ pk: 'int' }, `delete from chunks where pk in (select r.pk from {rows} r)`),
);

interface ChunkRow {
  readonly pk: number;
  readonly url_key: Uint8Array;
  readonly ordinal: number;
  readonly content_hash: Uint8Array;
  readonly chunk_id: Uint8Array;
}

const selectUrls = batch(
  { url_key: 'bytes' },
  `select pages.url_key, pages.url from pages, {rows} r where pages.version_id = $1 and pages.url_key = r.url_key`,
  ['int'],
);

const BEFORE_ALL = new Uint8Array();

/** Before their pages, which may have thousands of them: then a batch ends within a page, and each announces its own part. */
async function removeChunks(
  tx: Executor,
  parts: EngineParts,
  owner: { readonly version: number; readonly source: number },
  { limit, after }: Range,
): Promise<Cursor | null> {
  const { version } = owner;
  const [key, ordinal] = after ?? [BEFORE_ALL, -1];
  const rows = await tx.all<ChunkRow>(selectChunks, [version, key ?? BEFORE_ALL, ordinal ?? -1, limit]);
  await parts.textLocks.holdSpaces(tx);
  await tx.each(
    deleteChunks,
    rows.map((row) => [row.pk]),
  );
  await dropUnusedTexts(
    tx,
    parts,
    rows.map((row) => hex(row.content_hash)),
  );
  const tail = createTransactionTail();
  tail.announce(await removedPages(tx, owner, rows));
  await tail.write(tx);
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : [last.url_key, last.ordinal];
}

async function removedPages(
  tx: Executor,
  owner: { readonly version: number; readonly source: number },
  rows: readonly ChunkRow[],
): Promise<readonly NewChange[]> {
  const chunks = Map.groupBy(rows, (row) => hex(row.url_key));
  const pages = await tx.each<{ url_key: Uint8Array; url: string }>(
    selectUrls,
    Array.from(chunks.values(), ([first]) => [first?.url_key ?? BEFORE_ALL]),
    [owner.version],
  );
  return pages.map(({ url_key: key, url }) => {
    const removed = Buffer.concat((chunks.get(hex(key)) ?? []).map((row) => row.chunk_id));
    return { ...owner, key, url: url as PageUrl, hadChunks: true, digest: null, added: BEFORE_ALL, removed };
  });
}

const selectKeys = (table: 'pages' | 'frontier'): string =>
  `select url_key from ${table} where version_id = $1 and url_key > $2 order by url_key limit $3`;
const deleteKeys = (table: 'pages' | 'frontier') =>
  singleStatement(
    batch(
      { url_key: 'bytes' },
      `delete from ${table} where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
      ['int'],
    ),
  );
const selectPages = selectKeys('pages');
const deletePages = deleteKeys('pages');

/** Tables of a version whose rows are deleted by key, and need nothing else. */
const KEYED = [
  { select: selectKeys('frontier'), remove: deleteKeys('frontier') },
  ...(['duplicate_marks', 'link_marks'] as const).map((marks) => ({
    select: selectMarkedKeys(marks),
    remove: singleStatement(deleteMarks(marks)),
  })),
];

async function removePages(tx: Executor, version: number, { limit, after }: Range): Promise<Cursor | null> {
  const rows = await tx.all<{ url_key: Uint8Array }>(selectPages, [version, after?.[0] ?? BEFORE_ALL, limit]);
  const keys = rows.map((row) => row.url_key);
  await removeFromIndex(tx, version, keys);
  await tx.each(
    deletePages,
    keys.map((key) => [key]),
    [version],
  );
  return nextKey(keys, limit);
}

async function removeKeyed(
  tx: Executor,
  version: number,
  { select, remove }: (typeof KEYED)[number],
  { limit, after }: Range,
): Promise<Cursor | null> {
  const rows = await tx.all<{ url_key: Uint8Array }>(select, [version, after?.[0] ?? BEFORE_ALL, limit]);
  const keys = rows.map((row) => row.url_key);
  await tx.each(
    remove,
    keys.map((key) => [key]),
    [version],
  );
  return nextKey(keys, limit);
}

const selectTargets = `select target from link_counts where version_id = $1 and target > $2 order by target limit $3`;
const deleteTargets = `delete from link_counts where version_id = $1 and target > $2 and target <= $3`;

async function removeLinkCounts(tx: Executor, version: number, { limit, after }: Range): Promise<Cursor | null> {
  const from = after?.[0] ?? BEFORE_ALL;
  const rows = await tx.all<{ target: Uint8Array }>(selectTargets, [version, from, limit]);
  const keys = rows.map(({ target }) => target);
  const last = keys.at(-1);
  if (last !== undefined) await tx.all(deleteTargets, [version, from, last]);
  return nextKey(keys, limit);
}

function nextKey(keys: readonly Uint8Array[], limit: number): Cursor | null {
  const last = keys.at(-1);
  return last === undefined || keys.length < limit ? null : [last];
}

/** A table whose rows belong to a run, with an index of the run and these columns. */
interface RowsOfRun {
  readonly select: string;
  readonly remove: string;
  /** Smaller than every row. */
  readonly first: Cursor;
}

function rowsOfRun(table: string, first: Readonly<Record<string, Value>>): RowsOfRun {
  const names = Object.keys(first);
  const columns = names.join(', ');
  const signs = (from: number): string => names.map((_, i) => `$${from + i}`).join(', ');
  const end = 2 + names.length;
  const after = `from ${table} where run_id = $1 and (${columns}) > (${signs(2)})`;
  return {
    select: `select ${columns} ${after} order by ${columns} limit $${end}`,
    remove: `delete ${after} and (${columns}) <= (${signs(end)})`,
    first: Object.values(first),
  };
}

const ROWS_OF_RUNS = [
  rowsOfRun('events', { seq: 0 }),
  rowsOfRun('problems', { kind: '', target: '' }),
  rowsOfRun('milestones', { id: 0 }),
  rowsOfRun('run_reasons', { outcome: 0, reason: '' }),
  rowsOfRun('run_samples', { nth: -1 }),
  rowsOfRun('run_hosts', { host: '' }),
  rowsOfRun('host_queues', { host_id: 0 }),
];

/** Most runs have few rows; each costs at least a lookup. */
const RUNS_PER_BATCH = 100;

/** The cursor is the position in the list of runs, then that within the run. */
async function removeOfRuns(
  tx: Executor,
  { select, remove, first }: RowsOfRun,
  runs: ReadonlyArray<{ readonly id: number }>,
  { limit, after }: Range,
): Promise<Cursor | null> {
  let [at, ...position] = after ?? [0, ...first];
  let left = limit;
  for (const end = Math.min(runs.length, Number(at) + RUNS_PER_BATCH); Number(at) < end && left > 0;) {
    const run = runs[Number(at)]?.id ?? 0;
    const rows = await tx.all<Record<string, Value>>(select, [run, ...position, left]);
    const last = Object.values(rows.at(-1) ?? {});
    if (last.length > 0) await tx.all(remove, [run, ...position, ...last]);
    const isEnd = rows.length < left;
    left -= rows.length;
    [at, position] = isEnd ? [Number(at) + 1, [...first]] : [at, last];
  }
  return Number(at) < runs.length ? [at ?? 0, ...position] : null;
}
