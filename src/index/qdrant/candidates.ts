// Candidates in three requests: the best pages by their page points, the chunks of these pages, and the weight of the query that
// each page covers, for those that are returned. Pages first, because a page is found by all of its chunks together: the best
// chunks alone find three fifths of the same pages. Chunks are grouped here: the engine takes five times as long for it.

import { candidateWeights } from '../../core/lexical/query/generate-candidates.ts';
import type { CandidatePage, IndexQuery, PageScores } from '../../core/lexical/query/index-query.ts';
import { MAX_IMPACT } from '../../core/lexical/segment/impact.ts';
import type { SearchFilter } from '../../core/lexical/query/search-filter.ts';
import type { Collections, Hit } from './collections.ts';
import { pageConditions, type Condition, termId } from './filter-payload.ts';
import type { RequestOptions } from './nodes.ts';
import type { Frequencies } from './term-frequencies.ts';
import { chunkPointId, chunkPosition, type SparseVector } from './page-points.ts';
import type { FoundNumber, PointRecords } from '../../ports/point-records.ts';
import { compareText } from '../../core/text/compare-text.ts';

export interface SearchedGeneration {
  readonly records: PointRecords;
  readonly collections: Collections;
  readonly samples: Frequencies;
}

/** Pages whose chunks are scored, for each page that is returned: the best chunk of a page decides with its page score. */
const DEPTH = 2.5;
/** A filter on chunks, or pages that were replaced, may leave too few of them: then more are asked for, this many times as many. */
const DEEPER = 4;
const MAX_ROUNDS = 3;
/** Matching chunks for each of these pages, on average: each costs the engine and the client 2 µs, and the best of a page matter. */
const CHUNK_HITS_PER_PAGE = 5;
const MIN_CHUNK_HITS = 300;

export async function findCandidates(
  { records, collections, samples }: SearchedGeneration,
  query: IndexQuery,
  options: RequestOptions,
): Promise<readonly CandidatePage[]> {
  const vector = queryVector(query);
  if (vector.indices.length === 0) return [];
  const must = [...(await samples.versionConditions(query.versions)), ...pageConditions(query.filter ?? {})];
  let limit = Math.ceil(query.pages * DEPTH);
  for (let round = 1; ; round += 1) {
    const search = { vector, must, query, options, records, collections, isDeep: round > 1 };
    const { pages: found, isAll } = await (query.filter === undefined
      ? bestPages(search, limit)
      : filteredPages(search, query.filter, limit));
    if (found.length >= query.pages || isAll || round === MAX_ROUNDS) return found.slice(0, query.pages);
    limit *= DEEPER;
  }
}

interface Search {
  readonly vector: SparseVector;
  readonly must: readonly Condition[];
  readonly query: IndexQuery;
  readonly options: RequestOptions;
  readonly records: PointRecords;
  readonly collections: Collections;
  /** Whether too few pages were found before: then the chunks of all are looked for. */
  readonly isDeep: boolean;
}

interface FoundPages {
  /** Best first. */
  readonly pages: readonly CandidatePage[];
  /** Whether a deeper search would find no more. */
  readonly isAll: boolean;
}

/** A few more than are wanted: some may have been replaced. */
const SPARE_PAGES = 8;

async function bestPages(search: Search, limit: number): Promise<FoundPages> {
  const { vector, must, options, records, collections } = search;
  const hits = await collections.queryPages({ vector, must, limit }, options);
  const { ranked, isWhole } = await rankPages(
    search,
    hits,
    hits.map(({ id }) => id),
  );
  const pages = await returnedPages(search, ranked, (numbers) => records.find(numbers));
  return { pages, isAll: isWhole && hits.length < limit };
}

/** The chunks of the best pages are compared with the filter first, and only those that pass are scored. */
async function filteredPages(search: Search, filter: SearchFilter, limit: number): Promise<FoundPages> {
  const { vector, must, options, records, collections } = search;
  const hits = await collections.queryPages({ vector, must, limit }, options);
  const found = await records.find(hits.map(({ id }) => id));
  const admitted = await records.admitted(found, filter);
  const chunkIds = [...admitted].flatMap(([page, ordinals]) => ordinals.map((ordinal) => chunkPointId(page, ordinal)));
  const { ranked, isWhole } =
    admitted.size === 0 ? NOTHING : await rankPages(search, hits, [...admitted.keys()], chunkIds);
  const pages = await returnedPages(search, ranked, () => Promise.resolve(found));
  return { pages, isAll: isWhole && hits.length < limit };
}

/** Pages are looked up once their order is known: most of those that are scored are not returned. */
async function returnedPages(
  { vector, query, options, collections }: Search,
  ranked: readonly RankedPage[],
  find: (numbers: readonly number[]) => Promise<readonly FoundNumber[]>,
): Promise<readonly CandidatePage[]> {
  const found: FoundNumber[] = [];
  const coveredWeights = new Map<number, number>();
  // Versions that were added since their list was read are not among the conditions.
  const versions = new Set(query.versions);
  let pages: readonly CandidatePage[] = [];
  const step = query.pages + SPARE_PAGES;
  for (let end = step; end < ranked.length + step && pages.length < query.pages; end += step) {
    const numbers = ranked.slice(end - step, end).map(({ number }) => number);
    const [some, covered] = await Promise.all([find(numbers), collections.coveredWeights(vector, numbers, options)]);
    found.push(...some);
    for (const { id, score } of covered) coveredWeights.set(id, score);
    pages = placed(ranked.slice(0, end), found, coveredWeights).filter(({ version }) => versions.has(version));
  }
  return sorted(pages);
}

