// Fits an answer into a number of tokens: which chunks of which pages, joined to at most two passages a page.

import { estimateTokens } from '../model/chunk.ts';
import { answerWeights, type AnswerWeights } from './answer-weights.table.ts';
import { focus } from '../rank/focus.ts';
import { joinPieces, type PageOffer, type Piece } from '../rank/join-pieces.ts';
import { renderAnswer, type AnswerPage } from './answer-page.ts';
import { pieceValues, type ValuedPiece } from './score-passages.ts';
import { roomFor } from '../rank/room-for.ts';
import type { Question } from '../lexical/query/parsed-query.ts';

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

/** Most likely for its characters first; what no longer fits is passed over, or cut once to what answers. */
function choose(question: Question, offers: readonly PageOffer[], chars: number, weights: AnswerWeights): Chosen[] {
  const chosen: Chosen[] = [];
  const room = roomFor(offers, chars, weights);
  let waiting: readonly ValuedPiece[] = pieceValues(question, offers, weights);
  let mayCut = true;
  for (;;) {
    if (!mayCut) waiting = waiting.filter((one) => one.piece.text.length <= room.left(one));
    const best = mostOf(waiting, (one) => one.likely / (one.piece.text.length + room.head(one) + weights.cost));
    if (best === undefined) return chosen;
    waiting = waiting.filter((one) => one !== best);
    const left = room.left(best);
    const fits = best.piece.text.length <= left;
    if (!fits && left < MIN_CHARS) continue;
    const text = fits ? best.piece.text : focus(question, best.piece.text, left);
    if (text === '') continue;
    mayCut &&= fits;
    chosen.push({ page: best.page, piece: { ...best.piece, text } });
    room.take(best, text.length);
  }
}

function mostOf<One>(some: readonly One[], worthOf: (one: One) => number): One | undefined {
  let most = -1;
  let found: One | undefined;
  for (const one of some) {
    const worth = worthOf(one);
    if (worth <= most) continue;
    most = worth;
    found = one;
  }
  return found;
}

function pagesOf(offers: readonly PageOffer[], chosen: readonly Chosen[]): AnswerPage[] {
  const byPage = Map.groupBy(chosen, ({ page }) => page);
  return offers.flatMap(({ score: _, pieces: __, ...page }, at): AnswerPage[] => {
    const own = byPage.get(at);
    return own === undefined ? [] : [{ ...page, passages: joinPieces(own.map(({ piece }) => piece)) }];
  });
}
