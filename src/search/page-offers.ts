// What a ranked page offers to an answer: its beginning and its good chunks, the more the higher it stands.

import type { PageOffer, Piece } from '../core/rank/join-pieces.ts';
import { passageScore } from '../core/rank/passage-score.ts';
import { withoutLinkTargets } from '../core/rank/plain-passage.ts';
import type { Question } from '../core/rank/question.ts';
import type { RankedPage } from '../core/rank/rank-pages.ts';
import type { FoundChunk, SearchPlace, SearchRows, Source, StoredChunk } from '../store/port.ts';
import type { FoundPage } from './found-page.ts';

/** Chunks of the first page, the second and so on; further pages offer as many as the last number. */
const OFFERED_CHUNKS = [16, 10, 8, 6, 4];
const LEAD = 2;

export async function pageOffers(
  rows: SearchRows,
  question: Question,
  pages: ReadonlyArray<RankedPage<FoundPage>>,
  sources: readonly Source[],
): Promise<PageOffer[]> {
  const places = pages.map(({ candidate }, at) =>
    placesOf(candidate, OFFERED_CHUNKS[at] ?? OFFERED_CHUNKS.at(-1) ?? 1),
  );
  const resolved = await rows.resolve(places.flatMap((own) => [...own.values()].map(({ place }) => place)));
  const chunks = new Map(resolved.map((found) => [nameOf(found.place), found.chunk]));
  return pages.map(({ candidate, score }, at) => ({
    ...originOf(candidate.best, sources),
    url: candidate.url,
    title: candidate.title,
    checkedAt: candidate.best.chunk.page.checkedAt.toISOString(),
    score,
    pieces: [...(places[at]?.values() ?? [])].flatMap(({ place, score: look }) => {
      const chunk = chunks.get(nameOf(place));
      return chunk === undefined ? [] : [pieceOf(question, chunk, look)];
    }),
  }));
}

interface Placed {
  readonly place: SearchPlace;
  /** What the first look gave to it. */
  readonly score: number;
}

/** In the order of the page. */
function placesOf({ best, others, chunkScore }: FoundPage, limit: number): Map<number, Placed> {
  const good = [{ place: best.place, score: chunkScore }, ...others].slice(0, limit);
  const lead = Array.from({ length: LEAD }, (_, position) => ({ place: { ...best.place, position }, score: 0 }));
  const byPosition = new Map([...lead, ...good].map((placed) => [placed.place.position, placed]));
  return new Map([...byPosition].sort(([left], [right]) => left - right));
}

function pieceOf(question: Question, chunk: StoredChunk, look: number): Piece {
  const { headings, anchor, lines, id, ordinal, text } = chunk;
  return {
    headings,
    anchor,
    lines,
    chunk: id,
    text: withoutLinkTargets(text).trim(),
    position: ordinal,
    score: passageScore(question, chunk, look),
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
