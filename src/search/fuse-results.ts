// Joins what words found with what vectors found. Pages that only vectors found get the same signals as the others; then both
// lists are fused, page by page.

import { fuse } from '../core/rank/fuse.ts';
import { rankPages, type RankedPage } from '../core/rank/rank-pages.ts';
import { pageSimilarity, type NearPlace } from '../core/rank/page-similarity.ts';
import { fusionWeights, type FusionWeights } from '../core/rank/fusion-weights.table.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { FoundChunk, NearChunk } from '../store/port.ts';
import { wordScores, type Findings } from './lexical-retrieval.ts';
import { foundPage, type FoundPage, type SourceNames } from './found-page.ts';

export interface DenseFindings {
  /** Best first. */
  readonly near: readonly NearChunk[];
  /** Of texts that words found; without an entry where a text has no vector. */
  readonly similarities: ReadonlyMap<Sha256, number>;
}

type Ranked = RankedPage<FoundPage>;

export function fuseFindings(
  findings: Findings,
  dense: DenseFindings,
  names: SourceNames,
  weights: FusionWeights = fusionWeights,
): Findings {
  if (dense.near.length === 0) return findings;
  const nearOf = Map.groupBy(dense.near, keyOf);
  const known = new Map(findings.pages.map((page) => [keyOf(page.candidate.best), page]));
  const newcomers = [...nearOf].flatMap(([key, near]) => (known.has(key) ? [] : candidatesOf(near, names)));
  for (const page of rankPages(findings.question, newcomers)) known.set(keyOf(page.candidate.best), page);
  const least = dense.near.at(-1)?.similarity ?? -1;
  const fused = fuse(
    [...known].map(([key, { score }]) => ({ key, score: Math.max(0, score) })),
    [...known].map(([key, page]) => ({
      key,
      score: pageSimilarity(placesOf(page, nearOf.get(key), dense), least, weights),
    })),
    weights,
  );
  const pages = fused.flatMap(({ key, score }): Ranked[] => {
    const page = known.get(key);
    if (page === undefined) return [];
    const near = sharesOf(nearOf.get(key) ?? [], dense.near);
    return [{ ...page, score, candidate: { ...page.candidate, near } }];
  });
  return { ...findings, pages };
}

function keyOf({ chunk }: FoundChunk): string {
  return `${chunk.page.version} ${chunk.page.url}`;
}

/** What is known of a page: its chunks among the nearest, and the one that words found. */
function placesOf({ candidate }: Ranked, near: readonly NearChunk[] = [], dense: DenseFindings): NearPlace[] {
  const { place, chunk } = candidate.best;
  const known = near.map(({ place: { position }, similarity }) => ({ position, similarity }));
  const best = dense.similarities.get(chunk.contentHash);
  const isNew = best !== undefined && known.every(({ position }) => position !== place.position);
  return isNew ? [...known, { position: place.position, similarity: best }] : known;
}

/** From 0 for the last of all that are near to 1 for the first. */
function sharesOf(own: readonly NearChunk[], all: readonly NearChunk[]): NonNullable<FoundPage['near']> {
  const least = all.at(-1)?.similarity ?? 0;
  const span = Math.max(1e-6, (all[0]?.similarity ?? 0) - least);
  return own.map(({ place, similarity }) => ({ place, share: (similarity - least) / span }));
}

/** A page that no word of the question found: its nearest chunk stands for it. */
function candidatesOf(near: readonly NearChunk[], names: SourceNames): FoundPage[] {
  const [best] = near;
  if (best === undefined) return [];
  const others = near.slice(1).map(({ place, similarity }) => ({ place, score: similarity }));
  return [foundPage(best, others, NO_WORDS, names)];
}

const NO_WORDS = wordScores({ chunks: [], pageScore: 0, covered: 0 });
