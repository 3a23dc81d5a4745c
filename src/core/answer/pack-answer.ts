// Packs an answer into a token budget: a greedy knapsack over scored passages, with at most two passages per page.

import { matchedWeight, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { estimateTokens } from '../model/chunk.ts';
import {
  formatAnswer,
  MAX_PASSAGES,
  mergePassages,
  pageHeader,
  passageHeader,
  type AnswerPage,
  type PageCandidates,
  type PassageCandidate,
} from './answer-page.ts';
import { answerWeights, type AnswerWeights } from './answer-weights.table.ts';
import { passageBlocks, scorePassages, type PassageBlock, type ScoredPassage } from './score-passages.ts';

export interface PackedAnswer {
  readonly pages: readonly AnswerPage[];
  /** Of the text that `formatAnswer` produces. */
  readonly tokens: number;
  /** Pages that were used or skipped: where the next part of the answer begins. */
  readonly used: number;
}

interface ChosenPassage {
  /** Index of the page. */
  readonly page: number;
  readonly passage: PassageCandidate;
}

/** Keeps the order of the pages. The answer never exceeds `budget` tokens. */
export function packAnswer(
  query: ParsedQuery,
  candidatePages: readonly PageCandidates[],
  budget: number,
  weights: AnswerWeights = answerWeights,
): PackedAnswer {
  const chosen = choosePassages(query, candidatePages, budget * 4, weights);
  for (;;) {
    const pages = pagesOf(candidatePages, chosen);
    const tokens = estimateTokens(formatAnswer(pages));
    if (tokens <= budget) return { pages, tokens, used: Math.max(0, ...chosen.map(({ page }) => page + 1)) };
    chosen.pop();
  }
}

/** A shorter snippet says nothing. */
const MIN_CHARS = 300;

/** Greedy: the best likelihood per character first. What no longer fits is skipped, except for one passage, which becomes a snippet. */
function choosePassages(
  query: ParsedQuery,
  candidatePages: readonly PageCandidates[],
  chars: number,
  weights: AnswerWeights,
): ChosenPassage[] {
  const chosen: ChosenPassage[] = [];
  const budget = createAnswerBudget(candidatePages, chars, weights);
  let remaining: readonly ScoredPassage[] = scorePassages(query, candidatePages, weights);
  let canCut = true;
  for (;;) {
    if (!canCut) remaining = remaining.filter((scored) => scored.passage.text.length <= budget.remaining(scored));
    const best = maxBy(
      remaining,
      (scored) => scored.likelihood / (scored.passage.text.length + budget.headerChars(scored) + weights.overheadChars),
    );
    if (best === undefined) return chosen;
    remaining = remaining.filter((scored) => scored !== best);
    const left = budget.remaining(best);
    const fits = best.passage.text.length <= left;
    if (!fits && left < MIN_CHARS) continue;
    const text = fits ? best.passage.text : snippet(query, best.passage.text, left);
    if (text === '') continue;
    canCut &&= fits;
    chosen.push({ page: best.page, passage: { ...best.passage, text } });
    budget.spend(best, text.length);
  }
}

function maxBy<Item>(items: readonly Item[], scoreOf: (item: Item) => number): Item | undefined {
  let max = -1;
  let found: Item | undefined;
  for (const item of items) {
    const score = scoreOf(item);
    if (score <= max) continue;
    max = score;
    found = item;
  }
  return found;
}

function pagesOf(candidatePages: readonly PageCandidates[], chosen: readonly ChosenPassage[]): AnswerPage[] {
  const byPage = Map.groupBy(chosen, ({ page }) => page);
  return candidatePages.flatMap(({ score: _, candidates: __, ...page }, at): AnswerPage[] => {
    const chosenHere = byPage.get(at);
    return chosenHere === undefined
      ? []
      : [{ ...page, passages: mergePassages(chosenHere.map(({ passage }) => passage)) }];
  });
}

/** The remaining characters of an answer, including what headers and separators cost. */
interface AnswerBudget {
  /** Characters that are written before the passage: the header of its page once, and a passage header or a separator. */
  headerChars(choice: ChosenPassage): number;
  /** Characters left for the text of the passage. */
  remaining(choice: ChosenPassage): number;
  spend(choice: ChosenPassage, textChars: number): void;
}

interface Spent {
  readonly chars: number;
  readonly passages: number;
  readonly positions: ReadonlySet<number>;
}

const NOTHING_SPENT: Spent = { chars: 0, passages: 0, positions: new Set() };
const SEPARATOR_CHARS = 4;

function createAnswerBudget(
  candidatePages: readonly PageCandidates[],
  chars: number,
  { pageShare }: AnswerWeights,
): AnswerBudget {
  const pageHeaderChars = candidatePages.map((page) => pageHeader(page).length + SEPARATOR_CHARS);
  const passageHeaderChars = new Map(
    candidatePages.flatMap(({ candidates }) =>
      candidates.map((passage) => [passage.chunk, passageHeader(passage).length] as const),
    ),
  );
  const spentOnPage = new Map<number, Spent>();
  let charsLeft = chars;
  const headerChars = ({ page, passage }: ChosenPassage): number => {
    const spent = spentOnPage.get(page) ?? NOTHING_SPENT;
    const pageChars = spent.chars === 0 ? (pageHeaderChars[page] ?? 0) : 0;
    const hasHeader = spent.passages < MAX_PASSAGES && startsPassage(spent, passage);
    return pageChars + SEPARATOR_CHARS + (hasHeader ? (passageHeaderChars.get(passage.chunk) ?? 0) : 0);
  };
  return {
    headerChars,
    remaining: (choice) =>
      Math.min(charsLeft, chars * pageShare - (spentOnPage.get(choice.page)?.chars ?? 0)) - headerChars(choice),
    spend(choice, textChars) {
      const spent = spentOnPage.get(choice.page) ?? NOTHING_SPENT;
      const cost = headerChars(choice) + textChars;
      spentOnPage.set(choice.page, {
        chars: spent.chars + cost,
        passages: spent.passages + Number(startsPassage(spent, choice.passage)),
        positions: new Set([...spent.positions, choice.passage.position]),
      });
      charsLeft -= cost;
    },
  };
}

/** Whether no adjacent chunk was chosen, so that it begins a passage. */
function startsPassage({ positions }: Spent, { position }: PassageCandidate): boolean {
  return !positions.has(position - 1) && !positions.has(position) && !positions.has(position + 1);
}

/** A query-biased snippet: the whole text if it fits, else the best run of adjacent blocks. `…` marks omissions. */
export function snippet(query: ParsedQuery, text: string, maxChars: number): string {
  if (text.length <= maxChars) return text.trim();
  const blocks = passageBlocks(text);
  const { first, last } = bestRun(query, blocks, maxChars - 8);
  const shown = blocks.slice(first, last + 1);
  const bodyChars = maxChars - 8;
  const body =
    shown.length === 1 && shown[0] !== undefined
      ? truncateBlock(shown[0], bodyChars)
      : shown.map((block) => block.text).join('\n\n');
  const parts = [first > 0 ? '…' : '', body, last + 1 < blocks.length ? '…' : ''];
  return parts.filter((part) => part !== '').join('\n');
}

/** Starts at the block with the highest matched weight and grows to the better neighbour while it fits. */
function bestRun(
  query: ParsedQuery,
  blocks: readonly PassageBlock[],
  maxChars: number,
): { readonly first: number; readonly last: number } {
  const weights = blocks.map((block) => matchedWeight(query, block.text));
  const sizeOf = (at: number): number => (blocks[at]?.text.length ?? Infinity) + 2;
  let first = indexOfMax(weights);
  let last = first;
  let length = sizeOf(first);
  for (;;) {
    // The text after a block explains it more often than the text before it.
    const growsDown = (weights[last + 1] ?? -1) >= (weights[first - 1] ?? -1) * BEFORE_SHARE;
    const next = growsDown ? last + 1 : first - 1;
    if (length + sizeOf(next) > maxChars) return { first, last };
    length += sizeOf(next);
    first = Math.min(first, next);
    last = Math.max(last, next);
  }
}

const BEFORE_SHARE = 0.8;

function indexOfMax(numbers: readonly number[]): number {
  let max = 0;
  numbers.forEach((number, at) => {
    if (number > (numbers[max] ?? 0)) max = at;
  });
  return max;
}

/** Whole lines from the start of a block, with a code fence closed again. */
function truncateBlock({ text, closingFence }: PassageBlock, chars: number): string {
  if (text.length <= chars) return text;
  const lines = text.split('\n');
  const maxChars = chars - (closingFence === null ? 2 : closingFence.length + 3);
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line.length + 1 > maxChars) break;
    shown.push(line);
    length += line.length + 1;
  }
  if (shown.length === 0) return closingFence !== null ? '' : `${text.slice(0, Math.max(0, maxChars)).trimEnd()} …`;
  return [...shown, '…', ...(closingFence === null ? [] : [closingFence])].join('\n');
}
