// Score fusion: combines lexical and dense results page by page.

import type { Sha256 } from '../core/model/hash.ts';
import { fusionWeights, type FusionWeights } from '../core/rank/fusion-weights.table.ts';
import { collapseCopies, rankPages, sourceViewsLast, type RankedPage } from '../core/rank/rank-pages.ts';
import type { FoundChunk } from '../core/lexical/query/index-reader.ts';
import type { NearestChunk } from '../store/port/vectors.ts';
import {
  lexicalScores,
  toFoundPage,
  type FoundPage,
  type RetrievalResult,
  type SourceNames,
} from '../core/rank/lexical-retrieval.ts';
import { compareText } from '../core/text/compare-text.ts';

export interface DenseResult {
  /** Best first. */
  readonly nearest: readonly NearestChunk[];
  /** Similarities of the texts that lexical retrieval found; a text without a vector has no entry. */
  readonly similarities: ReadonlyMap<Sha256, number>;
}

type Ranked = RankedPage<FoundPage>;

/** Pages that only dense retrieval found get the same signals as the others; then both lists are fused page by page. */
export function fuseResults(
  lexical: RetrievalResult,
  dense: DenseResult,
  names: SourceNames,
  weights: FusionWeights = fusionWeights,
): RetrievalResult {
  if (dense.nearest.length === 0) return lexical;
  const nearestByPage = Map.groupBy(dense.nearest, pageKey);
  const ranked = new Map(lexical.pages.map((page) => [pageKey(page.candidate.best), page]));
  // A copy of a page that lexical retrieval found is shown with that page, whichever of its chunks is near.
  const copies = new Set(lexical.pages.flatMap((page) => page.copies));
  const denseOnly = [...nearestByPage].flatMap(([key, nearest]) =>
    ranked.has(key) || copies.has(nearest[0]?.chunk.page.url ?? '') ? [] : denseOnlyPages(nearest, names),
  );
  for (const page of rankPages(lexical.query, denseOnly)) ranked.set(pageKey(page.candidate.best), page);
  const floor = dense.nearest.at(-1)?.similarity ?? -1;
  const fused = fuse(
    [...ranked].map(([key, { score }]) => ({ key, score: Math.max(0, score) })),
    [...ranked].map(([key, page]) => ({
      key,
      score: pageSimilarity(similaritiesOf(page, nearestByPage.get(key), dense), floor, weights),
    })),
    weights,
  );
  const pages = fused.flatMap(({ key, score }): Ranked[] => {
    const page = ranked.get(key);
    if (page === undefined) return [];
    const similarities = similarityShares(nearestByPage.get(key) ?? [], dense.nearest);
    return [{ ...page, score, candidate: { ...page.candidate, similarities } }];
  });
  return { ...lexical, pages: sourceViewsLast(collapseCopies(pages)) };
}

function pageKey({ chunk }: FoundChunk): string {
  return `${chunk.page.version} ${chunk.page.url}`;
}

/** The known similarities of a page: its chunks among the nearest, and the chunk that lexical retrieval found. */
function similaritiesOf(
  { candidate }: Ranked,
  nearest: readonly NearestChunk[] = [],
  dense: DenseResult,
): ChunkSimilarity[] {
  const { ordinal: bestOrdinal, contentHash } = candidate.best.chunk;
  const similarities = nearest.map(({ chunk: { ordinal }, similarity }) => ({ ordinal, similarity }));
  const best = dense.similarities.get(contentHash);
  const isNew = best !== undefined && similarities.every(({ ordinal }) => ordinal !== bestOrdinal);
  return isNew ? [...similarities, { ordinal: bestOrdinal, similarity: best }] : similarities;
}

/** From 0 for the last of all nearest chunks to 1 for the first. */
function similarityShares(
  ofPage: readonly NearestChunk[],
  all: readonly NearestChunk[],
): NonNullable<FoundPage['similarities']> {
  const floor = all.at(-1)?.similarity ?? 0;
  const span = Math.max(1e-6, (all[0]?.similarity ?? 0) - floor);
  return ofPage.map(({ chunk: { ordinal }, similarity }) => ({ ordinal, share: (similarity - floor) / span }));
}

