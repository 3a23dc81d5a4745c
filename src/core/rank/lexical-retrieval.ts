// Lexical retrieval: corrects the spelling of the query, gets candidate pages from the index, and reranks the best.

import type { CandidatePage, QueryTerm } from '../lexical/query/index-query.ts';
import type { FoundChunk, IndexReader } from '../lexical/query/index-reader.ts';
import { parseQuery, queryTerms, weighTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import type { SearchFilter } from '../lexical/query/search-filter.ts';
import { closestTerms, isCorrectable } from '../lexical/query/spelling.ts';
import type { SourceId, VersionId } from '../model/run.ts';
import { chunkSimilarity, chunkVector, queryVector, type QueryVector, type WordTable } from '../vector/word-vectors.ts';
import { confidenceOf } from './confidence.ts';
import { LEAD_CHUNKS, rankByMeaning } from './rank-by-meaning.ts';
import { createSourceNamer } from './source-namer.ts';
import { rankPages, type RankCandidate, type RankedPage } from './rank-pages.ts';

/** A page that was found, represented by one of its chunks. */
export interface FoundPage extends RankCandidate {
  readonly best: FoundChunk;
  /** The other matching chunks of the page, best first. */
  readonly others: ReadonlyArray<{ readonly ordinal: number; readonly score: number }>;
  /** Its chunks among the nearest neighbours, nearest first; `share` scales from 0 for the last neighbour to 1 for the first. */
  readonly similarities?: ReadonlyArray<{ readonly ordinal: number; readonly share: number }>;
}

/** A query term without postings, and the indexed terms that replaced it. */
export interface Correction {
  readonly word: string;
  readonly correctedTo: readonly string[];
}

export interface RetrievalResult {
  readonly query: ParsedQuery;
  readonly corrections: readonly Correction[];
  readonly pages: ReadonlyArray<RankedPage<FoundPage>>;
  /** How likely it is that they answer the query, from 0 to 1; null without word vectors, which the estimate needs. */
  readonly confidence: number | null;
}

export type SourceNames = ReadonlyMap<SourceId, string>;

export interface RetrievalOptions {
  readonly versions: readonly VersionId[];
  readonly filter?: SearchFilter | undefined;
  readonly names: SourceNames;
  /** Names of the sources whose pages are ranked a little higher. */
  readonly preferred?: ReadonlySet<string> | undefined;
  /** Ranks the first pages by word vectors too; null or absent, by words alone. */
  readonly words?: WordTable | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Candidates that are reranked. */
const RERANK_DEPTH = 60;
const CHUNKS_PER_PAGE = 32;
/** Weight of a stop word in a query that has little else. */
const STOP_WEIGHT = 0.2;

export async function retrievePages(
  index: IndexReader,
  query: string,
  options: RetrievalOptions,
): Promise<RetrievalResult> {
  const { versions, filter, signal } = options;
  const { terms, corrections } = await correctSpelling(index, options, queryTerms(query, STOP_WEIGHT));
  const found = await index.candidates(
    { versions, terms, filter, pages: RERANK_DEPTH, chunksPerPage: CHUNKS_PER_PAGE },
    signal,
  );
  const meaning = options.words ? queryVector(options.words, query) : null;
  const parsed = {
    ...parseQuery(query, terms),
    preferred: options.preferred,
    namesSource: options.names.size > 1 ? createSourceNamer(query) : undefined,
    similarityTo: options.words && meaning ? createSimilarity(options.words, meaning) : undefined,
  };
  const live = await loadCandidates(index, found, options.names);
  const pages = rankPages(parsed, live);
  if (meaning === null) return { query: parsed, corrections, pages, confidence: null };
  const ranked = await rankByMeaning(index, meaning, pages);
  return { query: parsed, corrections, pages: ranked, confidence: confidenceOf(ranked.map(({ score }) => score)) };
}

function createSimilarity(words: WordTable, meaning: QueryVector): ParsedQuery['similarityTo'] {
  return (text) => {
    const vector = chunkVector(words, text);
    return vector === null ? 0 : chunkSimilarity(meaning, vector);
  };
}

interface CorrectedTerms {
  /** With their weights by `weighTerms`. */
  readonly terms: readonly QueryTerm[];
  readonly corrections: readonly Correction[];
}

/** More unknown words than this are not typos. */
const MAX_CORRECTIONS = 4;
const MAX_READINGS = 2;
/** A correction counts less than a word that was typed. */
const CORRECTION_WEIGHT = 0.7;

/** A query term that no chunk contains is expanded to indexed terms within a small edit distance. */
async function correctSpelling(
  index: IndexReader,
  { versions, signal }: RetrievalOptions,
  typed: readonly QueryTerm[],
): Promise<CorrectedTerms> {
  const words = typed.map(({ term }) => term);
  const found = await index.frequencies(versions, words, signal);
  const unknown = words.filter((word, at) => found.docFrequencies[at] === 0 && isCorrectable(word));
  const corrections: Correction[] = [];
  for (const word of unknown.slice(0, MAX_CORRECTIONS)) {
    const closest = closestTerms(word, await index.suggest(versions, word), MAX_READINGS);
    if (closest.length > 0) corrections.push({ word, correctedTo: closest.map(({ term }) => term) });
  }
  const added = [...new Set(corrections.flatMap(({ correctedTo }) => correctedTo))].filter(
    (word) => !words.includes(word),
  );
  if (added.length === 0) return { terms: weighTerms(typed, found), corrections };
  const terms = [...typed, ...added.map((term) => ({ term, weight: CORRECTION_WEIGHT }))];
  const frequencies = await index.frequencies(
    versions,
    terms.map(({ term }) => term),
    signal,
  );
  return { terms: weighTerms(terms, frequencies), corrections };
}

/** A page that the store does not have any more is left out. */
async function loadCandidates(
  index: IndexReader,
  candidates: readonly CandidatePage[],
  names: SourceNames,
): Promise<readonly FoundPage[]> {
  const bestChunks = await loadByPage(index, candidates, ({ chunks }) => chunks[0]?.ordinal ?? 0);
  // A page that became shorter since it was indexed is found by its start until it is indexed again.
  const shorter = candidates.filter((candidate) => !bestChunks.has(pageKey(candidate)));
  const starts = shorter.length === 0 ? bestChunks : await loadByPage(index, shorter, () => 0);
  return candidates.flatMap((candidate): FoundPage[] => {
    const key = pageKey(candidate);
    const best = bestChunks.get(key) ?? starts.get(key);
    return best === undefined ? [] : [toFoundPage(best, candidate.chunks.slice(1), lexicalScores(candidate), names)];
  });
}

async function loadByPage(
  index: IndexReader,
  candidates: readonly CandidatePage[],
  ordinalOf: (candidate: CandidatePage) => number,
): Promise<ReadonlyMap<string, FoundChunk>> {
  const refs = candidates.map((candidate) => {
    const { version, url } = candidate;
    return { version, url, ordinal: ordinalOf(candidate) };
  });
  return new Map((await index.chunks(refs)).map((found) => [pageKey(found.chunk.page), found]));
}

function pageKey({ version, url }: Pick<CandidatePage, 'version' | 'url'>): string {
  return `${version} ${url}`;
}

type LexicalScores = Pick<
  RankCandidate,
  'chunkScore' | 'secondScore' | 'thirdScore' | 'leadScore' | 'pageScore' | 'coveredWeight'
>;

/** The scores that candidate generation gave a page, without reading its text. */
export function lexicalScores({
  chunks,
  pageScore,
  coveredWeight,
}: Pick<CandidatePage, 'chunks' | 'pageScore' | 'coveredWeight'>): LexicalScores {
  const [first, second, third] = chunks;
  const lead = chunks.find(({ ordinal }) => ordinal < LEAD_CHUNKS);
  return {
    chunkScore: first?.score ?? 0,
    secondScore: second?.score ?? 0,
    thirdScore: third?.score ?? 0,
    leadScore: lead?.score ?? 0,
    pageScore,
    coveredWeight,
  };
}

export function toFoundPage(
  best: FoundChunk,
  others: FoundPage['others'],
  scores: LexicalScores,
  names: SourceNames,
): FoundPage {
  const { chunk, pageKind, source } = best;
  return {
    url: chunk.page.url,
    title: chunk.page.title,
    headings: chunk.headings,
    anchor: chunk.anchor,
    symbol: chunk.symbol,
    text: chunk.text,
    pageKind,
    pageChunks: chunk.page.chunks,
    inlinks: chunk.page.inlinks,
    ...scores,
    source: names.get(source) ?? '',
    best,
    others,
  };
}
