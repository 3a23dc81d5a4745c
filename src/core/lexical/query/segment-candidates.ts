// Candidates from segments: reads the postings of the terms, generates the best pages, and leaves out those that a segment holds
// in an old form.

import { createLruCache } from '../../lru-cache.ts';
import type { CandidateIndex, CandidatePage, IndexQuery, PageScores } from './index-query.ts';
import type { ChunkPosition, PagePosition, SegmentReader } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import {
  appendSegments,
  chunksIn,
  NO_POSTINGS,
  sizeOf,
  type PageWeights,
  type TermPostings,
} from '../segment/term-postings.ts';
import type { VersionId } from '../../model/run.ts';
import { createFilterMasks } from './filter-masks.ts';
import { candidateWeights, generateCandidates, type SegmentCandidate } from './generate-candidates.ts';
import { conditionsOf, type ChunkConditions } from './search-filter.ts';
import { spellingRange } from './spelling.ts';

/** A reindexed page stays in its old segment until that is merged; extra candidates make up for such stale ones. */
const STALE_FACTOR = 3;
/** A search that met a compaction is repeated; it rarely meets a second one. */
const MAX_ATTEMPTS = 3;

/** Megabytes that decoded postings may take in memory, without a setting: in a browser. */
const CACHE_MB = 128;

/** Awaited before each access to the segments; rejects with the reason of a signal that has aborted. */
type CreateCheckpoint = (signal: AbortSignal | undefined) => () => Promise<void>;

const uninterrupted: CreateCheckpoint = (signal) => async () => signal?.throwIfAborted();

export function createSegmentCandidates(
  reader: SegmentReader,
  createCheckpoint: CreateCheckpoint = uninterrupted,
  cacheMb = CACHE_MB,
): CandidateIndex {
  const readPostings = createPostingCache(reader, candidateWeights, cacheMb * 1_000_000);
  const readMasks = createFilterMasks(reader);

  async function readTerms(
    versions: readonly VersionId[],
    terms: readonly string[],
    checkpoint: () => Promise<void>,
  ): Promise<{ readonly segments: readonly Segment[]; readonly postings: readonly TermPostings[] }> {
    await checkpoint();
    const segments = await reader.segments(versions);
    await checkpoint();
    return { segments, postings: await readPostings(segments, terms) };
  }

  /** `staleSegments` are those that candidates were lost from: their pages changed, or a compaction moved them in the meantime. */
  async function readOnce(
    { versions, terms, filter, pages, chunksPerPage }: IndexQuery,
    checkpoint: () => Promise<void>,
  ): Promise<{ readonly found: readonly CandidatePage[]; readonly staleSegments: readonly number[] }> {
    const words = terms.map(({ term }) => term);
    const { segments, postings } = await readTerms(versions, words, checkpoint);
    const weighted = postings.map((one, at) => ({ postings: one, weight: terms[at]?.weight ?? 0 }));
    await checkpoint();
    const { columns, chunks: conditions } = conditionsOf(filter ?? {});
    const masks = columns === undefined ? undefined : await readMasks(matching(segments, postings), columns);
    await checkpoint();
    const generate = (limit: number, chunks: number): readonly SegmentCandidate[] =>
      generateCandidates(segments, weighted, { pages: limit, chunksPerPage: chunks, masks });
    const { live, lost } =
      conditions === undefined
        ? await takeLive(reader, (limit) => generate(limit, chunksPerPage), pages)
        : await takeMatching(reader, (limit) => generate(limit, Infinity), conditions, {
            pages,
            chunksPerPage,
            checkpoint,
          });
    const stale = live.length === 0 ? segments.map(({ id }) => id) : lost.map(({ segment }) => segment);
    return { found: live, staleSegments: [...new Set(stale)] };
  }

  return {
    async frequencies(versions, terms, signal) {
      const { segments, postings } = await readTerms(versions, terms, createCheckpoint(signal));
      return frequenciesIn(segments, postings);
    },
    async candidates(query, signal) {
      const checkpoint = createCheckpoint(signal);
      for (let attempt = 1; ; attempt += 1) {
        const { found, staleSegments } = await readOnce(query, checkpoint);
        const isComplete = staleSegments.length === 0 || attempt === MAX_ATTEMPTS;
        if (isComplete || (await areSearched(reader, staleSegments))) return found;
      }
    },
    async suggest(versions, word) {
      const { prefix, length } = spellingRange(word);
      return reader.termsWithPrefix(versions, prefix, length);
    },
  };
}

