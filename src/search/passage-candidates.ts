// What a ranked page offers to an answer: its beginning and its good chunks, the more the higher it stands.

import { answerWeights } from '../core/answer/answer-weights.table.ts';
import type { PageOffer, Piece } from '../core/rank/join-pieces.ts';
import { withoutLinkTargets } from '../core/rank/strip-link-targets.ts';
import type { Question } from '../core/lexical/query/parsed-query.ts';
import type { RankedPage } from '../core/rank/rank-pages.ts';
import type { FoundChunk, FoundPassage, SearchPlace, SearchRows, Source } from '../store/port.ts';
import type { FoundPage } from './found-page.ts';

/** Chunks of the first page, the second and so on, for a thousand tokens; further pages offer as many as the last number. */
const OFFERED_CHUNKS = [12, 8, 5, 4, 3];
const MOST_CHUNKS = 32;
/** Chunks of a page's beginning, which are always offered: as many as gain by it. */
const LEAD = answerWeights.lead.length;

export interface OfferOptions {
  readonly sources: readonly Source[];
  /** Tokens of the whole answer: the more there is room for, the more is offered. */
  readonly budget: number;
}

export async function pageOffers(
  rows: SearchRows,
  question: Question,
  pages: ReadonlyArray<RankedPage<FoundPage>>,
  { sources, budget }: OfferOptions,
): Promise<PageOffer[]> {
  const places = pages.map(({ candidate }, at) => {
    const usual = OFFERED_CHUNKS[at] ?? OFFERED_CHUNKS.at(-1) ?? 1;
    return placesOf(candidate, Math.min(MOST_CHUNKS, Math.ceil((usual * budget) / 1000)));
  });
  const resolved = await rows.resolve(places.flatMap((own) => [...own.values()].map(({ place }) => place)));
  const chunks = new Map(resolved.map((found) => [nameOf(found.place), found.chunk]));
  return pages.map(({ candidate, score }, at) => ({
    ...originOf(candidate.best, sources),
    url: candidate.url,
    title: candidate.title,
    checkedAt: candidate.best.chunk.page.checkedAt.toISOString(),
    score,
    pieces: [...(places[at]?.values() ?? [])].flatMap((placed) => {
      const chunk = chunks.get(nameOf(placed.place));
      return chunk === undefined ? [] : [pieceOf(question, chunk, placed)];
    }),
  }));
}

interface Placed {
  readonly place: SearchPlace;
  /** What the first look gave to it. */
  readonly score: number;
  /** How near it is in meaning, 0 to 1; 0 where that is not known. */
  readonly near: number;
}

/** Chunks that a page offers because they are near in meaning. */
const NEAR_CHUNKS = 6;

/** In the order of the page. */
function placesOf({ best, others, chunkScore, near = [] }: FoundPage, limit: number): Map<number, Placed> {
  const good = [{ place: best.place, score: chunkScore }, ...others];
  const scores = new Map(good.map(({ place, score }) => [place.position, score]));
  const shares = new Map(near.map(({ place, share }) => [place.position, share]));
  const lead = Array.from({ length: LEAD }, (_, position) => position);
  const positions = new Set([
    ...lead,
    ...good.slice(0, limit).map(({ place }) => place.position),
    ...near.slice(0, NEAR_CHUNKS).map(({ place }) => place.position),
  ]);
  const ordered = [...positions].sort((left, right) => left - right);
  return new Map(
    ordered.map((position) => {
      const placed = { place: { ...best.place, position }, score: scores.get(position) ?? 0 };
      return [position, { ...placed, near: shares.get(position) ?? 0 }];
    }),
  );
}

function pieceOf(question: Question, chunk: FoundPassage, { score, near }: Placed): Piece {
  const { headings, anchor, lines, id, ordinal, text } = chunk;
  return {
    headings,
    anchor,
    lines,
    chunk: id,
    text: withoutLinkTargets(text).trim(),
    position: ordinal,
    score: score / question.total,
    near,
  };
}

function nameOf({ segment, page, position }: SearchPlace): string {
  return `${segment} ${page} ${position}`;
}

function originOf(
  { source, chunk }: FoundChunk,
  sources: readonly Source[],
): { readonly source: string; readonly version: string } {
  const owner = sources.find(({ id }) => id === source);
  const version = owner?.versions.find(({ id }) => id === chunk.page.version)?.label;
  return { source: owner?.name ?? '', version: version ?? '' };
}
