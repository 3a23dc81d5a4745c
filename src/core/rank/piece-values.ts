// What each chunk that is offered to an answer is worth, most first.

import type { AnswerWeights } from './answer-weights.table.ts';
import type { PageOffer, Piece } from './join-pieces.ts';
import { passageBlocks } from './passage-blocks.ts';
import { worthIn, type Question } from './question.ts';

export interface ValuedPiece {
  readonly page: number;
  readonly piece: Piece;
  readonly value: number;
}

export function pieceValues(question: Question, offers: readonly PageOffer[], weights: AnswerWeights): ValuedPiece[] {
  const best = Math.max(1e-9, ...offers.map(({ score }) => score));
  const valued = offers.flatMap((offer, page) => {
    const share = Math.max(0, offer.score / best) ** weights.pageSharpness;
    return ofPage(question, offer.pieces, weights).map(({ piece, value }) => ({ page, piece, value: share * value }));
  });
  return valued.sort(
    (left, right) => right.value - left.value || left.page - right.page || left.piece.position - right.piece.position,
  );
}

function ofPage(
  question: Question,
  pieces: readonly Piece[],
  weights: AnswerWeights,
): Array<{ readonly piece: Piece; readonly value: number }> {
  const scores = new Map(pieces.map(({ position, score }) => [position, score]));
  const smoothed = pieces.map(({ position, score }) => {
    const around = (scores.get(position - 1) ?? 0) + (scores.get(position + 1) ?? 0);
    return score + (weights.neighbours * around) / 2;
  });
  const most = Math.max(1e-9, ...smoothed);
  return pieces.map((piece, at) => {
    const lead = piece.position === 0 ? weights.lead : piece.position === 1 ? weights.lead / 2 : 0;
    const value = (smoothed[at] ?? 0) / most + lead + weights.block * bestBlock(question, piece.text);
    return { piece, value: value / (1 + (weights.length * piece.text.length) / 1000) };
  });
}

function bestBlock(question: Question, text: string): number {
  const worths = passageBlocks(text).map((block) => worthIn(question, block.text));
  return Math.max(0, ...worths) / question.total;
}
