// The read path: selects versions, retrieves and ranks pages, and packs their passages into an answer.

import { answerPassages, sourceNamesById, type PassageAnswer } from '../core/answer/answer-passages.ts';
import { pathBases } from '../core/lexical/query/path-filter.ts';
import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import { tokenize } from '../core/lexical/tokenize/tokenize.ts';
import type { PassageKind } from '../core/model/chunk.ts';
import type { PageKindName } from '../core/model/document.ts';
import { editDistance } from '../core/text/edit-distance.ts';
import type { FileKind } from '../core/files/file-kind.ts';
import type { VersionId } from '../core/model/run.ts';
import type { WordTable } from '../core/vector/word-vectors.ts';
import { retrievePages, type Correction } from '../core/rank/lexical-retrieval.ts';
import type { CandidateIndex } from '../index/port.ts';
import { createCheckpoint } from '../platform/checkpoint.ts';
import type { Store } from '../store/port.ts';
import type { Source } from '../store/port/sources.ts';
import type { DenseRetriever } from './dense-retrieval.ts';
import { fuseResults } from './fuse-results.ts';
import { selectVersions, type SelectedVersion } from './search-sources.ts';

export interface SearchRequest {
  readonly query: string;
  readonly source?: string | readonly string[] | undefined;
  /** A label, a range, or `latest`. */
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  readonly passageKind?: PassageKind | undefined;
  readonly pageKind?: PageKindName | undefined;
  readonly fileKind?: FileKind | undefined;
  readonly heading?: string | undefined;
  readonly symbol?: string | undefined;
  /** Maximum number of passages. */
  readonly limit: number;
  /** Tokens of the whole answer. */
  readonly budget: number;
  /** Where to continue: the `nextOffset` of an earlier answer. */
  readonly offset: number;
  readonly explain: boolean;
  /** Names of sources whose pages are ranked a little higher; unknown ones are ignored. */
  readonly prefer?: readonly string[] | undefined;
}

export interface SearchAnswer extends PassageAnswer {
  readonly mode: 'lexical' | 'hybrid';
  /** Names of the sources that were searched. */
  readonly searched: string[];
  /** Names of those that were ranked higher. */
  readonly preferred: string[];
  readonly corrections: Correction[];
  /** Similar titles, if nothing was found. */
  readonly suggestions: string[];
}

/** Stops soon after the signal aborts, and rejects with its reason. */
export type Search = (request: SearchRequest, signal?: AbortSignal) => Promise<SearchAnswer>;

export function createSearch(
  store: Store,
  candidateIndex: CandidateIndex,
  denseRetriever: DenseRetriever | null = null,
  words: WordTable | null = null,
): Search {
  const index = { ...candidateIndex, ...store.chunks };
  return async (request, signal) => {
    const checkpoint = createCheckpoint(signal);
    await checkpoint();
    const selected = await selectVersions(store, request);
    const versions = selected.map(({ version }) => version.id);
    const sources = selected.map(({ source }) => source);
    const filter = filterOf(request, sources);
    const names = sourceNamesById(sources);
    const searched = searchedNames(selected, request);
    // A source that is searched alone has nothing to be preferred to.
    const preferred = searched.filter((name) => searched.length > 1 && request.prefer?.includes(name));
    const options = { versions, filter, names, preferred: new Set(preferred), words, signal };
    const lexical = await retrievePages(index, request.query, options);
    await checkpoint();
    const dense = (await denseRetriever?.(request.query, lexical, { versions, filter: filter ?? {}, signal })) ?? null;
    const results = dense === null ? lexical : fuseResults(lexical, dense, names);
    await checkpoint();
    const answer = await answerPassages(store.chunks, results, { ...request, sources });
    return {
      mode: dense === null ? 'lexical' : 'hybrid',
      searched,
      preferred,
      ...answer,
      corrections: [...results.corrections],
      suggestions: answer.passages.length > 0 ? [] : await loadSuggestions(store, request.query, versions),
    };
  };
}

/** A source without pages, such as one that failed, has no part in an answer; one that the request names has. */
function searchedNames(selected: readonly SelectedVersion[], { source: named }: SearchRequest): string[] {
  const searched = selected.filter(({ version }) => named !== undefined || version.hasPages);
  return [...new Set(searched.map(({ source }) => source.name))];
}

/** Titles that are compared if nothing was found, of all versions together. */
const MAX_TITLES = 4000;

async function loadSuggestions(store: Store, query: string, versions: readonly VersionId[]): Promise<string[]> {
  const titles = await store.pages.titles(versions, Math.ceil(MAX_TITLES / Math.max(1, versions.length)));
  return suggestTitles(
    query,
    titles.map(({ title }) => title),
  );
}

const MAX_QUERY_WORDS = 12;
const MAX_SUGGESTIONS = 5;

/** Titles with a word that is similar to a query term or starts like one. */
export function suggestTitles(query: string, titles: readonly string[]): string[] {
  const words = tokenize(query.slice(0, 1000))
    .filter((word) => word.length >= 4 && word.length <= 32)
    .slice(0, MAX_QUERY_WORDS);
  const scored = [...new Set(titles)].map((title) => {
    const parts = tokenize(title.slice(0, 200));
    const matches = words.filter((word) => parts.some((part) => isSimilarWord(word, part))).length;
    return { title, matches };
  });
  const found = scored.filter(({ matches }) => matches > 0);
  found.sort((left, right) => right.matches - left.matches || left.title.length - right.title.length);
  return found.slice(0, MAX_SUGGESTIONS).map(({ title }) => title);
}

function isSimilarWord(word: string, part: string): boolean {
  if (part.length < 4) return false;
  if (part.startsWith(word.slice(0, 5)) || word.startsWith(part.slice(0, 5))) return true;
  return Math.abs(word.length - part.length) <= 2 && editDistance(word, part, 2) <= 2;
}

/** Undefined if the request has no filter. */
function filterOf(
  { path, passageKind, pageKind, fileKind, heading, symbol }: SearchRequest,
  sources: ReadonlyArray<Pick<Source, 'startUrl'>>,
): SearchFilter | undefined {
  const filter: SearchFilter = {
    ...(path === undefined ? {} : { pathPrefix: path, pathBases: pathBases(sources) }),
    ...(passageKind === undefined ? {} : { passageKinds: [passageKind] }),
    ...(pageKind === undefined ? {} : { pageKinds: [pageKind] }),
    ...(fileKind === undefined ? {} : { fileKinds: [fileKind] }),
    ...(heading === undefined ? {} : { headingPrefix: heading }),
    ...(symbol === undefined ? {} : { symbolPrefix: symbol }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
