// Joins the chosen chunks of a page, or parts of them, to at most two passages: neighbours flow on, a gap is shown as `…`.

import type { AnswerPage, AnswerPassage } from '../answer/answer-page.ts';

export interface Piece extends AnswerPassage {
  /** The chunk's place on the page. */
  readonly position: number;
  /** Which part of the chunk's text this is, from 0, and of how many; absent where it is all of it. */
  readonly part?: { readonly nth: number; readonly of: number };
  /** What the words of the question say about it, as a share of what they are worth. */
  readonly score: number;
  /** How near it is to the question in meaning, 0 to 1; 0 where words alone answer. */
  readonly near?: number;
}

export interface PageOffer extends Omit<AnswerPage, 'passages'> {
  readonly score: number;
  /** In the order of the page. Texts are as the answer shows them, without addresses of links. */
  readonly pieces: readonly Piece[];
}

export const MOST_PASSAGES = 2;

/** Parted at the widest gap. A passage is cited by the chunk of it that answers best, and by all its lines. */
export function joinPieces(pieces: readonly Piece[]): AnswerPassage[] {
  const ordered = pieces.toSorted(
    (left, right) => left.position - right.position || (left.part?.nth ?? 0) - (right.part?.nth ?? 0),
  );
  const cut = widestGap(ordered);
  const groups = cut === -1 ? [ordered] : [ordered.slice(0, cut), ordered.slice(cut)];
  return groups.slice(0, MOST_PASSAGES).map(joined);
}

/** Where the second group begins; -1 where all are neighbours. */
function widestGap(ordered: readonly Piece[]): number {
  let widest = 1;
  let cut = -1;
  ordered.forEach((piece, at) => {
    const gap = piece.position - (ordered[at - 1]?.position ?? piece.position);
    if (gap <= widest) return;
    widest = gap;
    cut = at;
  });
  return cut;
}

function joined(group: readonly Piece[]): AnswerPassage {
  const best = group.reduce((most, piece) => (piece.score > most.score ? piece : most));
  const { headings, anchor, chunk } = best;
  const text = group
    .map((piece, at) => {
      const before = group[at - 1];
      const link = before === undefined ? '' : flowsOn(before, piece) ? '\n\n' : '\n…\n';
      return `${link}${piece.text.trim()}`;
    })
    .join('');
  const lines = { first: group[0]?.lines.first ?? 0, last: group.at(-1)?.lines.last ?? 0 };
  return { headings, anchor, chunk, lines, text };
}

/** Whether nothing stands between the two on the page. */
function flowsOn(before: Piece, piece: Piece): boolean {
  const nth = piece.part?.nth ?? 0;
  if (piece.position === before.position) return nth === (before.part?.nth ?? 0) + 1;
  const isEnd = before.part === undefined || before.part.nth + 1 === before.part.of;
  return piece.position === before.position + 1 && isEnd && nth === 0;
}
