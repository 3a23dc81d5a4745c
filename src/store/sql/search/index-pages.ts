// Reads pages off the queue and writes a segment of them. The segment is filled piece by piece and searched from the last
// transaction on, which also takes the pages off the queue: a kill at any point leaves them there.

import { indexForm } from '../../../core/lexical/segment/index-fingerprint.ts';
import type { SegmentTerm } from '../../../core/lexical/segment/segment-builder.ts';
import type { WordCounter } from '../../../core/lexical/segment/term-counter.ts';
import { batch, type Executor, type Value } from '../engine/engine.ts';
import { draftPages, type DraftedPages } from './draft-pages.ts';
import { packSizes } from './page-sizes.ts';
import type { WriteSteps } from './write-steps.ts';

/** Terms that are written in one transaction: some twenty milliseconds on SQLite. */
export const PIECE_TERMS = 3000;

const PAGE = { version_id: 'int', url_key: 'bytes' } as const;
const stillQueued = batch(
  { ...PAGE, round: 'int' },
  `select q.url_key from index_queue q, {rows} r where q.version_id = r.version_id and q.url_key = r.url_key and q.round = r.round`,
);
const unqueue = batch(
  PAGE,
  `delete from index_queue where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);
const forget = batch(
  PAGE,
  `delete from search_pages where (version_id, url_key) in (select r.version_id, r.url_key from {rows} r)`,
);
const addSegment = `insert into search_segments (version_id, state, chunks, pages, page_sizes, form) values ($1, 4, $2, $3, $4, $5) returning id`;
const setState = `update search_segments set state = $2 where id = $1`;
const addPostings = batch(
  { term: 'text', chunks: 'int', postings: 'bytes' },
  `insert into search_postings (segment_id, term, chunks, postings) select $1, r.term, r.chunks, r.postings from {rows} r`,
  ['int'],
);
const addPlaces = batch(
  { version_id: 'int', url_key: 'bytes', segment_id: 'int', page: 'int' },
  `insert into search_pages (version_id, url_key, segment_id, page) select r.version_id, r.url_key, r.segment_id, r.page from {rows} r`,
);

/** Returns how many pages were taken off the queue. */
export async function indexPages(steps: WriteSteps, limit: number, counter: WordCounter): Promise<number> {
  for (;;) {
    const drafted = await draftPages(steps, limit, counter);
    if (drafted === null) return 0;
    const id = drafted.keys.length === 0 ? null : await fillSegment(steps, drafted);
    if (await steps.write((tx) => finish(tx, drafted, id))) return drafted.taken.length;
  }
}

async function fillSegment({ write }: WriteSteps, { version, draft }: DraftedPages): Promise<number> {
  const { chunks, pageSizes } = draft;
  const id = await write(async (tx) => {
    const row = [version, chunks, pageSizes.length, packSizes(pageSizes), indexForm];
    const [segment] = await tx.all<{ id: number }>(addSegment, row);
    if (segment === undefined) throw new Error('the segment was not stored');
    return segment.id;
  });
  try {
    for (const piece of inPieces(draft.terms())) await write((tx) => writeTerms(tx, id, piece));
  } catch (error) {
    // What was written so far is of no use. Where even that cannot be noted, whoever opens the file next does it.
    await write((tx) => tx.all(setState, [id, 3])).catch(() => undefined);
    throw error;
  }
  return id;
}

function* inPieces(terms: Iterable<SegmentTerm>): Generator<readonly SegmentTerm[]> {
  let piece: SegmentTerm[] = [];
  for (const term of terms) {
    piece.push(term);
    if (piece.length < PIECE_TERMS) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

export async function writeTerms(tx: Executor, segment: number, terms: readonly SegmentTerm[]): Promise<void> {
  await tx.each(
    addPostings,
    terms.map(({ term, count, bytes }): Value[] => [term, count, bytes]),
    [segment],
  );
}

/** False where a page was settled again or removed meanwhile: then nothing of the draft is used. */
async function finish(tx: Executor, { version, taken, keys }: DraftedPages, id: number | null): Promise<boolean> {
  const rows = taken.map((row): Value[] => [version, row.url_key, row.round]);
  const left = await tx.each(stillQueued, rows);
  if (left.length < taken.length) {
    if (id !== null) await tx.all(setState, [id, 3]);
    return false;
  }
  const pages = taken.map((row): Value[] => [version, row.url_key]);
  await tx.each(unqueue, pages);
  await tx.each(forget, pages);
  if (id === null) return true;
  await tx.each(
    addPlaces,
    keys.map((key, page): Value[] => [version, key, id, page]),
  );
  await tx.all(setState, [id, 1]);
  return true;
}
