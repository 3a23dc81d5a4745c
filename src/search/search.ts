// The read path: which versions, which pages, which passages, and what fits.

import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import type { ChunkKind } from '../core/model/chunk.ts';
import type { SourceId, VersionId } from '../core/model/run.ts';
import { nearTitles } from '../core/model/did-you-mean.ts';
import { assemble, type Assembled } from '../core/answer/pack-answer.ts';
import type { RankedPage } from '../core/rank/rank-pages.ts';
import { rankWeights } from '../core/rank/rank-weights.table.ts';
import { chunkUrl, type AnswerPage } from '../core/answer/answer-page.ts';
import { signalNames } from '../core/rank/signals.ts';
import type { SearchRows, Source, Store } from '../store/port.ts';
import type { DenseLook } from './dense-retrieval.ts';
import { fuseFindings } from './fuse-results.ts';
import { findPages, type Findings } from './lexical-retrieval.ts';
import type { FoundPage } from './found-page.ts';
import { pageOffers } from './passage-candidates.ts';
import { scopedVersions } from './search-sources.ts';
import type { Correction } from './second-chance.ts';

export interface SearchQuestion {
  readonly query: string;
  readonly source?: string | undefined;
  /** A label, a range, or `latest`. */
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  readonly kind?: ChunkKind | undefined;
  readonly heading?: string | undefined;
  readonly symbol?: string | undefined;
  /** Passages at most. */
  readonly limit: number;
  /** Tokens of the whole answer. */
  readonly budget: number;
  /** Pages to pass over: what an earlier answer gave as `next`. */
  readonly offset: number;
  readonly explain: boolean;
}

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
  /** What each reason gave to the page's score; only where it was asked for. */
  readonly why?: Record<string, number>;
}

export interface SearchAnswer {
  /** What answered: words alone, or words and vectors. */
  readonly mode: 'lexical' | 'hybrid';
  /** Names of the sources that were searched. */
  readonly searched: string[];
  readonly passages: Passage[];
  readonly tokens: number;
  /** Where to go on, or null when there is nothing more. */
  readonly next: number | null;
  readonly corrections: Correction[];
  /** Titles that come near, where nothing was found. */
  readonly near: string[];
}

export type Search = (question: SearchQuestion) => Promise<SearchAnswer>;

/** Pages that may give passages to one answer. */
const OFFERED = 8;

export function createSearch(store: Store, denseLook: DenseLook | null = null): Search {
  const rows = store.searchRows;
  return async (asked) => {
    const scoped = await scopedVersions(store, asked);
    const versions = scoped.map(({ version }) => version.id);
    const sources = scoped.map(({ source }) => source);
    const filter = filterOf(asked);
    const names = namesOf(sources);
    const found = await findPages(rows, asked.query, { versions, filter, names });
    const dense = (await denseLook?.(asked.query, found, { versions, filter: filter ?? {} })) ?? null;
    const findings = dense === null ? found : fuseFindings(found, dense, names);
    const { pages, tokens, used } = await answerFrom(rows, findings, { ...asked, sources });
    const ranked = new Map(findings.pages.map((page) => [page.candidate.url, page]));
    const passages = pages.flatMap((page) => passagesOf(page, asked.explain ? ranked.get(page.url) : undefined));
    const next = asked.offset + used;
    return {
      mode: dense === null ? 'lexical' : 'hybrid',
      searched: [...new Set(sources.map(({ name }) => name))],
      passages: passages.slice(0, asked.limit),
      tokens,
      next: used > 0 && next < findings.pages.length ? next : null,
      corrections: [...findings.corrections],
      near: passages.length > 0 ? [] : await nearTitlesOf(store, asked.query, versions),
    };
  };
}

/** Titles that are looked through where nothing was found, of all versions together. */
const TITLES = 4000;

async function nearTitlesOf(store: Store, query: string, versions: readonly VersionId[]): Promise<string[]> {
  const titles = await store.pages.titles(versions, Math.ceil(TITLES / Math.max(1, versions.length)));
  return nearTitles(
    query,
    titles.map(({ title }) => title),
  );
}

export interface AnswerSize {
  readonly sources: readonly Source[];
  readonly budget: number;
  readonly limit: number;
  readonly offset: number;
}

/** The part of the findings that begins at `offset` and fits. */
export async function answerFrom(
  rows: SearchRows,
  { question, pages }: Findings,
  { sources, budget, limit, offset }: AnswerSize,
): Promise<Assembled> {
  const offered = pages.slice(offset, offset + Math.min(OFFERED, limit));
  return assemble(question, await pageOffers(rows, question, offered, { sources, budget }), budget);
}

function passagesOf(page: AnswerPage, ranked: RankedPage<FoundPage> | undefined): Passage[] {
  const { source, version, title, checkedAt } = page;
  const why = ranked === undefined ? {} : { why: reasonsOf(ranked) };
  return page.passages.map(({ anchor, headings, ...passage }) => {
    const url = chunkUrl(page.url, anchor);
    return { source, version, url, title, checkedAt, headings: [...headings], ...passage, ...why };
  });
}

/** What the sources are called, by their ids. */
export function namesOf(sources: readonly Source[]): ReadonlyMap<SourceId, string> {
  return new Map(sources.map(({ id, name }) => [id, name]));
}

function filterOf({ path, kind, heading, symbol }: SearchQuestion): SearchFilter | undefined {
  if (path === undefined && kind === undefined && heading === undefined && symbol === undefined) return undefined;
  return {
    ...(path === undefined ? {} : { pathPrefix: path }),
    ...(kind === undefined ? {} : { kinds: [kind] }),
    ...(heading === undefined ? {} : { headingPrefix: heading }),
    ...(symbol === undefined ? {} : { symbolPrefix: symbol }),
  };
}

function reasonsOf({ signals, score }: RankedPage<FoundPage>): Record<string, number> {
  const parts = signalNames.map((name) => [name, round(rankWeights[name] * signals[name])] as const);
  return { score: round(score), ...Object.fromEntries(parts.filter(([, part]) => part !== 0)) };
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
