// The segments of the search index in tables: the same statements on both engines.

import { createLruCache } from '../../../core/lru-cache.ts';
import { indexFingerprint } from '../../../core/lexical/segment/index-fingerprint.ts';
import type { PageRef } from '../../../core/lexical/query/index-query.ts';
import type { PagePosition, PostingRow } from '../../../core/lexical/segment/segment-reader.ts';
import type { SegmentTables } from '../../../ports/segment-tables.ts';
import { createTermCounter } from '../../../core/lexical/segment/term-counter.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { monotonicMs, yieldToEventLoop } from '../../../platform/clock.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, perRow, singleStatement, type Engine, type Executor } from '../engine/engine.ts';
import { SEARCHED_STATES_SQL } from '../engine/states.ts';
import { createCompaction } from './compact-segments.ts';
import { chunksMatching, positionsMatching, readFilterColumns } from './filter-columns.ts';
import { indexPages } from './index-pages.ts';
import { createOutdatedQueue, queueVersion } from './index-queue.ts';
import { unpackStarts } from './page-sizes.ts';
import { createInSteps } from './write-steps.ts';

const selectQueueLength = `select count(*) as n from (select 1 from index_queue limit $1) counted`;
const selectQueued = `select 1 as one from index_queue where version_id = $1 limit 1`;
const selectQueueAge = `select now_ms() - min(enqueued_at) as ms from index_queue`;

/** The length is polled, so a long queue is not read to its end. */
const MAX_COUNTED_QUEUE = 10_000;

export function createSegmentTables(engine: Engine, { forUpdate }: EngineParts): SegmentTables {
  const { reader } = engine;
  const inSteps = createInSteps(engine, forUpdate);
  const counter = createTermCounter();
  const outdated = createOutdatedQueue(engine, indexFingerprint);
  const compaction = createCompaction();
  return {
    segments: createReadSegments(reader),
    postings: createReadPostings(reader),
    pagesAt: (positions) => pagesAt(reader, positions),
    countSearched: (segmentIds) => countSearched(reader, segmentIds),
    filterColumns: (segmentIds, fields) => readFilterColumns(reader, segmentIds, fields),
    positionsMatching: (segmentIds, filter) => positionsMatching(reader, segmentIds, filter),
    chunksMatching: (pages, filter) => chunksMatching(reader, pages, filter),
    termsWithPrefix: createTermsWithPrefix(reader),
    async index(limit) {
      await outdated.queueSome();
      const indexed = await inSteps((steps) => indexPages(steps, limit, counter)).catch((error: unknown) => {
        compaction.addAll();
        throw error;
      });
      if (indexed !== null) compaction.add(indexed.version);
      // An idle indexer releases its memory.
      else counter.trim(0);
      return indexed?.pages ?? 0;
    },
    async compact(budgetMs) {
      const end = monotonicMs() + budgetMs;
      while (await inSteps((steps) => compaction.step(steps))) {
        if (monotonicMs() >= end) return false;
        // On SQLite a step is synchronous; what else this thread does gets its turn.
        await yieldToEventLoop();
      }
      return true;
    },
    reindex: (version) => queueVersion(engine, version),
    async queueLength(max = MAX_COUNTED_QUEUE) {
      const [row] = await reader.all<{ n: number }>(selectQueueLength, [max]);
      return row?.n ?? 0;
    },
    isIndexed: async (version) => (await reader.all(selectQueued, [version])).length === 0,
    async queueAgeMs() {
      const [row] = await reader.all<{ ms: number | null }>(selectQueueAge);
      return Math.max(0, row?.ms ?? 0);
    },
  };
}

const selectSegments = singleStatement(
  batch(
    { version_id: 'int' },
    `select g.id, g.chunks from {rows} r {then search_segments g where g.version_id = r.version_id and g.state in ${SEARCHED_STATES_SQL}}`,
  ),
);
const selectPageSizes = batch(
  { id: 'int' },
  `select g.id, g.page_sizes from search_segments g, {rows} r where g.id = r.id`,
);
export const selectPostings = singleStatement(
  batch(
    { segment_id: 'int', term: 'text' },
    `select p.segment_id as segment, p.term, p.postings as bytes from {rows} r {then search_postings p where p.segment_id = r.segment_id and p.term = r.term}`,
  ),
);

/**
 * The page offsets of a segment never change, so they are read once. Four bytes a page. A search over more segments than this
 * uses them in the same order each time, so each one that is added would evict the next that is needed: the rest is not cached.
 */