/** A page that lexical retrieval did not find, represented by its nearest chunk. */
function denseOnlyPages(nearest: readonly NearestChunk[], names: SourceNames): FoundPage[] {
  const [best] = nearest;
  if (best === undefined) return [];
  const others = nearest.slice(1).map(({ chunk: { ordinal }, similarity }) => ({ ordinal, score: similarity }));
  return [toFoundPage(best, others, NO_LEXICAL_SCORES, names)];
}

const NO_LEXICAL_SCORES = lexicalScores({ chunks: [], pageScore: 0, coveredWeight: 0 });

export interface Scored {
  /** Identifies a page in both lists. */
  readonly key: string;
  /** Lexical: any positive number. Dense: cosine similarity, -1 to 1. Higher is better. */
  readonly score: number;
}

interface Fused {
  readonly key: string;
  /** 0 to 1. */
  readonly score: number;
  /** What each list contributed to the score. */
  readonly parts: { readonly lexical: number; readonly dense: number };
}

/**
 * Adds scores instead of ranks, because the distance between the first and the second is information. The lexical part is
 * the share of the best lexical score, the dense part the share of the best similarity above a floor. A key that one list
 * lacks gets nothing from it, so the similarity of lexical results is passed in too where it is known.
 *
 * The lists need no order. With an empty `dense` the order is lexical. Equal scores are ordered by key, so that the same
 * lists give the same result on every engine.
 */
export function fuse(
  lexical: readonly Scored[],
  dense: readonly Scored[],
  weights: FusionWeights = fusionWeights,
): Fused[] {
  const denseShare = dense.length === 0 ? 0 : weights.dense;
  const lexicalParts = shares(lexical, 0, 1 - denseShare);
  const denseParts = shares(dense, weights.denseFloor, denseShare);
  const keys = new Set([...lexicalParts.keys(), ...denseParts.keys()]);
  const fused = [...keys].map((key): Fused => {
    const parts = { lexical: lexicalParts.get(key) ?? 0, dense: denseParts.get(key) ?? 0 };
    return { key, score: parts.lexical + parts.dense, parts };
  });
  return fused.sort((left, right) => right.score - left.score || compareText(left.key, right.key));
}

/** The best of a list gets all of `weight`; a key that occurs twice keeps its better score. */
function shares(list: readonly Scored[], floor: number, weight: number): Map<string, number> {
  let best = 0;
  for (const { score } of list) best = Math.max(best, score - floor);
  const parts = new Map<string, number>();
  for (const { key, score } of list) {
    const part = best === 0 ? 0 : (weight * Math.max(0, score - floor)) / best;
    parts.set(key, Math.max(part, parts.get(key) ?? 0));
  }
  return parts;
}

interface ChunkSimilarity {
  /** Index of the chunk on its page. */
  readonly ordinal: number;
  readonly similarity: number;
}

/** A page says what it is about in its first chunks. */
const LEAD_CHUNKS = 2;
const TOP_CHUNKS = 3;

/**
 * The similarity of a page to the query: its best chunk, its three best and its start, because one chunk may be similar by
 * chance. Chunks of unknown similarity count as `floor`, that of the last known one. A page without any known chunk gets -1.
 */
export function pageSimilarity(chunks: readonly ChunkSimilarity[], floor: number, weights: FusionWeights): number {
  if (chunks.length === 0) return -1;
  const ordered = chunks.map(({ similarity }) => similarity).sort((left, right) => right - left);
  const best = ordered[0] ?? floor;
  let topThree = 0;
  for (let nth = 0; nth < TOP_CHUNKS; nth += 1) topThree += Math.max(floor, ordered[nth] ?? floor) / TOP_CHUNKS;
  const leads = chunks.filter(({ ordinal }) => ordinal < LEAD_CHUNKS).map(({ similarity }) => similarity);
  const lead = Math.max(floor, ...leads);
  return (1 - weights.topThree - weights.lead) * best + weights.topThree * topThree + weights.lead * lead;
}
