// Reranks the first pages by the word vectors of the query and of their chunks: pages that say the same in other words gain.

import type { ChunkReader, FoundChunk } from '../lexical/query/index-reader.ts';
import { chunkSimilarity, type QueryVector } from '../vector/word-vectors.ts';
import { orderPages, sourceViewsLast, weightedSum, type RankCandidate, type RankedPage } from './rank-pages.ts';
import { rankWeights, type Signals } from './rank-weights.table.ts';

/** Pages that are compared; the others stay behind them, in their order. */
const COMPARED_PAGES = 20;
/** Chunks at the start of a page, where it says what it is about. */
export const LEAD_CHUNKS = 2;
/** Chunks of a page that fit the query best by its words. */
const BEST_CHUNKS = 6;

interface ComparedPage extends RankCandidate {
  readonly best: Pick<FoundChunk, 'chunk'>;
  /** The other matching chunks of the page, best first. */
  readonly others: ReadonlyArray<{ readonly ordinal: number }>;
}

export async function rankByMeaning<Page extends ComparedPage>(
  reader: Pick<ChunkReader, 'wordVectors'>,
  query: QueryVector,
  pages: ReadonlyArray<RankedPage<Page>>,
  weights: Signals = rankWeights,
): Promise<ReadonlyArray<RankedPage<Page>>> {
  const compared = pages.slice(0, COMPARED_PAGES).map((page) => ({ page, similarities: new Map<number, number>() }));
  const wanted = compared.flatMap((of) => {
    const { version, url } = of.page.candidate.best.chunk.page;
    return comparedOrdinals(of.page.candidate).map((ordinal) => ({ of, ref: { version, url, ordinal } }));
  });
  for (const { at, vector } of await reader.wordVectors(wanted.map(({ ref }) => ref))) {
    const found = wanted[at];
    found?.of.similarities.set(found.ref.ordinal, chunkSimilarity(query, vector));
  }
  const ranked = compared.map(({ page, similarities }) => {
    const signals = { ...page.signals, ...meaningSignals(similarities) };
    return { ...page, signals, score: weightedSum(signals, weights) };
  });
  return sourceViewsLast([...orderPages(ranked), ...pages.slice(COMPARED_PAGES)]);
}

function comparedOrdinals({ best, others, pageChunks }: ComparedPage): number[] {
  const byWords = [best.chunk.ordinal, ...others.map(({ ordinal }) => ordinal)].slice(0, BEST_CHUNKS);
  const lead = Array.from({ length: Math.min(LEAD_CHUNKS, pageChunks) }, (_, ordinal) => ordinal);
  return [...new Set([...lead, ...byWords])];
}

/** The nearest chunk at the start of the page, and the nearest of all that were compared. A page without vectors has neither. */
function meaningSignals(similarities: ReadonlyMap<number, number>): Pick<Signals, 'meaningLead' | 'meaningBest'> {
  const lead = [...similarities].filter(([ordinal]) => ordinal < LEAD_CHUNKS).map(([, similarity]) => similarity);
  return { meaningLead: Math.max(0, ...lead), meaningBest: Math.max(0, ...similarities.values()) };
}