const MAX_CACHE_ENTRIES = 100_000;

export function createReadSegments(reader: Executor, maxEntries = MAX_CACHE_ENTRIES): SegmentTables['segments'] {
  const cache = createLruCache<number, Uint32Array>(maxEntries);

  /** What is returned stays complete, whatever other searches evict from the cache in the meantime. */
  async function loadPageStarts(ids: readonly number[]): Promise<ReadonlyMap<number, Uint32Array | undefined>> {
    const startsById = new Map(ids.map((id) => [id, cache.get(id)]));
    const cachedIds = new Set(ids.slice(0, maxEntries));
    const rows = await reader.each<{ id: number; page_sizes: Uint8Array }>(
      selectPageSizes,
      ids.filter((id) => startsById.get(id) === undefined).map((id) => [id]),
    );
    for (const row of rows) {
      const starts = unpackStarts(row.page_sizes);
      startsById.set(row.id, starts);
      if (cachedIds.has(row.id)) cache.set(row.id, starts);
    }
    return startsById;
  }

  return async (versions) => {
    const rows = await reader.each<{ id: number; chunks: number }>(
      selectSegments,
      versions.map((version) => [version]),
    );
    rows.sort((left, right) => left.id - right.id);
    const startsById = await loadPageStarts(rows.map(({ id }) => id));
    return rows.flatMap(({ id, chunks }) => {
      const pageStarts = startsById.get(id);
      return pageStarts === undefined ? [] : [{ id, chunks, pageStarts }];
    });
  };
}

function createReadPostings(reader: Executor): SegmentTables['postings'] {
  return (pairs) =>
    reader.each<PostingRow>(
      selectPostings,
      pairs.map(({ segment, term }) => [segment, term]),
    );
}

const selectSearched = batch(
  { id: 'int' },
  `select g.id from search_segments g, {rows} r where g.id = r.id and g.state in ${SEARCHED_STATES_SQL}`,
);

async function countSearched(reader: Executor, segmentIds: readonly number[]): Promise<number> {
  const searched = await reader.each<{ id: number }>(
    selectSearched,
    segmentIds.map((id) => [id]),
  );
  return searched.length;
}

const selectPagesAt = singleStatement(
  batch(
    { segment_id: 'int', page_index: 'int' },
    `select s.segment_id, s.page_index, pages.version_id, pages.url from {rows} r {then search_pages s where s.segment_id = r.segment_id and s.page_index = r.page_index}
     {then pages where pages.version_id = s.version_id and pages.url_key = s.url_key}`,
  ),
);

interface PagePositionRow {
  readonly segment_id: number;
  readonly page_index: number;
  readonly version_id: number;
  readonly url: string;
}

async function pagesAt(
  reader: Executor,
  positions: readonly PagePosition[],
): Promise<ReadonlyArray<PagePosition & PageRef>> {
  const rows = await reader.each<PagePositionRow>(
    selectPagesAt,
    positions.map(({ segment, pageIndex }) => [segment, pageIndex]),
  );
  return rows.map((row) => ({
    segment: row.segment_id,
    pageIndex: row.page_index,
    version: row.version_id as VersionId,
    url: row.url as PageUrl,
  }));
}

const selectByPrefix = perRow(
  batch(
    { version_id: 'int' },
    `select p.term, p.chunks from search_segments g join search_postings p on p.segment_id = g.id, {rows} r
     where g.version_id = r.version_id and g.state in ${SEARCHED_STATES_SQL} and p.term >= $1 and p.term < $2
       and length(p.term) between $3 and $4 limit $5`,
    ['text', 'text', 'int', 'int', 'int'],
  ),
);

/** Limit per version: a prefix that more terms share does not help. */
const MAX_SUGGESTED_ROWS = 4000;
const LAST_CODE_POINT = '\u{10ffff}';

/** Spelling correction looks among them for those that are similar to an unknown one. */
function createTermsWithPrefix(reader: Executor): SegmentTables['termsWithPrefix'] {
  return async (versions, prefix, { min, max }) => {
    const rows = await reader.each<{ term: string; chunks: number }>(
      selectByPrefix,
      versions.map((version) => [version]),
      [prefix, `${prefix}${LAST_CODE_POINT}`, min, max, MAX_SUGGESTED_ROWS],
    );
    const chunks = new Map<string, number>();
    for (const row of rows) chunks.set(row.term, (chunks.get(row.term) ?? 0) + row.chunks);
    return [...chunks].map(([term, docFrequency]) => ({ term, docFrequency }));
  };
}
