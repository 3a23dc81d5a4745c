// From a question to ranked pages: words, postings, a first look at all that have them, a closer look at the best.

import { firstLookWeights } from '../core/lexical/first-look-weights.table.ts';
import { queryTerms, rarity } from '../core/lexical/query-terms.ts';
import { scoreSegments, type FirstLook } from '../core/lexical/query/generate-candidates.ts';
import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import type { VersionId } from '../core/model/run.ts';
import { questionOf, type Question } from '../core/lexical/query/parsed-query.ts';
import { rankPages, type RankedPage } from '../core/rank/rank-pages.ts';
import type { SearchPlace, SearchRows } from '../store/port.ts';
import { foundPage, type FoundPage, type SourceNames } from './found-page.ts';
import { secondChance, type Correction } from './second-chance.ts';

export interface Findings {
  readonly question: Question;
  readonly corrections: readonly Correction[];
  readonly pages: ReadonlyArray<RankedPage<FoundPage>>;
}

export interface FindOptions {
  readonly versions: readonly VersionId[];
  readonly filter?: SearchFilter | undefined;
  readonly names: SourceNames;
}

/** Pages that get the closer look. */
const LOOKED_AT = 60;
const CHUNKS_PER_PAGE = 32;
/** A page that was indexed again stays in its old segment until that is merged, and must not take the place of a living one. */
const MORE_FOR_DEAD = 3;
/** What a stop word counts where a question has little else. */
const STOP_WEIGHT = 0.2;

export async function findPages(rows: SearchRows, query: string, options: FindOptions): Promise<Findings> {
  const { versions, filter } = options;
  const asked = queryTerms(query, STOP_WEIGHT);
  const { terms, found, corrections } = await secondChance(rows, versions, asked);
  const worth = terms.map(({ weight }, at) => weight * rarity(found.having[at] ?? 0, found.chunks));
  const admitted = filter === undefined ? undefined : await admittedBy(rows, versions, filter, found.segments);
  const firstLook = (pages: number): readonly FirstLook[] =>
    scoreSegments(found.segments, worth, {
      weights: firstLookWeights,
      pages,
      chunksPerPage: CHUNKS_PER_PAGE,
      admitted,
    });
  const question = questionOf(query, terms, worth);
  return { question, corrections, pages: rankPages(question, await candidatesOf(rows, firstLook, options.names)) };
}

async function candidatesOf(
  rows: SearchRows,
  firstLook: (pages: number) => readonly FirstLook[],
  names: SourceNames,
): Promise<FoundPage[]> {
  const looks = firstLook(LOOKED_AT);
  const living = await livingOf(rows, looks, names);
  const dead = looks.length - living.length;
  if (dead === 0 || looks.length < LOOKED_AT) return living;
  const more = firstLook(LOOKED_AT + dead * MORE_FOR_DEAD).slice(LOOKED_AT);
  return [...living, ...(await livingOf(rows, more, names))].slice(0, LOOKED_AT);
}

async function livingOf(rows: SearchRows, looks: readonly FirstLook[], names: SourceNames): Promise<FoundPage[]> {
  const resolved = await rows.resolve(looks.map((look) => placeAt(look, 0)));
  const byPage = new Map(resolved.map((found) => [`${found.place.segment} ${found.place.page}`, found]));
  return looks.flatMap((look): FoundPage[] => {
    const best = byPage.get(`${look.segment} ${look.page}`);
    if (best === undefined) return [];
    const others = look.chunks.slice(1).map(({ score }, at) => ({ place: placeAt(look, at + 1), score }));
    return [foundPage(best, others, wordScores(look), names)];
  });
}

/** Chunks that are a page's beginning, where it says what it is about. */
const LEAD = 2;

/** What words gave to a page, without a look at its text. */
export function wordScores({ chunks, pageScore, covered }: Pick<FirstLook, 'chunks' | 'pageScore' | 'covered'>) {
  const [first, second, third] = chunks;
  const lead = chunks.find(({ position }) => position < LEAD);
  return {
    chunkScore: first?.score ?? 0,
    secondScore: second?.score ?? 0,
    thirdScore: third?.score ?? 0,
    leadScore: lead?.score ?? 0,
    pageScore,
    covered,
  };
}

function placeAt({ segment, page, chunks }: FirstLook, at: number): SearchPlace {
  return { segment, page, position: chunks[at]?.position ?? 0 };
}

type Segments = Awaited<ReturnType<SearchRows['postings']>>['segments'];

async function admittedBy(
  rows: SearchRows,
  versions: readonly VersionId[],
  filter: SearchFilter,
  segments: Segments,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const shapes = new Map(segments.map((segment) => [segment.id, segment]));
  const masks = new Map<number, Uint8Array>();
  for (const { segment, page, position } of await rows.placesOf(versions, filter)) {
    const shape = shapes.get(segment);
    if (shape === undefined) continue;
    const mask = masks.get(segment) ?? new Uint8Array(shape.chunks);
    masks.set(segment, mask);
    mask[(shape.pageStarts[page] ?? 0) + position] = 1;
  }
  return masks;
}
