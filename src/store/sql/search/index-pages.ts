// Reads pages off the queue and writes one segment for each version among them. One transaction: a kill at any point
// leaves the pages in the queue.

import { chunkPath } from '../../../core/chunk/chunk-path.ts';
import type { IndexEntry } from '../../../core/lexical/lexical-index.ts';
import { createSegmentDraft } from '../../../core/lexical/segment-draft.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { hex } from '../codec.ts';
import { batch, type Executor } from '../engine.ts';
import { chunkOf, CHUNKS_WITH_PAGES, type ChunkRow, type PageRow } from '../pages.ts';
import { packSizes } from './page-sizes.ts';

/** Pages are taken until they have this many chunks together, so that a step stays short. */
const STEP_CHUNKS = 2000;

interface QueuedRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly n_chunks: number | null;
}

/** `forUpdate` keeps two indexers apart where the engine lets two write at once. */
function oldestQueued(forUpdate: string): string {
  return `select q.version_id, q.url_key, (select n_chunks from pages p where p.version_id = q.version_id and p.url_key = q.url_key) as n_chunks
    from index_queue q order by q.offered_at, q.url_key limit $1 ${forUpdate}`;
}

const PAGE = { version_id: 'int', url_key: 'bytes' } as const;
const unqueue = batch(
  PAGE,
  `delete from index_queue where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);
const forget = batch(
  PAGE,
  `delete from search_pages where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);
const chunksOfPages = batch(
  PAGE,
  `${CHUNKS_WITH_PAGES}, {rows} r where chunks.version_id = r.version_id and chunks.url_key = r.url_key`,
);
const addSegment = `insert into search_segments (version_id, state, chunks, pages, page_sizes) values ($1, 1, $2, $3, $4) returning id`;
export const addPostings = batch(
  { segment_id: 'int', term: 'text', chunks: 'int', postings: 'bytes' },
  `insert into search_postings (segment_id, term, chunks, postings) select r.segment_id, r.term, r.chunks, r.postings from {rows} r`,
);
const addPlaces = batch(
  { version_id: 'int', url_key: 'bytes', segment_id: 'int', page: 'int' },
  `insert into search_pages (version_id, url_key, segment_id, page) select r.version_id, r.url_key, r.segment_id, r.page from {rows} r`,
);

export async function indexPages(tx: Executor, limit: number, forUpdate: string): Promise<number> {
  const queued = await tx.all<QueuedRow>(oldestQueued(forUpdate), [limit]);
  const taken = firstOf(queued);
  if (taken.length === 0) return 0;
  const keys = taken.map((row) => [row.version_id, row.url_key]);
  await tx.each(unqueue, keys);
  await tx.each(forget, keys);
  const rows = await tx.each<PageRow & ChunkRow>(chunksOfPages, keys);
  for (const version of new Set(taken.map((row) => row.version_id))) {
    const own = rows.filter((row) => row.version_id === version);
    if (own.length > 0) await writeSegment(tx, version, own);
  }
  return taken.length;
}

function firstOf(queued: readonly QueuedRow[]): readonly QueuedRow[] {
  let chunks = 0;
  const end = queued.findIndex((row) => (chunks += row.n_chunks ?? 0) > STEP_CHUNKS);
  return end === -1 ? queued : queued.slice(0, Math.max(1, end));
}

async function writeSegment(tx: Executor, version: number, rows: ReadonlyArray<PageRow & ChunkRow>): Promise<void> {
  const pages = Map.groupBy(rows, (row) => hex(row.url_key));
  const draft = createSegmentDraft();
  for (const chunks of pages.values()) {
    draft.addPage(chunks.toSorted((left, right) => left.ordinal - right.ordinal).map(entryOf));
  }
  const size = [version, draft.chunks, draft.pageSizes.length, packSizes(draft.pageSizes)] as const;
  const [segment] = await tx.all<{ id: number }>(addSegment, size);
  if (segment === undefined) throw new Error('the segment was not stored');
  await tx.each(
    addPostings,
    draft.terms().map(({ term, count, bytes }) => [segment.id, term, count, bytes]),
  );
  await tx.each(
    addPlaces,
    [...pages.values()].map(([row], page) => [version, row?.url_key ?? null, segment.id, page]),
  );
}

function entryOf(row: PageRow & ChunkRow): IndexEntry {
  return { path: chunkPath(row.url as PageUrl), title: row.title, chunk: chunkOf(row) };
}