interface RankedPage extends Omit<PageScores, 'coveredWeight'> {
  readonly number: number;
  readonly chunks: CandidatePage['chunks'];
}

interface RankedPages {
  /** With a matching chunk, best first. */
  readonly ranked: readonly RankedPage[];
  /** False if pages were left out that could not be among the best, unless some of the better ones were replaced. */
  readonly isWhole: boolean;
}

const NOTHING: RankedPages = { ranked: [], isWhole: true };

async function rankPages(
  { vector, query, options, collections, isDeep }: Search,
  hits: readonly Hit[],
  numbers: readonly number[],
  ids?: readonly number[],
): Promise<RankedPages> {
  const pageScores = new Map(hits.map(({ id, score }) => [id, score]));
  const pageScore = (number: number): number => pageScores.get(number) ?? 0;
  const limit = Math.max(MIN_CHUNK_HITS, numbers.length * CHUNK_HITS_PER_PAGE);
  const weights = { indices: vector.indices, values: vector.values.map((weight) => weight / MAX_IMPACT) };
  const ranked: RankedPage[] = [];
  let isWhole = true;
  for (let remaining = numbers; remaining.length > 0;) {
    const must = [{ key: 'page', match: { any: remaining } }] as const;
    const found = await collections.queryChunks({ vector: weights, must, ...(ids && { ids }), limit }, options);
    for (const [number, chunkHits] of Map.groupBy(found, ({ id }) => chunkPosition(id).page)) {
      const page = { number, pageScore: pageScore(number) };
      ranked.push(rankedPage(page, chunkHits, query.chunksPerPage));
    }
    ranked.sort((left, right) => right.score - left.score || left.number - right.number);
    if (found.length < limit) break;
    // The chunks of a page that has none among them score at most as much as the last: it may still be among the best.
    const seen = new Set(ranked.map(({ number }) => number));
    const atMost = found.at(-1)?.score ?? 0;
    const floor = isDeep ? 0 : (ranked[query.pages - 1]?.score ?? 0);
    const unseen = remaining.filter((number) => !seen.has(number));
    remaining = unseen.filter((number) => atMost + candidateWeights.page * pageScore(number) >= floor);
    isWhole &&= remaining.length === unseen.length;
  }
  return { ranked, isWhole };
}

function rankedPage(page: Pick<RankedPage, 'number' | 'pageScore'>, hits: readonly Hit[], limit: number): RankedPage {
  const chunks = hits.map(({ id, score }) => ({ ordinal: chunkPosition(id).ordinal, score })).sort(byScore);
  const score = (chunks[0]?.score ?? 0) + candidateWeights.page * page.pageScore;
  return { ...page, score, chunks: chunks.slice(0, limit) };
}

/** While a page is being replaced the engine holds it twice: the replaced one counts only where the new one was not found. */
function placed(
  ranked: readonly RankedPage[],
  found: readonly FoundNumber[],
  coveredWeights: ReadonlyMap<number, number>,
): readonly CandidatePage[] {
  const byNumber = new Map(found.map((page) => [page.number, page]));
  const current = new Set(found.filter(({ isCurrent }) => isCurrent).map(pageKey));
  const taken = new Set<string>();
  return ranked.flatMap(({ number, chunks, ...scores }) => {
    const page = byNumber.get(number);
    if (page === undefined || taken.has(pageKey(page)) || (!page.isCurrent && current.has(pageKey(page)))) return [];
    // A number that was given out twice, after a restore, may have chunks of another page.
    const own = chunks.filter(({ ordinal }) => ordinal < page.chunks);
    if (own.length === 0) return [];
    taken.add(pageKey(page));
    const coveredWeight = coveredWeights.get(number) ?? 0;
    return [{ version: page.version, url: page.url, ...scores, coveredWeight, chunks: own }];
  });
}

function pageKey({ version, key }: FoundNumber): string {
  return `${version} ${key}`;
}

/** Ties are broken by page, so that a repeated question gets the same answer whichever shard responds first. */
function sorted(pages: readonly CandidatePage[]): readonly CandidatePage[] {
  return pages.toSorted(
    (left, right) => right.score - left.score || left.version - right.version || compareText(left.url, right.url),
  );
}

/** Terms that share a number are one term to the engine. */
function queryVector({ terms }: IndexQuery): SparseVector {
  const weights = new Map<number, number>();
  for (const { term, weight } of terms) weights.set(termId(term), (weights.get(termId(term)) ?? 0) + weight);
  return { indices: [...weights.keys()], values: [...weights.values()] };
}

function byScore(left: CandidatePage['chunks'][number], right: CandidatePage['chunks'][number]): number {
  return right.score - left.score || left.ordinal - right.ordinal;
}
