// What a ranked page offers to an answer: its good chunks, each completed by its neighbour where it is short.

import type { Question } from '../core/rank/question.ts';
import type { PageOffer, PassageOffer } from '../core/rank/assemble.ts';
import { passageScore } from '../core/rank/passage-score.ts';
import type { RankedPage } from '../core/rank/rank-pages.ts';
import type { FoundChunk, SearchPlace, SearchRows, Source, StoredChunk } from '../store/port.ts';
import type { FoundPage } from './find-pages.ts';

/** A chunk below this is completed by the one that follows it. */
const SHORT_TOKENS = 120;

export async function pageOffers(
  rows: SearchRows,
  question: Question,
  pages: ReadonlyArray<RankedPage<FoundPage>>,
  sources: readonly Source[],
): Promise<PageOffer[]> {
  const around = await rows.resolve(pages.flatMap(({ candidate }) => placesAround(candidate)));
  const chunks = new Map(around.map((found) => [nameOf(found.place), found.chunk]));
  return pages.map(({ candidate, score }) => ({
    ...originOf(candidate.best, sources),
    url: candidate.url,
    title: candidate.title,
    checkedAt: candidate.best.chunk.page.checkedAt.toISOString(),
    score,
    passages: passagesOf(question, candidate, chunks),
  }));
}

function placesAround({ best, others }: FoundPage): SearchPlace[] {
  const places = [best.place, ...others.map(({ place }) => place)];
  const next = places.map((place) => ({ ...place, position: place.position + 1 }));
  const all = new Map([...places, ...next].map((place) => [nameOf(place), place]));
  all.delete(nameOf(best.place));
  return [...all.values()];
}

function passagesOf(
  question: Question,
  { best, others, chunkScore }: FoundPage,
  chunks: ReadonlyMap<string, StoredChunk>,
): PassageOffer[] {
  const found = [{ place: best.place, score: chunkScore }, ...others];
  const scored = found.flatMap(({ place, score }) => {
    const chunk = nameOf(place) === nameOf(best.place) ? best.chunk : chunks.get(nameOf(place));
    if (chunk === undefined) return [];
    const next = chunks.get(nameOf({ ...place, position: place.position + 1 }));
    return [{ place, offer: offerOf(chunk, next, passageScore(question, chunk, score)) }];
  });
  scored.sort((left, right) => right.offer.score - left.offer.score);
  return withoutOverlap(scored);
}

function offerOf(
  chunk: StoredChunk,
  next: StoredChunk | undefined,
  score: number,
): PassageOffer & { readonly last: number } {
  const isShort = chunk.tokens < SHORT_TOKENS && next !== undefined;
  return {
    headings: chunk.headings,
    anchor: chunk.anchor,
    chunk: chunk.id,
    lines: { first: chunk.lines.first, last: isShort ? next.lines.last : chunk.lines.last },
    text: isShort ? `${chunk.text.trimEnd()}\n\n${next.text}` : chunk.text,
    last: isShort ? next.ordinal : chunk.ordinal,
    score,
  };
}

/** A chunk that another passage holds already is not offered again. */
function withoutOverlap(
  scored: ReadonlyArray<{ readonly place: SearchPlace; readonly offer: ReturnType<typeof offerOf> }>,
): PassageOffer[] {
  const taken = new Set<number>();
  return scored.flatMap(({ place, offer: { last, ...offer } }) => {
    if (taken.has(place.position) || taken.has(last)) return [];
    taken.add(place.position).add(last);
    return [offer];
  });
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
