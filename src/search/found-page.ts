// A page that a search found, as ranking sees it: one of its chunks stands for it.

import type { SourceId } from '../core/model/run.ts';
import type { RankCandidate } from '../core/rank/signals.ts';
import type { FoundChunk, SearchPlace } from '../store/port.ts';

export interface FoundPage extends RankCandidate {
  readonly best: FoundChunk;
  /** The page's other good chunks, best first. */
  readonly others: ReadonlyArray<{ readonly place: SearchPlace; readonly score: number }>;
  /** Its chunks among the nearest in meaning, nearest first, with their share of the way from the last of those to the first. */
  readonly near?: ReadonlyArray<{ readonly place: SearchPlace; readonly share: number }>;
}

/** What the sources are called. */
export type SourceNames = ReadonlyMap<SourceId, string>;

/** What words gave it. */
type WordScores = Pick<
  RankCandidate,
  'chunkScore' | 'secondScore' | 'thirdScore' | 'leadScore' | 'pageScore' | 'covered'
>;

export function foundPage(
  best: FoundChunk,
  others: FoundPage['others'],
  scores: WordScores,
  names: SourceNames,
): FoundPage {
  const { chunk, pageKind, source } = best;
  return {
    url: chunk.page.url,
    title: chunk.page.title,
    headings: chunk.headings,
    symbol: chunk.symbol,
    text: chunk.text,
    pageKind,
    pageChunks: chunk.page.chunks,
    ...scores,
    source: names.get(source) ?? '',
    best,
    others,
  };
}
