// Indexes queued pages as a new segment. The segment is filled in batches and becomes searchable in the last transaction,
// which also dequeues the pages: after a kill at any point they are still queued.

import { chunkPath } from '../../../core/chunk/chunk-names.ts';
import type { IndexableEntry } from '../../../core/lexical/segment/fields.ts';
import {
  createSegmentBuilder,
  type SegmentBuilder,
  type SegmentTerm,
} from '../../../core/lexical/segment/segment-builder.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { yieldToEventLoop } from '../../../platform/clock.ts';
import { hex } from '../engine/codec.ts';
import { indexFingerprint } from '../../../core/lexical/segment/index-fingerprint.ts';
import type { TermCounter } from '../../../core/lexical/segment/term-counter.ts';
import { batch, type Executor, type Value } from '../engine/engine.ts';
import { SEGMENT_STATE } from '../engine/states.ts';
import { countRemoved } from './index-queue.ts';
import { packSizes } from './page-sizes.ts';
import { addChecksum, checksumOf, sumOfChecksums } from './segment-checksum.ts';
import type { WriteSteps } from './write-steps.ts';

/** Terms written in one transaction: about twenty milliseconds on SQLite. */
export const TERMS_PER_TRANSACTION = 3000;

const PAGE = { version_id: 'int', url_key: 'bytes' } as const;
const selectStillQueued = batch(
  { ...PAGE, revision: 'int', enqueued_at: 'int' },
  `select q.url_key from index_queue q, {rows} r where q.version_id = r.version_id and q.url_key = r.url_key and q.revision = r.revision
     and q.enqueued_at = r.enqueued_at`,
);
const dequeue = batch(
  PAGE,
  `delete from index_queue where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);
const deletePositions = batch(
  PAGE,
  `delete from search_pages where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r) returning segment_id`,
);
const insertSegment = `insert into search_segments (version_id, state, chunks, pages, live, page_sizes, index_fingerprint) values ($1, ${SEGMENT_STATE.filling}, $2, $3, $3, $4, $5) returning id`;
/** Its id may be that of another one now; see `publishSegment`. */
const discard = `update search_segments set state = ${SEGMENT_STATE.dropped} where id = $1 and state = ${SEGMENT_STATE.filling}`;
/** The checksum tells whether it has all of its terms. */
const publish = `update search_segments set state = ${SEGMENT_STATE.searchable} where id = $1 and state = ${SEGMENT_STATE.filling} and checksum = $2 returning id`;
const insertPostings = batch(
  { term: 'text', chunks: 'int', postings: 'bytes' },
  `insert into search_postings (segment_id, term, chunks, postings) select $1, r.term, r.chunks, r.postings from {rows} r`,
  ['int'],
);
const insertPositions = batch(
  { version_id: 'int', url_key: 'bytes', segment_id: 'int', page_index: 'int' },
  `insert into search_pages (version_id, url_key, segment_id, page_index) select r.version_id, r.url_key, r.segment_id, r.page_index from {rows} r`,
);

/** Pages of one version. */
export interface IndexedPages {
  readonly version: number;
  /** How many were dequeued. */
  readonly pages: number;
}

/** Null if the queue is empty. */
export async function indexPages(steps: WriteSteps, limit: number, counter: TermCounter): Promise<IndexedPages | null> {
  for (;;) {
    const built = await buildSegment(steps, limit, counter);
    if (built === null) return null;
    const filled = built.keys.length === 0 ? null : await fillSegment(steps, built);
    if (await steps.write((tx) => publishSegment(tx, built, filled)))
      return { version: built.version, pages: built.queued.length };
  }
}

interface FilledSegment {
  readonly id: number;
  /** The checksum of all its terms. */
  readonly checksum: number;
}

/** What is written to a segment that is gone is lost: its checksum tells. */
async function fillSegment({ write }: WriteSteps, { version, builder }: BuiltSegment): Promise<FilledSegment> {
  const { chunks, pageSizes } = builder;
  const id = await write(async (tx) => {
    const row = [version, chunks, pageSizes.length, packSizes(pageSizes), indexFingerprint];
    const [segment] = await tx.all<{ id: number }>(insertSegment, row);
    if (segment === undefined) throw new Error('the segment was not stored');
    return segment.id;
  });
  let checksum = 0;
  try {
    for (const batchTerms of inBatches(builder.terms()))
      checksum = sumOfChecksums(checksum, await write((tx) => writeTerms(tx, id, batchTerms)));
  } catch (error) {
    // The partial segment is useless. If even marking it fails, it is dropped when the database is opened next.
    await write((tx) => tx.all(discard, [id])).catch(() => undefined);
    throw error;
  }
  return { id, checksum };
}

function* inBatches(terms: Iterable<SegmentTerm>): Generator<readonly SegmentTerm[]> {
  let batchTerms: SegmentTerm[] = [];
  for (const term of terms) {
    batchTerms.push(term);
    if (batchTerms.length < TERMS_PER_TRANSACTION) continue;
    yield batchTerms;
    batchTerms = [];
  }
  if (batchTerms.length > 0) yield batchTerms;
}

/** Returns their checksum. Nothing is written to a segment that is gone: its source was removed, or the database has gone back. */
export async function writeTerms(tx: Executor, segment: number, terms: readonly SegmentTerm[]): Promise<number> {
  const checksum = checksumOf(terms);
  if (!(await addChecksum(tx, segment, checksum))) return checksum;
  await tx.each(
    insertPostings,
    terms.map(({ term, count, bytes }): Value[] => [term, count, bytes]),
    [segment],
  );
  return checksum;
}

/**
 * False if a page was settled again or removed in the meantime, or if the segment is not the one that was written: its source was removed,
 * or the database has gone back to before its last commit and may have given its id to another one. Then the segment is discarded.
 */
async function publishSegment(
  tx: Executor,
  { version, queued, keys }: BuiltSegment,
  filled: FilledSegment | null,
): Promise<boolean> {
  const rows = queued.map((row): Value[] => [version, row.url_key, row.revision, row.enqueued_at]);
  const unchanged = await tx.each(selectStillQueued, rows);
  if (unchanged.length < queued.length) {
    if (filled !== null) await tx.all(discard, [filled.id]);
    return false;
  }
  if (filled !== null && (await tx.all(publish, [filled.id, filled.checksum])).length === 0) return false;
  const pages = queued.map((row): Value[] => [version, row.url_key]);
  await tx.each(dequeue, pages);
  await countRemoved(tx, await tx.each<{ segment_id: number }>(deletePositions, pages));
  if (filled === null) return true;
  await tx.each(
    insertPositions,
    keys.map((key, page): Value[] => [version, key, filled.id, page]),
  );
  return true;
}

/** Pages are taken until they have this many chunks in total: larger segments need less merging and more memory. */
const MAX_SEGMENT_CHUNKS = 6000;
/** Chunks that are read and counted between two yields to the event loop: a few tens of milliseconds. */
const BATCH_CHUNKS = 250;

interface QueuedRow {
  readonly url_key: Uint8Array;
  /** Incremented when the page is settled again: what was counted before is then out of date. */
  readonly revision: number;
  /** Revisions begin again when another process has indexed the page and it is queued again. */
  readonly enqueued_at: number;
  readonly n_chunks: number | null;
}

interface IndexedRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly title: string;
  readonly ordinal: number;
  readonly headings: string;
  readonly symbol: string | null;
  readonly text: string;
}

interface BuiltSegment {
  readonly version: number;
  readonly queued: readonly QueuedRow[];
  readonly builder: SegmentBuilder;
  /** Keys of the pages in the segment, in its order. A page without chunks is not in it. */
  readonly keys: readonly Uint8Array[];
}

const selectOldestVersion = `select version_id from index_queue order by enqueued_at limit 1`;
const selectOldestOfVersion = `select q.url_key, q.revision, q.enqueued_at, (select n_chunks from pages p where p.version_id = q.version_id and p.url_key = q.url_key) as n_chunks
  from index_queue q where q.version_id = $1 order by q.enqueued_at, q.url_key limit $2`;

const selectChunks = batch(
  { version_id: 'int', url_key: 'bytes' },
  `select chunks.url_key, pages.url, pages.title, chunks.ordinal, chunks.headings, chunks.symbol, chunks.text
   from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key, {rows} r
   where chunks.version_id = r.version_id and chunks.url_key = r.url_key`,
);

/**
 * Reads queued pages of the version whose page has waited longest, and counts their terms; null if the queue is empty. A full
 * batch of that version, however many others are queued in between. Nothing is written yet, and little is held in memory:
 * texts are read some pages at a time and released once they are counted.
 */
async function buildSegment(
  { read, forUpdate }: WriteSteps,
  limit: number,
  counter: TermCounter,
): Promise<BuiltSegment | null> {
  const [oldest] = await read.all<{ version_id: number }>(`${selectOldestVersion} ${forUpdate}`);
  if (oldest === undefined) return null;
  const version = oldest.version_id;
  const queued = await read.all<QueuedRow>(`${selectOldestOfVersion} ${forUpdate}`, [version, limit]);
  const selected = takeUpTo(queued, MAX_SEGMENT_CHUNKS);
  const builder = createSegmentBuilder({ counter });
  const keys: Uint8Array[] = [];
  for (let rest = selected; rest.length > 0;) {
    const batchRows = takeUpTo(rest, BATCH_CHUNKS);
    rest = rest.slice(batchRows.length);
    const batchKeys = batchRows.map(({ url_key: key }) => key);
    const pages = await readEntries(read, version, batchKeys);
    for (const [at, key] of batchKeys.entries()) {
      const entries = pages[at];
      if (entries === undefined) continue;
      builder.addPage(entries);
      keys.push(key);
    }
    await yieldToEventLoop();
  }
  return { version, queued: selected, builder, keys };
}

/** What is indexed of each page; undefined for one without chunks. */
export async function readEntries(
  read: Executor,
  version: number,
  keys: readonly Uint8Array[],
): Promise<ReadonlyArray<readonly IndexableEntry[] | undefined>> {
  const rows = await read.each<IndexedRow>(
    selectChunks,
    keys.map((key) => [version, key]),
  );
  const pages = Map.groupBy(rows, (row) => hex(row.url_key));
  return keys.map((key) =>
    pages
      .get(hex(key))
      ?.sort((left, right) => left.ordinal - right.ordinal)
      .map(toEntry),
  );
}

/** At least one row. */
function takeUpTo(queued: readonly QueuedRow[], maxChunks: number): readonly QueuedRow[] {
  let chunks = 0;
  const end = queued.findIndex((row) => (chunks += row.n_chunks ?? 0) > maxChunks);
  return end === -1 ? queued : queued.slice(0, Math.max(1, end));
}

function toEntry(row: IndexedRow): IndexableEntry {
  const { title, symbol, text } = row;
  const headings = JSON.parse(row.headings) as string[];
  return { path: chunkPath(row.url as PageUrl), title, chunk: { headings, symbol, text } };
}
