// Fits an answer into a number of tokens: which chunks of which pages, joined to at most two passages a page.

import { estimateTokens } from '../model/chunk.ts';
import { answerWeights, type AnswerWeights } from './answer-weights.table.ts';
import { focus } from './focus.ts';
import { joinPieces, MOST_PASSAGES, type PageOffer, type Piece } from './join-pieces.ts';
import { pageHead, passageHead, renderAnswer, type AnswerPage } from './render-answer.ts';
import { pieceValues } from './piece-values.ts';
import type { Question } from './question.ts';

export interface Assembled {
  readonly pages: readonly AnswerPage[];
  /** Of the answer as `renderAnswer` writes it. */
  readonly tokens: number;
  /** How many of the offered pages were used or passed over: where the next part of the answer begins. */
  readonly used: number;
}

interface Chosen {
  readonly page: number;
  readonly piece: Piece;
}

/** Pages stand as they were offered. The answer never has more than `budget` tokens. */
export function assemble(
  question: Question,
  offers: readonly PageOffer[],
  budget: number,
  weights: AnswerWeights = answerWeights,
): Assembled {
  const chosen = choose(question, offers, budget * 4, weights);
  for (;;) {
    const pages = pagesOf(offers, chosen);
    const tokens = estimateTokens(renderAnswer(pages));
    if (tokens <= budget) return { pages, tokens, used: Math.max(0, ...chosen.map(({ page }) => page + 1)) };
    chosen.pop();
  }
}

/** Less of a piece says nothing. */
const MIN_CHARS = 300;

/** Most valuable first; what no longer fits is passed over, or cut once to what answers. */
function choose(question: Question, offers: readonly PageOffer[], chars: number, weights: AnswerWeights): Chosen[] {
  const chosen: Chosen[] = [];
  const ofPage = new Map<number, Taken>();
  let left = chars;
  let mayCut = true;
  for (const { page, piece } of pieceValues(question, offers, weights)) {
    const offer = offers[page];
    if (offer === undefined) continue;
    const taken = ofPage.get(page) ?? { chars: 0, passages: 0, positions: new Set() };
    const isNew = !taken.positions.has(piece.position - 1) && !taken.positions.has(piece.position + 1);
    const head = headOf(offer, piece, taken, isNew);
    const room = Math.min(left, chars * weights.pageShare - taken.chars) - head;
    const fits = piece.text.length <= room;
    if (!fits && (!mayCut || room < MIN_CHARS)) continue;
    const text = fits ? piece.text : focus(question, piece.text, room);
    if (text === '') continue;
    mayCut &&= fits;
    chosen.push({ page, piece: { ...piece, text } });
    ofPage.set(page, {
      chars: taken.chars + head + text.length,
      passages: taken.passages + Number(isNew),
      positions: taken.positions.add(piece.position),
    });
    left -= head + text.length;
  }
  return chosen;
}

interface Taken {
  readonly chars: number;
  readonly passages: number;
  readonly positions: Set<number>;
}

/** What is written before a piece: the page's head once, the head of a passage for the first two, else a mark or a line. */
function headOf(offer: PageOffer, piece: Piece, taken: Taken, isNew: boolean): number {
  const pageChars = taken.chars === 0 ? pageHead(offer).length + SEPARATORS : 0;
  return pageChars + SEPARATORS + (isNew && taken.passages < MOST_PASSAGES ? passageHead(piece).length : 0);
}

const SEPARATORS = 4;

function pagesOf(offers: readonly PageOffer[], chosen: readonly Chosen[]): AnswerPage[] {
  const byPage = Map.groupBy(chosen, ({ page }) => page);
  return offers.flatMap(({ score: _, pieces: __, ...page }, at): AnswerPage[] => {
    const own = byPage.get(at);
    return own === undefined ? [] : [{ ...page, passages: joinPieces(own.map(({ piece }) => piece)) }];
  });
}