function frequenciesIn(
  segments: readonly Segment[],
  postings: readonly TermPostings[],
): { readonly chunks: number; readonly docFrequencies: readonly number[] } {
  return {
    chunks: segments.reduce((sum, { chunks }) => sum + chunks, 0),
    docFrequencies: postings.map((one) => countChunks(one, segments)),
  };
}

function countChunks(postings: TermPostings, segments: readonly Segment[]): number {
  let chunks = 0;
  for (const { id } of segments) {
    const range = postings.ranges.get(id);
    if (range !== undefined) chunks += chunksIn(postings, range);
  }
  return chunks;
}

/** The segments that contain any of the terms. */
function matching(segments: readonly Segment[], postings: readonly TermPostings[]): readonly Segment[] {
  return segments.filter(({ id }) =>
    postings.some(({ ranges }) => {
      const range = ranges.get(id);
      return range !== undefined && range.from < range.to;
    }),
  );
}

interface TakenPages {
  readonly live: readonly CandidatePage[];
  readonly lost: readonly SegmentCandidate[];
}

async function takeLive(
  reader: SegmentReader,
  generate: (limit: number) => readonly SegmentCandidate[],
  limit: number,
): Promise<TakenPages> {
  const candidates = generate(limit);
  const taken = await refPages(reader, candidates);
  const { live, lost } = taken;
  if (lost.length === 0 || candidates.length < limit) return taken;
  const more = await refPages(reader, generate(limit + lost.length * STALE_FACTOR).slice(limit));
  return { live: [...live, ...more.live].slice(0, limit), lost: [...lost, ...more.lost] };
}

/** Pages that are compared with the store first, for each page that is wanted, and how many times as many each next time. */
const FIRST_DEPTH = 4;
const DEEPER = 4;
/** Compared at most: a page has some ten chunks, of which headings and symbols are read. */
const MAX_COMPARED_PAGES = 8000;

/** The best pages by those of their chunks that pass. */
async function takeMatching(
  reader: SegmentReader,
  generate: (limit: number) => readonly SegmentCandidate[],
  conditions: ChunkConditions,
  {
    pages,
    chunksPerPage,
    checkpoint,
  }: Pick<IndexQuery, 'pages' | 'chunksPerPage'> & { checkpoint: () => Promise<void> },
): Promise<TakenPages> {
  const lost: SegmentCandidate[] = [];
  let passing: readonly CandidatePage[] = [];
  for (let compared = 0, limit = pages * FIRST_DEPTH; ; limit *= DEEPER) {
    const candidates = generate(limit);
    const added = candidates.slice(compared);
    compared = candidates.length;
    const admitted = new Set((await reader.chunksMatching(added, conditions)).map(chunkKey));
    const taken = await refPages(
      reader,
      added.flatMap((candidate) => admittedPart(candidate, admitted, chunksPerPage)),
    );
    lost.push(...taken.lost);
    passing = [...passing, ...taken.live].sort((left, right) => right.score - left.score);
    // Without a filter a page scores at least as much as with one: those that follow cannot be better.
    const isSure = (passing[pages - 1]?.score ?? 0) >= (candidates.at(-1)?.score ?? 0);
    if (candidates.length < limit || isSure || limit >= MAX_COMPARED_PAGES)
      return { live: passing.slice(0, pages), lost };
    await checkpoint();
  }
}

function chunkKey({ segment, pageIndex, ordinal }: ChunkPosition): string {
  return `${segment} ${pageIndex} ${ordinal}`;
}

