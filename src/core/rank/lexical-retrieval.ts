// Lexical retrieval: corrects the spelling of the query, generates candidate pages from postings, and reranks the best.

import { candidateWeights, generateCandidates, type CandidatePage } from '../lexical/query/generate-candidates.ts';
import { idf, parseQuery, queryTerms, type ParsedQuery, type QueryTerm } from '../lexical/query/parsed-query.ts';
import type { SearchFilter } from '../lexical/query/search-filter.ts';
import { editDistance } from '../model/edit-distance.ts';
import type { SourceId, VersionId } from '../model/run.ts';
import { rankPages, type RankCandidate, type RankedPage } from './rank-pages.ts';
import type { ChunkPosition, FoundChunk, FoundPostings, IndexReader } from '../lexical/segment/index-reader.ts';

/** A page that was found, represented by one of its chunks. */
export interface FoundPage extends RankCandidate {
  readonly best: FoundChunk;
  /** The other matching chunks of the page, best first. */
  readonly others: ReadonlyArray<{ readonly position: ChunkPosition; readonly score: number }>;
  /** Its chunks among the nearest neighbours, nearest first; `share` scales from 0 for the last neighbour to 1 for the first. */
  readonly similarities?: ReadonlyArray<{ readonly position: ChunkPosition; readonly share: number }>;
}

/** A query term without postings, and the indexed terms that replaced it. */
export interface Correction {
  readonly word: string;
  readonly readAs: readonly string[];
}

export interface RetrievalResult {
  readonly query: ParsedQuery;
  readonly corrections: readonly Correction[];
  readonly pages: ReadonlyArray<RankedPage<FoundPage>>;
}

export type SourceNames = ReadonlyMap<SourceId, string>;

export interface RetrievalOptions {
  readonly versions: readonly VersionId[];
  readonly filter?: SearchFilter | undefined;
  readonly names: SourceNames;
}

/** Candidates that are reranked. */
const RERANK_DEPTH = 60;
const CHUNKS_PER_PAGE = 32;
/** A reindexed page stays in its old segment until that is merged; extra candidates make up for such stale ones. */
const STALE_FACTOR = 3;
/** Weight of a stop word in a query that has little else. */
const STOP_WEIGHT = 0.2;

/** A search that met a compaction is repeated; it rarely meets a second one. */
const MAX_ATTEMPTS = 3;

export async function retrievePages(
  index: IndexReader,
  query: string,
  options: RetrievalOptions,
): Promise<RetrievalResult> {
  for (let attempt = 1; ; attempt += 1) {
    const { staleSegments, ...result } = await retrieveOnce(index, query, options);
    if (staleSegments.length === 0 || attempt === MAX_ATTEMPTS || (await index.areSearched(staleSegments)))
      return result;
  }
}

/** `staleSegments` are those that candidates were lost from: their pages changed, or a compaction moved them meanwhile. */
async function retrieveOnce(
  index: IndexReader,
  query: string,
  options: RetrievalOptions,
): Promise<RetrievalResult & { readonly staleSegments: readonly number[] }> {
  const { versions, filter } = options;
  const { terms, found, corrections } = await correctSpelling(index, versions, queryTerms(query, STOP_WEIGHT));
  const termWeights = terms.map(({ weight }, at) => weight * idf(found.docFrequencies[at] ?? 0, found.chunks));
  const admitted = filter === undefined ? undefined : await filterMasks(index, versions, filter, found.segments);
  const generate = (pages: number): readonly CandidatePage[] =>
    generateCandidates(found.segments, termWeights, {
      weights: candidateWeights,
      pages,
      chunksPerPage: CHUNKS_PER_PAGE,
      admitted,
    });
  const parsed = parseQuery(query, terms, termWeights);
  const { live, lost } = await loadCandidates(index, generate, options.names);
  const staleSegments = live.length === 0 ? found.segmentIds : [...new Set(lost.map(({ segment }) => segment))];
  return { query: parsed, corrections, pages: rankPages(parsed, live), staleSegments };
}

interface CorrectedTerms {
  readonly terms: readonly QueryTerm[];
  readonly found: FoundPostings;
  readonly corrections: readonly Correction[];
}

/** More unknown words than this are not typos. */
const MAX_CORRECTIONS = 4;
const MAX_READINGS = 2;
/** A correction counts less than a word that was typed. */
const CORRECTION_WEIGHT = 0.7;
/** The first letters are rarely wrong. */
const PREFIX_CHARS = 2;

