// What each chunk that is offered to an answer is worth, most first: how likely it is to answer, for each character that
// it takes. How likely is a product, one factor for each reason; its logarithm was fitted to where answers are found.

import type { AnswerWeights } from './answer-weights.table.ts';
import type { PageOffer, Piece } from './join-pieces.ts';
import { passageBlocks } from './passage-blocks.ts';
import { worthIn, type Question } from './question.ts';
import { headingFit } from './signals.ts';

export interface ValuedPiece {
  readonly page: number;
  readonly piece: Piece;
  readonly value: number;
}

export function pieceValues(question: Question, offers: readonly PageOffer[], weights: AnswerWeights): ValuedPiece[] {
  const best = Math.max(LEAST, ...offers.map(({ score }) => score));
  const valued = offers.flatMap((offer, page) => {
    const share = Math.max(LEAST, offer.score / best) ** weights.pageScore;
    const likely = share / (1 + page) ** weights.pagePlace;
    return ofPage(question, offer.pieces, weights).map(({ piece, value }) => ({ page, piece, value: likely * value }));
  });
  return valued.sort(
    (left, right) => right.value - left.value || left.page - right.page || left.piece.position - right.piece.position,
  );
}

/** A page that has next to nothing of the best one's score may still be shown where there is room. */
const LEAST = 0.05;

function ofPage(
  question: Question,
  pieces: readonly Piece[],
  weights: AnswerWeights,
): Array<{ readonly piece: Piece; readonly value: number }> {
  const scores = new Map(pieces.map(({ position, score }) => [position, score]));
  const most = Math.max(LEAST, ...scores.values());
  const ranked = [...scores.values()].sort((left, right) => right - left);
  return pieces.map((piece) => {
    const reasons =
      weights.look * piece.score +
      weights.heading * headingFit(question, piece.headings) +
      weights.block * bestBlock(question, piece.text) +
      weights.lead * leadOf(piece.position) +
      weights.near * (piece.near ?? 0) +
      (weights.next * (scores.get(piece.position + 1) ?? 0)) / most;
    const place = 1 + ranked.indexOf(piece.score);
    const likely = Math.exp(reasons) / place ** weights.place;
    return { piece, value: likely / (piece.text.length + weights.cost) };
  });
}

function leadOf(position: number): number {
  return position === 0 ? 1 : position === 1 ? 0.8 : 0;
}

function bestBlock(question: Question, text: string): number {
  const worths = passageBlocks(text).map((block) => worthIn(question, block.text));
  return Math.max(0, ...worths) / question.total;
}
