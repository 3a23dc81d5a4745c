// What an answer still has room for, and what a piece costs beside its own text: the head of its page once, the head of a passage for
// the first two, else a mark or a line.

import type { AnswerWeights } from '../answer/answer-weights.table.ts';
import { MOST_PASSAGES, type PageOffer, type Piece } from './join-pieces.ts';
import { pageHead, passageHead } from '../answer/answer-page.ts';

interface Placed {
  readonly page: number;
  readonly piece: Piece;
}

export interface Room {
  /** Characters that are written before the piece. */
  head(one: Placed): number;
  /** Characters of text that the piece may have. */
  left(one: Placed): number;
  /** The piece is taken, with so many characters of text. */
  take(one: Placed, textChars: number): void;
}

interface Taken {
  readonly chars: number;
  readonly passages: number;
  readonly positions: ReadonlySet<number>;
}

const NOTHING: Taken = { chars: 0, passages: 0, positions: new Set() };
const SEPARATORS = 4;

export function roomFor(offers: readonly PageOffer[], chars: number, { pageShare }: AnswerWeights): Room {
  const pageHeads = offers.map((offer) => pageHead(offer).length + SEPARATORS);
  const passageHeads = new Map(
    offers.flatMap(({ pieces }) => pieces.map((piece) => [piece.chunk, passageHead(piece).length] as const)),
  );
  const ofPage = new Map<number, Taken>();
  let all = chars;
  const head = ({ page, piece }: Placed): number => {
    const taken = ofPage.get(page) ?? NOTHING;
    const pageChars = taken.chars === 0 ? (pageHeads[page] ?? 0) : 0;
    const isHeaded = taken.passages < MOST_PASSAGES && isNew(taken, piece);
    return pageChars + SEPARATORS + (isHeaded ? (passageHeads.get(piece.chunk) ?? 0) : 0);
  };
  return {
    head,
    left: (one) => Math.min(all, chars * pageShare - (ofPage.get(one.page)?.chars ?? 0)) - head(one),
    take(one, textChars) {
      const taken = ofPage.get(one.page) ?? NOTHING;
      const cost = head(one) + textChars;
      ofPage.set(one.page, {
        chars: taken.chars + cost,
        passages: taken.passages + Number(isNew(taken, one.piece)),
        positions: new Set([...taken.positions, one.piece.position]),
      });
      all -= cost;
    },
  };
}

/** Whether nothing beside it was taken, so that it begins a passage. */
function isNew({ positions }: Taken, { position }: Piece): boolean {
  return !positions.has(position - 1) && !positions.has(position) && !positions.has(position + 1);
}
