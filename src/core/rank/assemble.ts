// Fits an answer into a number of tokens: which passages of which pages, and how much of each.

import { estimateTokens } from '../model/chunk.ts';
import { answerWeights, type AnswerWeights } from './answer-weights.table.ts';
import { focus } from './focus.ts';
import { withoutLinkTargets } from './plain-passage.ts';
import type { Question } from './question.ts';
import { passageHead, pageHead, type AnswerPage, type AnswerPassage } from './render-answer.ts';

export interface PassageOffer extends Omit<AnswerPassage, 'text'> {
  readonly text: string;
  /** How well it answers, against the other passages of its page. */
  readonly score: number;
}

export interface PageOffer extends Omit<AnswerPage, 'passages'> {
  readonly score: number;
  /** Best first. */
  readonly passages: readonly PassageOffer[];
}

export interface Assembled {
  readonly pages: readonly AnswerPage[];
  /** Of the answer as `renderAnswer` writes it. */
  readonly tokens: number;
  /** How many of the offered pages were used or passed over: where the next part of the answer begins. */
  readonly used: number;
}

interface Item {
  readonly page: number;
  readonly passage: PassageOffer;
  readonly value: number;
  readonly isFirst: boolean;
}

/** Pages stand as they were offered. The answer never has more than `budget` tokens. */
export function assemble(
  question: Question,
  offers: readonly PageOffer[],
  budget: number,
  weights: AnswerWeights = answerWeights,
): Assembled {
  const chosen = new Map<number, AnswerPassage[]>();
  let chars = 0;
  let used = 0;
  for (const { page, passage } of itemsOf(offers, weights)) {
    const offer = offers[page];
    if (offer === undefined) continue;
    const already = chosen.get(page);
    const head = (already === undefined ? pageHead(offer).length : 0) + passageHead(passage).length + SEPARATORS;
    const room = Math.min(weights.passageTokens * 4, budget * 4 - chars - head);
    if (room < MIN_CHARS) continue;
    const text = focus(question, withoutLinkTargets(passage.text), room);
    if (text === '') continue;
    const { score: _, ...cited } = passage;
    chosen.set(page, [...(already ?? []), { ...cited, text }]);
    chars += head + text.length;
    used = Math.max(used, page + 1);
  }
  const pages = [...chosen.keys()]
    .sort((left, right) => left - right)
    .map((page) => answerPage(offers[page], chosen.get(page)));
  return { pages, tokens: estimateTokens('x'.repeat(chars)), used };
}

const SEPARATORS = 4;
/** Less of a passage says nothing. */
const MIN_CHARS = 160;

/** Every passage by what it is worth: that of its page, and its own place there. */
function itemsOf(offers: readonly PageOffer[], weights: AnswerWeights): Item[] {
  const best = Math.max(1e-9, offers[0]?.score ?? 0);
  const items = offers.flatMap((offer, page) => {
    const share = Math.max(0, offer.score / best) ** weights.pageSharpness;
    const top = Math.max(1e-9, offer.passages[0]?.score ?? 0);
    return offer.passages.slice(0, weights.passagesPerPage).map((passage, at): Item => {
      const own = at === 0 ? 1 : weights.second * Math.max(0, passage.score / top);
      return { page, passage, value: share * own, isFirst: at === 0 };
    });
  });
  return items.sort((left, right) => right.value - left.value || left.page - right.page);
}

function answerPage(offer: PageOffer | undefined, passages: readonly AnswerPassage[] | undefined): AnswerPage {
  if (offer === undefined || passages === undefined) throw new Error('a chosen page was never offered');
  const { score: _, ...page } = offer;
  const inOrder = passages.toSorted((left, right) => left.lines.first - right.lines.first);
  return { ...page, passages: inOrder };
}
