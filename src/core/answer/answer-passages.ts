// The passages of an answer: packs ranked pages into the token budget, and says where each passage comes from.

import type { IndexReader } from '../lexical/segment/index-reader.ts';
import type { SourceId } from '../model/run.ts';
import type { FoundPage, RetrievalResult, SourceNames } from '../rank/lexical-retrieval.ts';
import type { RankedPage } from '../rank/rank-pages.ts';
import { rankWeights, signalNames } from '../rank/rank-weights.table.ts';
import { chunkUrl, type AnswerPage } from './answer-page.ts';
import { packAnswer, type PackedAnswer } from './pack-answer.ts';
import { loadPassageCandidates, type SearchedSource } from './passage-candidates.ts';

export interface Passage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
  readonly title: string;
  readonly headings: string[];
  readonly lines: { readonly first: number; readonly last: number };
  readonly checkedAt: string;
  readonly chunk: string;
  readonly text: string;
  /** What each signal contributed to the page's score; only with `explain`. */
  readonly why?: Record<string, number>;
}

export interface AnswerLimits {
  readonly sources: readonly SearchedSource[];
  /** Tokens of the whole answer. */
  readonly budget: number;
  /** Maximum number of passages. */
  readonly limit: number;
  /** Pages to skip: the `next` of an earlier answer. */
  readonly offset: number;
}

export interface PassageAnswer {
  readonly passages: Passage[];
  readonly tokens: number;
  /** Offset of the next part of the answer; null if there is none. */
  readonly next: number | null;
}

export async function answerPassages(
  index: IndexReader,
  results: RetrievalResult,
  options: AnswerLimits & { readonly explain: boolean },
): Promise<PassageAnswer> {
  const { pages, tokens, used } = await packResults(index, results, options);
  const ranked = new Map(results.pages.map((page) => [page.candidate.url, page]));
  const passages = pages.flatMap((page) => toPassages(page, options.explain ? ranked.get(page.url) : undefined));
  const next = options.offset + used;
  return {
    passages: passages.slice(0, options.limit),
    tokens,
    next: used > 0 && next < results.pages.length ? next : null,
  };
}

/** Pages that contribute passages to one answer. */
const MAX_ANSWER_PAGES = 8;

/** Packs the results from `offset` on into the budget. */
export async function packResults(
  index: IndexReader,
  { query, pages }: RetrievalResult,
  { sources, budget, limit, offset }: AnswerLimits,
): Promise<PackedAnswer> {
  const answerPages = pages.slice(offset, offset + Math.min(MAX_ANSWER_PAGES, limit));
  return packAnswer(query, await loadPassageCandidates(index, query, answerPages, { sources, budget }), budget);
}

export function sourceNamesById(sources: ReadonlyArray<Pick<SearchedSource, 'id' | 'name'>>): SourceNames {
  return new Map<SourceId, string>(sources.map(({ id, name }) => [id, name]));
}

function toPassages(page: AnswerPage, ranked: RankedPage<FoundPage> | undefined): Passage[] {
  const { source, version, title, checkedAt } = page;
  const why = ranked === undefined ? {} : { why: explainScore(ranked) };
  return page.passages.map(({ anchor, headings, ...passage }) => {
    const url = chunkUrl(page.url, anchor);
    return { source, version, url, title, checkedAt, headings: [...headings], ...passage, ...why };
  });
}

function explainScore({ signals, score }: RankedPage<FoundPage>): Record<string, number> {
  const parts = signalNames.map((name) => [name, round(rankWeights[name] * signals[name])] as const);
  return { score: round(score), ...Object.fromEntries(parts.filter(([, part]) => part !== 0)) };
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
