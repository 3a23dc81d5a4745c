// Splits candidate chunks into parts and scores how likely each part answers the query: a product with one factor per
// feature, whose logarithm was fitted to the evidence of the questions in test/quality.

import { matchedWeight, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { headingFit } from '../rank/rank-pages.ts';
import { fencedCode, fencePrefix } from '../markdown/scan-blocks.ts';
import type { PageCandidates, PassageCandidate } from './answer-page.ts';
import type { AnswerWeights } from './answer-weights.table.ts';

export interface ScoredPassage {
  /** Index of the page. */
  readonly page: number;
  readonly passage: PassageCandidate;
  /** Relative to the other passages; not a probability. */
  readonly likelihood: number;
}

/** In the order of the pages, and in page order within each. */
export function scorePassages(
  query: ParsedQuery,
  pages: readonly PageCandidates[],
  weights: AnswerWeights,
): ScoredPassage[] {
  const best = Math.max(MIN_SHARE, ...pages.map(({ score }) => score));
  return pages.flatMap(({ score, candidates }, page) => {
    const share = Math.max(MIN_SHARE, score / best) ** weights.pageScore;
    const pageLikelihood = share / (1 + page) ** weights.pageRankDecay;
    return dropBareHeadings(scorePage(query, candidates, weights)).map(({ passage, likelihood }) => ({
      page,
      passage,
      likelihood: pageLikelihood * likelihood,
    }));
  });
}

/** A page with almost none of the best page's score may still be shown if the budget allows. */
const MIN_SHARE = 0.05;

type PassageScore = Omit<ScoredPassage, 'page'>;

function scorePage(
  query: ParsedQuery,
  candidates: readonly PassageCandidate[],
  weights: AnswerWeights,
): PassageScore[] {
  const scores = new Map(candidates.map(({ position, score }) => [position, score]));
  const best = Math.max(MIN_SHARE, ...scores.values());
  const ranked = [...scores.values()].sort((left, right) => right - left);
  return candidates.flatMap((candidate) => {
    const parts = splitCandidate(query, candidate);
    const logLikelihood =
      weights.lexical * candidate.score +
      (weights.lead[candidate.position] ?? 0) +
      weights.similarity * (candidate.similarity ?? 0) +
      (weights.precedesGood * (scores.get(candidate.position + 1) ?? 0)) / best;
    const rank = 1 + ranked.indexOf(candidate.score);
    const likelihood = Math.exp(logLikelihood) / rank ** weights.rankDecay;
    return parts.map(({ part, matched, heading }) => {
      const partLogLikelihood =
        weights.heading * heading + weights.part * matched - (matched === 0 ? weights.noMatchPenalty : 0);
      return { passage: part, likelihood: likelihood * Math.exp(partLogLikelihood) };
    });
  });
}

interface CandidatePart {
  readonly part: PassageCandidate;
  /** Weight of the query terms that it contains, as a share of all. */
  readonly matched: number;
  /** How well the heading above it fits the query: the chunk's own, or a closer one inside it. */
  readonly heading: number;
}

function splitCandidate(query: ParsedQuery, candidate: PassageCandidate): CandidatePart[] {
  const texts = passageParts(candidate.text);
  const chunkFit = headingFit(query, candidate.headings);
  let heading = chunkFit;
  return texts.map((text, nth) => {
    const line = headingLine(text);
    if (line !== '') heading = Math.max(chunkFit, headingFit(query, ['', line]));
    const matched = matchedWeight(query, text) / query.totalWeight;
    return { part: { ...candidate, text, part: { nth, of: texts.length } }, matched, heading };
  });
}

/** The answer shows the heading path above each passage anyway. If there is nothing else, bare headings stay. */
function dropBareHeadings(scored: readonly PassageScore[]): readonly PassageScore[] {
  const withText = scored.filter(({ passage }) => !isOnlyHeading(passage.text));
  return withText.length === 0 ? scored : withText;
}

function headingLine(text: string): string {
  if (!text.startsWith('#')) return '';
  const end = text.indexOf('\n');
  return (end === -1 ? text : text.slice(0, end)).replace(/^#+/, '').trim();
}

/** Shorter blocks say little alone. */
const SHORT_CHARS = 80;
/** A longer part is not extended. */
const LONG_CHARS = 1200;

/**
 * Splits a passage into parts that can be read alone, so that an answer may show some of them. A heading stays with the
 * block below it, a line that ends in a colon with what it introduces, and a very short block with the next one.
 */
export function passageParts(text: string): string[] {
  const parts: string[] = [];
  let continues = false;
  for (const block of passageBlocks(text)) {
    const before = parts.at(-1);
    if (before !== undefined && continues && before.length + block.text.length < LONG_CHARS) {
      parts[parts.length - 1] = `${before}\n\n${block.text}`;
    } else parts.push(block.text);
    continues = block.closingFence === null && introducesNext(block.text.trimEnd());
  }
  return parts;
}

function introducesNext(block: string): boolean {
  return block.length < SHORT_CHARS || block.endsWith(':') || isOnlyHeading(block);
}

function isOnlyHeading(text: string): boolean {
  return text.startsWith('#') && !text.trimEnd().includes('\n');
}

/** A paragraph, list, table or fenced code block. */
export interface PassageBlock {
  readonly text: string;
  /** The line that closes a code block; null for any other block. */
  readonly closingFence: string | null;
}

/** Blocks are separated by blank lines; a code fence with its content is one block, unless it is part of a quote. */
export function passageBlocks(text: string): PassageBlock[] {
  const blocks: PassageBlock[] = [];
  let from = 0;
  for (const { start, end, fence } of fencedCode(text)) {
    const prefix = fence === null ? '' : fencePrefix(text, fence.at);
    if (fence === null || prefix.includes('>')) continue;
    addProse(blocks, text.slice(from, start));
    const closingFence = prefix + text.slice(fence.at, fence.at + fence.length);
    blocks.push({ text: text.slice(start, end).replace(/\n$/, ''), closingFence });
    from = end;
  }
  addProse(blocks, text.slice(from));
  return blocks;
}

function addProse(blocks: PassageBlock[], prose: string): void {
  for (let from = 0, start = 0; from < prose.length;) {
    const feed = prose.indexOf('\n', from);
    const end = feed === -1 ? prose.length : feed;
    const isBlank = prose.slice(from, end).trim() === '';
    const last = isBlank ? from - 1 : feed === -1 || end + 1 === prose.length ? end : -1;
    if (last > start) blocks.push({ text: prose.slice(start, last), closingFence: null });
    from = end + 1;
    if (isBlank) start = from;
  }
}
