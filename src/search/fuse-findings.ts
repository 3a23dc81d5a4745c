// Joins what words found with what vectors found. Pages that only vectors found get the same signals as the others; then both
// lists are fused, page by page.

import { fuse } from '../core/rank/fuse.ts';
import { rankPages, type RankedPage } from '../core/rank/rank-pages.ts';
import type { FusionWeights } from '../core/rank/fusion-weights.table.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { FoundChunk, NearChunk } from '../store/port.ts';
import { wordScores, type Findings } from './find-pages.ts';
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
  weights?: FusionWeights,
): Findings {
  if (dense.near.length === 0) return findings;
  const nearOf = Map.groupBy(dense.near, keyOf);
  const known = new Map(findings.pages.map((page) => [keyOf(page.candidate.best), page]));
  const newcomers = [...nearOf].flatMap(([key, near]) => (known.has(key) ? [] : candidatesOf(near, names)));
  for (const page of rankPages(findings.question, newcomers)) known.set(keyOf(page.candidate.best), page);
  const fused = fuse(
    [...known].map(([key, { score }]) => ({ key, score: Math.max(0, score) })),
    [...known].map(([key, page]) => ({ key, score: similarityOf(page, nearOf.get(key), dense) })),
    weights,
  );
  const pages = fused.flatMap(({ key, score }): Ranked[] => {
    const page = known.get(key);
    return page === undefined ? [] : [{ ...page, score }];
  });
  return { ...findings, pages };
}

function keyOf({ chunk }: FoundChunk): string {
  return `${chunk.page.version} ${chunk.page.url}`;
}

function similarityOf({ candidate }: Ranked, near: readonly NearChunk[] | undefined, dense: DenseFindings): number {
  const best = dense.similarities.get(candidate.best.chunk.contentHash) ?? -1;
  return Math.max(best, near?.[0]?.similarity ?? -1);
}

/** A page that no word of the question found: its nearest chunk stands for it. */
function candidatesOf(near: readonly NearChunk[], names: SourceNames): FoundPage[] {
  const [best] = near;
  if (best === undefined) return [];
  const others = near.slice(1).map(({ place, similarity }) => ({ place, score: similarity }));
  return [foundPage(best, others, NO_WORDS, names)];
}

const NO_WORDS = wordScores({ chunks: [], pageScore: 0, covered: 0 });