/** A candidate with the chunks that pass; none if there are none. */
function admittedPart(
  { chunks, ...page }: SegmentCandidate,
  admitted: ReadonlySet<string>,
  limit: number,
): readonly SegmentCandidate[] {
  const passing = chunks.filter(({ ordinal }) => admitted.has(chunkKey({ ...page, ordinal })));
  const [best] = passing;
  if (best === undefined) return [];
  return [{ ...page, score: best.score + candidateWeights.page * page.pageScore, chunks: passing.slice(0, limit) }];
}

async function areSearched(reader: SegmentReader, segmentIds: readonly number[]): Promise<boolean> {
  return (await reader.countSearched(segmentIds)) === segmentIds.length;
}

async function refPages(reader: SegmentReader, candidates: readonly SegmentCandidate[]): Promise<TakenPages> {
  const pages = await reader.pagesAt(candidates);
  const byPosition = new Map(pages.map((page) => [positionKey(page), page]));
  const live: CandidatePage[] = [];
  const lost: SegmentCandidate[] = [];
  for (const candidate of candidates) {
    const page = byPosition.get(positionKey(candidate));
    if (page === undefined) lost.push(candidate);
    else live.push({ version: page.version, url: page.url, ...scoresOf(candidate), chunks: candidate.chunks });
  }
  return { live, lost };
}

function positionKey({ segment, pageIndex }: PagePosition): string {
  return `${segment} ${pageIndex}`;
}

function scoresOf({ pageScore, coveredWeight, score }: SegmentCandidate): PageScores {
  return { pageScore, coveredWeight, score };
}

/** The postings of each term, in all of these segments at least. */
type ReadPostings = (segments: readonly Segment[], terms: readonly string[]) => Promise<readonly TermPostings[]>;

const MAX_TERMS = 100_000;
/** A term that has been read of so many segments that are no longer searched is read again. */
const MAX_DEAD_SEGMENTS = 1000;

/**
 * Decoded postings, kept in memory up to a size. Segments never change, so what was read of one stays true; a segment that is no
 * longer searched is not asked for, and its postings are dropped with their term.
 */
export function createPostingCache(
  reader: Pick<SegmentReader, 'postings' | 'countSearched'>,
  weights: PageWeights,
  maxBytes: number,
): ReadPostings {
  const cache = createLruCache<string, TermPostings>(MAX_TERMS, maxBytes);

  /** How many segments a term had when its dead ones were last counted. */
  const counted = new WeakMap<TermPostings, number>();

  /** A question about one source searches few segments, and the others are alive: so they are counted, and not again before there are more. */
  async function withoutDead(term: string, searched: number): Promise<TermPostings | undefined> {
    const known = cache.get(term);
    if (known === undefined || known.ranges.size <= Math.max(searched, counted.get(known) ?? 0) + MAX_DEAD_SEGMENTS)
      return known;
    const alive = await reader.countSearched([...known.ranges.keys()]);
    counted.set(known, known.ranges.size);
    return known.ranges.size > alive + MAX_DEAD_SEGMENTS ? undefined : known;
  }

  return async (segments, terms) => {
    const cached = await Promise.all(terms.map((term) => withoutDead(term, segments.length)));
    const missing = terms.map((_, at) => segments.filter(({ id }) => cached[at]?.ranges.has(id) !== true));
    const pairs = terms.flatMap((term, at) => (missing[at] ?? []).map(({ id }) => ({ segment: id, term })));
    const rows = pairs.length === 0 ? [] : await reader.postings(pairs);
    const byTerm = new Map(terms.map((term) => [term, new Map<number, Uint8Array>()]));
    for (const { segment, term, bytes } of rows) byTerm.get(term)?.set(segment, bytes);
    return terms.map((term, at) => {
      const known = cached[at];
      const added = missing[at] ?? [];
      if (known !== undefined && added.length === 0) return known;
      const bytesOf = byTerm.get(term);
      const read = added.map((segment) => ({ segment, bytes: bytesOf?.get(segment.id) ?? null }));
      const postings = appendSegments(known ?? NO_POSTINGS, read, weights);
      if (known !== undefined) counted.set(postings, counted.get(known) ?? 0);
      cache.set(term, postings, sizeOf(postings));
      return postings;
    });
  };
}
