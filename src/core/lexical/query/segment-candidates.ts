// Candidates from segments: reads the postings of the terms, generates the best pages, and leaves out those that a segment holds
// in an old form.

import type { CandidateIndex, CandidatePage, Candidates, IndexQuery, PageScores } from './index-query.ts';
import type { FoundPostings, PagePosition, SegmentReader } from '../segment/segment-reader.ts';
import { candidateWeights, generateCandidates, type SegmentCandidate } from './generate-candidates.ts';
import { idf } from './parsed-query.ts';
import { spellingRange } from './spelling.ts';

/** A reindexed page stays in its old segment until that is merged; extra candidates make up for such stale ones. */
const STALE_FACTOR = 3;
/** A search that met a compaction is repeated; it rarely meets a second one. */
const MAX_ATTEMPTS = 3;

export function createSegmentCandidates(reader: SegmentReader): CandidateIndex {
  return {
    async candidates(query) {
      for (let attempt = 1; ; attempt += 1) {
        const { staleSegments, ...candidates } = await readOnce(reader, query);
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

/** `staleSegments` are those that candidates were lost from: their pages changed, or a compaction moved them meanwhile. */
async function readOnce(
  reader: SegmentReader,
  { versions, terms, filter, pages, chunksPerPage }: IndexQuery,
): Promise<Candidates & { readonly staleSegments: readonly number[] }> {
  const found = await reader.postings(
    versions,
    terms.map(({ term }) => term),
  );
  const termWeights = terms.map(({ weight }, at) => weight * idf(found.docFrequencies[at] ?? 0, found.chunks));
  const admitted = filter === undefined ? undefined : await filterMasks(reader, { versions, filter }, found.segments);
  const generate = (limit: number): readonly SegmentCandidate[] =>
    generateCandidates(found.segments, termWeights, {
      weights: candidateWeights,
      pages: limit,
      chunksPerPage,
      admitted,
    });
  const { live, lost } = await takeLive(reader, generate, pages);
  const staleSegments = live.length === 0 ? found.segmentIds : [...new Set(lost.map(({ segment }) => segment))];
  return { chunks: found.chunks, docFrequencies: found.docFrequencies, pages: live, staleSegments };
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

async function filterMasks(
  reader: SegmentReader,
  { versions, filter }: Required<Pick<IndexQuery, 'versions'>> & { readonly filter: NonNullable<IndexQuery['filter']> },
  segments: FoundPostings['segments'],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const shapes = new Map(segments.map((segment) => [segment.id, segment]));
  const masks = new Map<number, Uint8Array>();
  for (const { segment, pageIndex, ordinal } of await reader.positionsMatching(versions, filter)) {
    const shape = shapes.get(segment);
    if (shape === undefined) continue;
    const mask = masks.get(segment) ?? new Uint8Array(shape.chunks);
    masks.set(segment, mask);
    mask[(shape.pageStarts[pageIndex] ?? 0) + ordinal] = 1;
  }
  return masks;
}
