// The passages of an answer: packs ranked pages into the token budget, and says where each passage comes from.

import type { ChunkReader } from '../lexical/query/index-reader.ts';
import type { SourceId } from '../model/run.ts';
import { isWeak } from '../rank/confidence.ts';
import type { FoundPage, RetrievalResult, SourceNames } from '../rank/lexical-retrieval.ts';
import type { RankedPage } from '../rank/rank-pages.ts';
import { rankWeights, signalNames } from '../rank/rank-weights.table.ts';
import { answerWeights, featureNames } from './answer-weights.table.ts';
import { MAX_PASSAGES } from './order-parts.ts';
import { packAnswer, type MergedPassage } from './pack-answer.ts';
import { loadPassageCandidates, type SearchedSource } from './passage-candidates.ts';

export interface Passage {
  readonly source: string;
  readonly version: string;
  /** Version that the site declares for the documented product; null if none. */
  readonly declaredVersion: string | null;
  readonly url: string;
  readonly title: string;
  readonly headings: string[];
  readonly lines: { readonly first: number; readonly last: number };
  readonly checkedAt: string;
  readonly isImported?: true | undefined;
  readonly chunkId: string;
  readonly text: string;
  /** Whether the section has more text than this. */
  readonly isPartial: boolean;
  /** Only with `explain`. */
  readonly explanation?: ScoreExplanation;
}

/** `score`, and what each signal or feature contributed to it; those that contributed nothing are left out. */
export interface ScoreExplanation {
  /** Signals of the page among all pages. */
  readonly page: Record<string, number>;
  /** Features of the passage's best part among all parts of the candidate pages. */
  readonly passage: Record<string, number>;
}

export interface AnswerLimits {
  readonly sources: readonly SearchedSource[];
  /** Tokens of the whole answer. */
  readonly budget: number;
  /** Maximum number of passages. */
  readonly limit: number;
  /** Where to continue: the `nextOffset` of an earlier answer. */
  readonly offset: number;
  /** Uses up the budget, however unlikely it is that what is left adds anything; for measurements. */
  readonly fill?: boolean | undefined;
}

export interface PassageAnswer {
  /** By page, the page with the best passage first, of packages the best page; the best passage first on each page. */
  readonly passages: Passage[];
  /** How likely it is that the library answers the query, from 0 to 1; null if it cannot be estimated. */
  readonly confidence: number | null;
  /** Whether it is so unlikely that the passages are only the nearest ones. */
  readonly isWeak: boolean;
  /** Tokens of the passages as Markdown. */
  readonly tokens: number;
  /** Offset of the next part of the answer; null if there is none. */
  readonly nextOffset: number | null;
}

/** Pages whose passages compete for a place in one answer. */
const WINDOW_PAGES = 8;
/** An offset counts passages; a window has at most as many. */
const WINDOW_PASSAGES = MAX_PASSAGES * WINDOW_PAGES;

/** Packs the best pages into the budget; once all their passages were shown, the next ones. */
export async function answerPassages(
  chunkReader: ChunkReader,
  { query, pages, confidence }: RetrievalResult,
  { sources, budget, limit, offset, fill = false, explain = false }: AnswerLimits & { readonly explain?: boolean },
): Promise<PassageAnswer> {
  const window = Math.floor(offset / WINDOW_PASSAGES);
  const shownPages = pages.slice(window * WINDOW_PAGES, (window + 1) * WINDOW_PAGES);
  const candidates = await loadPassageCandidates(chunkReader, query, shownPages, sources);
  const packed = packAnswer(query, candidates, { budget, limit, skip: offset % WINDOW_PASSAGES, fill });
  const hasMorePages = pages.length > (window + 1) * WINDOW_PAGES;
  const passages = packed.passages.map(({ page, best, ...passage }): Passage => {
    const ranked = explain ? shownPages[page] : undefined;
    return {
      ...passage,
      headings: [...passage.headings],
      ...(ranked === undefined ? {} : { explanation: explainScore(ranked, best) }),
    };
  });
  const next = packed.hasMore ? offset + passages.length : hasMorePages ? (window + 1) * WINDOW_PASSAGES : null;
  return {
    passages,
    confidence,
    isWeak: confidence !== null && isWeak(confidence),
    tokens: packed.tokens,
    nextOffset: passages.length === 0 ? null : next,
  };
}

export function sourceNamesById(sources: ReadonlyArray<Pick<SearchedSource, 'id' | 'name'>>): SourceNames {
  return new Map<SourceId, string>(sources.map(({ id, name }) => [id, name]));
}

function explainScore(page: RankedPage<FoundPage>, best: MergedPassage['best']): ScoreExplanation {
  return {
    page: contributions(signalNames, page.signals, rankWeights, page.score),
    passage: contributions(featureNames, best.features, answerWeights, best.score),
  };
}

function contributions<Name extends string>(
  names: readonly Name[],
  values: Readonly<Record<Name, number>>,
  weights: Readonly<Record<Name, number>>,
  score: number,
): Record<string, number> {
  const parts = names.map((name) => [name, round(weights[name] * values[name])] as const);
  return { score: round(score), ...Object.fromEntries(parts.filter(([, part]) => part !== 0)) };
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
