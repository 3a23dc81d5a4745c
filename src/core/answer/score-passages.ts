// How likely each part of a chunk that is offered to an answer is to answer: a product, one factor for each reason. Its logarithm
// was fitted to where answers are found.

import type { AnswerWeights } from './answer-weights.table.ts';
import type { PageOffer, Piece } from '../rank/join-pieces.ts';
import { isOnlyHeading, passageParts } from '../rank/passage-parts.ts';
import { worthIn, type Question } from '../lexical/query/parsed-query.ts';
import { headingFit } from '../rank/signals.ts';

export interface ValuedPiece {
  readonly page: number;
  readonly piece: Piece;
  /** How likely it is to answer, as a share of something that is the same for all. */
  readonly likely: number;
}

/** In the order of the pages, and of each page. */
export function pieceValues(question: Question, offers: readonly PageOffer[], weights: AnswerWeights): ValuedPiece[] {
  const best = Math.max(LEAST, ...offers.map(({ score }) => score));
  return offers.flatMap((offer, page) => {
    const share = Math.max(LEAST, offer.score / best) ** weights.pageScore;
    const likely = share / (1 + page) ** weights.pagePlace;
    return telling(ofPage(question, offer.pieces, weights)).map((one) => ({
      page,
      piece: one.piece,
      likely: likely * one.likely,
    }));
  });
}

/** A page that has next to nothing of the best one's score may still be shown where there is room. */
const LEAST = 0.05;

function ofPage(
  question: Question,
  pieces: readonly Piece[],
  weights: AnswerWeights,
): Array<{ readonly piece: Piece; readonly likely: number }> {
  const scores = new Map(pieces.map(({ position, score }) => [position, score]));
  const most = Math.max(LEAST, ...scores.values());
  const ranked = [...scores.values()].sort((left, right) => right - left);
  return pieces.flatMap((piece) => {
    const parts = partsOf(question, piece);
    const reasons =
      weights.look * piece.score +
      (weights.lead[piece.position] ?? 0) +
      weights.near * (piece.near ?? 0) +
      (weights.next * (scores.get(piece.position + 1) ?? 0)) / most;
    const place = 1 + ranked.indexOf(piece.score);
    const likely = Math.exp(reasons) / place ** weights.place;
    return parts.map(({ part, worth, heading }) => {
      const more = weights.heading * heading + weights.part * worth - (worth === 0 ? weights.silent : 0);
      return { piece: part, likely: likely * Math.exp(more) };
    });
  });
}

interface PieceOfPart {
  readonly part: Piece;
  /** Of the words of the question that it has, as a share of all. */
  readonly worth: number;
  /** How well the heading above it is the question: the chunk's own, or a nearer one inside of it. */
  readonly heading: number;
}

function partsOf(question: Question, piece: Piece): PieceOfPart[] {
  const texts = passageParts(piece.text);
  const own = headingFit(question, piece.headings);
  let heading = own;
  return texts.map((text, nth) => {
    const line = headingLine(text);
    if (line !== '') heading = Math.max(own, headingFit(question, ['', line]));
    const worth = worthIn(question, text) / question.total;
    return { part: { ...piece, text, part: { nth, of: texts.length } }, worth, heading };
  });
}

/** The path of headings stands above each passage: a heading without a text says nothing more, unless there is nothing else. */
function telling<One extends { readonly piece: Piece }>(some: readonly One[]): readonly One[] {
  const texts = some.filter(({ piece }) => !isOnlyHeading(piece.text));
  return texts.length === 0 ? some : texts;
}

function headingLine(text: string): string {
  if (!text.startsWith('#')) return '';
  const end = text.indexOf('\n');
  return (end === -1 ? text : text.slice(0, end)).replace(/^#+/, '').trim();
}
