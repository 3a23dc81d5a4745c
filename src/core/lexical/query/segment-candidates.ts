// Candidates from segments: reads the postings of the terms, generates the best pages, and leaves out those that a segment holds
// in an old form.

import type { CandidateIndex, CandidatePage, Candidates, IndexQuery, PageScores } from './index-query.ts';
import type { PagePosition, SegmentReader } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import { chunksIn, type TermPostings } from '../segment/term-postings.ts';
import { createFilterMasks } from './filter-masks.ts';
import { candidateWeights, generateCandidates, type SegmentCandidate } from './generate-candidates.ts';
import { idf } from './parsed-query.ts';
import { createPostingCache } from './posting-cache.ts';
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

  /** `staleSegments` are those that candidates were lost from: their pages changed, or a compaction moved them meanwhile. */
  async function readOnce(
    { versions, terms, filter, pages, chunksPerPage }: IndexQuery,
    checkpoint: () => Promise<void>,
  ): Promise<Candidates & { readonly staleSegments: readonly number[] }> {
    await checkpoint();
    const segments = await reader.segments(versions);
    const total = segments.reduce((sum, { chunks }) => sum + chunks, 0);
    const words = terms.map(({ term }) => term);
    await checkpoint();
    const postings = await readPostings(segments, words);
    const docFrequencies = postings.map((one) => countChunks(one, segments));
    const weighted = postings.map((one, at) => {
      const weight = (terms[at]?.weight ?? 0) * idf(docFrequencies[at] ?? 0, total);
      return { postings: one, weight };
    });
    await checkpoint();
    const masks = filter === undefined ? undefined : await readMasks(matching(segments, postings), filter);
    await checkpoint();
    const generate = (limit: number): readonly SegmentCandidate[] =>
      generateCandidates(segments, weighted, { pages: limit, chunksPerPage, masks });
    const { live, lost } = await takeLive(reader, generate, pages);
    const staleSegments =
      live.length === 0 ? segments.map(({ id }) => id) : [...new Set(lost.map(({ segment }) => segment))];
    return { chunks: total, docFrequencies, pages: live, staleSegments };
  }

  return {
    async candidates(query, signal) {
      const checkpoint = createCheckpoint(signal);
      for (let attempt = 1; ; attempt += 1) {
        const { staleSegments, ...candidates } = await readOnce(query, checkpoint);
        if (staleSegments.length === 0 || attempt === MAX_ATTEMPTS || (await reader.areSearched(staleSegments)))
          return candidates;
      }
    },
    async suggest(versions, word) {
      const { prefix, length } = spellingRange(word);
      return reader.termsWithPrefix(versions, prefix, length);
    },
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
  const taken = await placePages(reader, candidates);
  const { live, lost } = taken;
  if (lost.length === 0 || candidates.length < limit) return taken;
  const more = await placePages(reader, generate(limit + lost.length * STALE_FACTOR).slice(limit));
  return { live: [...live, ...more.live].slice(0, limit), lost: [...lost, ...more.lost] };
}

async function placePages(reader: SegmentReader, candidates: readonly SegmentCandidate[]): Promise<TakenPages> {
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