/** Spell correction: a query term with no postings is expanded to indexed terms within a small edit distance. */
async function correctSpelling(
  index: IndexReader,
  versions: readonly VersionId[],
  typed: readonly QueryTerm[],
): Promise<CorrectedTerms> {
  const words = typed.map(({ term }) => term);
  const found = await index.postings(versions, words);
  const unknown = words.filter((word, at) => found.docFrequencies[at] === 0 && isCorrectable(word));
  const corrections: Correction[] = [];
  for (const word of unknown.slice(0, MAX_CORRECTIONS)) {
    const length = { min: word.length - maxEdits(word), max: word.length + maxEdits(word) };
    const vocabulary = await index.termsWithPrefix(versions, word.slice(0, PREFIX_CHARS), length);
    const closest = closestTerms(word, vocabulary, MAX_READINGS);
    if (closest.length > 0) corrections.push({ word, readAs: closest.map(({ term }) => term) });
  }
  const added = [...new Set(corrections.flatMap(({ readAs }) => readAs))].filter((word) => !words.includes(word));
  if (added.length === 0) return { terms: typed, found, corrections };
  const terms = [...typed, ...added.map((term) => ({ term, weight: CORRECTION_WEIGHT }))];
  const expanded = await index.postings(
    versions,
    terms.map(({ term }) => term),
  );
  return { terms, found: expanded, corrections };
}

const MIN_WORD_CHARS = 4;
const MAX_WORD_CHARS = 32;
const LONG_WORD_CHARS = 8;

/** Only plain words are corrected; identifiers and numbers are taken literally. */
function isCorrectable(token: string): boolean {
  return token.length >= MIN_WORD_CHARS && token.length <= MAX_WORD_CHARS && /^[a-z]+$/.test(token);
}

/** Longer words tolerate more edits. */
function maxEdits(token: string): number {
  return token.length >= LONG_WORD_CHARS ? 2 : 1;
}

interface IndexedTerm {
  readonly term: string;
  readonly docFrequency: number;
}

/** Smallest edit distance first, then the more frequent term. */
export function closestTerms(token: string, vocabulary: readonly IndexedTerm[], limit: number): IndexedTerm[] {
  const maxDistance = maxEdits(token);
  const close: Array<{ readonly indexed: IndexedTerm; readonly distance: number }> = [];
  for (const indexed of vocabulary) {
    if (Math.abs(indexed.term.length - token.length) > maxDistance) continue;
    const distance = editDistance(token, indexed.term, maxDistance);
    if (distance > 0 && distance <= maxDistance) close.push({ indexed, distance });
  }
  close.sort(
    (left, right) =>
      left.distance - right.distance ||
      right.indexed.docFrequency - left.indexed.docFrequency ||
      (left.indexed.term < right.indexed.term ? -1 : 1),
  );
  return close.slice(0, limit).map(({ indexed }) => indexed);
}

interface LoadedCandidates {
  readonly live: readonly FoundPage[];
  readonly lost: readonly CandidatePage[];
}

async function loadCandidates(
  index: IndexReader,
  generate: (pages: number) => readonly CandidatePage[],
  names: SourceNames,
): Promise<LoadedCandidates> {
  const candidates = generate(RERANK_DEPTH);
  const loaded = await resolveLive(index, candidates, names);
  const { live, lost } = loaded;
  if (lost.length === 0 || candidates.length < RERANK_DEPTH) return loaded;
  const more = generate(RERANK_DEPTH + lost.length * STALE_FACTOR).slice(RERANK_DEPTH);
  const added = await resolveLive(index, more, names);
  return { live: [...live, ...added.live].slice(0, RERANK_DEPTH), lost: [...lost, ...added.lost] };
}

async function resolveLive(
  index: IndexReader,
  candidates: readonly CandidatePage[],
  names: SourceNames,
): Promise<LoadedCandidates> {
  const resolved = await index.resolve(candidates.map((candidate) => positionAt(candidate, 0)));
  const byPage = new Map(resolved.map((found) => [`${found.position.segment} ${found.position.pageIndex}`, found]));
  const live: FoundPage[] = [];
  const lost: CandidatePage[] = [];
  for (const candidate of candidates) {
    const best = byPage.get(`${candidate.segment} ${candidate.pageIndex}`);
    if (best === undefined) {
      lost.push(candidate);
      continue;
    }
    const others = candidate.chunks
      .slice(1)
      .map(({ score }, at) => ({ position: positionAt(candidate, at + 1), score }));
    live.push(toFoundPage(best, others, lexicalScores(candidate), names));
  }
  return { live, lost };
}

/** Chunks at the start of a page, where it says what it is about. */
const LEAD_CHUNKS = 2;

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
  const lead = chunks.find(({ position }) => position < LEAD_CHUNKS);
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

function positionAt({ segment, pageIndex, chunks }: CandidatePage, at: number): ChunkPosition {
  return { segment, pageIndex, position: chunks[at]?.position ?? 0 };
}

async function filterMasks(
  index: IndexReader,
  versions: readonly VersionId[],
  filter: SearchFilter,
  segments: FoundPostings['segments'],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const shapes = new Map(segments.map((segment) => [segment.id, segment]));
  const masks = new Map<number, Uint8Array>();
  for (const { segment, pageIndex, position } of await index.positionsMatching(versions, filter)) {
    const shape = shapes.get(segment);
    if (shape === undefined) continue;
    const mask = masks.get(segment) ?? new Uint8Array(shape.chunks);
    masks.set(segment, mask);
    mask[(shape.pageStarts[pageIndex] ?? 0) + position] = 1;
  }
  return masks;
}
