// What speaks for a page and its best chunk, as numbers of about 0 to 1. Each is one reason that `--explain` can name.

import { spotWords } from '../lexical/query/match-terms.ts';
import { isStopToken } from '../lexical/tokenize/stop-tokens.ts';
import { eachToken } from '../lexical/tokenize/tokenize.ts';
import { isListing, isRelease } from './path-roles.ts';
import type { Question } from '../lexical/query/parsed-query.ts';

export interface RankCandidate {
  readonly url: string;
  readonly title: string;
  /** From the page title down. */
  readonly headings: readonly string[];
  readonly symbol: string | null;
  readonly text: string;
  /** What the page is for, as core/analyse guessed it; null where it is not known. */
  readonly pageKind: string | null;
  readonly pageChunks: number;
  /** What the first look gave to the best chunk, the two after it, the page's beginning, and the page as a whole. */
  readonly chunkScore: number;
  readonly secondScore: number;
  readonly thirdScore: number;
  readonly leadScore: number;
  readonly pageScore: number;
  /** What the words that stand somewhere on the page are worth. */
  readonly covered: number;
  /** Whose page it is. */
  readonly source: string;
}

export const signalNames = [
  'chunk',
  'second',
  'third',
  'lead',
  'page',
  'coverage',
  'pageCoverage',
  'headingFit',
  'near',
  'nameInHeading',
  'titleWords',
  'length',
  'depth',
  'isIndex',
  'isHub',
  'isRelease',
  'isListing',
] as const;
export type SignalName = (typeof signalNames)[number];
export type Signals = Readonly<Record<SignalName, number>>;

export function signalsOf(question: Question, candidate: RankCandidate): Signals {
  const { url, title, headings, text, symbol } = candidate;
  const path = pathOf(url);
  const body = placesOf(question, `${headings.join('\n')}\n\n${text}`);
  return {
    chunk: candidate.chunkScore / question.total,
    second: candidate.secondScore / question.total,
    third: candidate.thirdScore / question.total,
    lead: candidate.leadScore / question.total,
    page: candidate.pageScore / question.total,
    coverage: worthOf(question, body.keys()) / question.total,
    pageCoverage: candidate.covered / question.total,
    headingFit: headingFit(question, headings, title),
    near: nearness(question, body),
    nameInHeading: namesFound(question, [title, ...headings, symbol ?? ''].join('\n')),
    titleWords: Math.min(1, sayingTokens(title).size / MANY_WORDS),
    length: Math.log2(1 + candidate.pageChunks) / 10,
    depth: path.split('/').length / 10,
    isIndex: Number(candidate.pageKind === 'index'),
    isHub: Number(candidate.pageKind === 'hub'),
    isRelease: Number(isRelease(path)),
    isListing: Number(isListing(path)),
  };
}

/** A title of more words says no more. */
const MANY_WORDS = 12;

function sayingTokens(text: string): Set<string> {
  const tokens = new Set<string>();
  eachToken(text, (token) => {
    if (!isStopToken(token)) tokens.add(token);
  });
  return tokens;
}

/** How well the innermost heading is the question: what it has of it, and how little else. */
export function headingFit(question: Question, headings: readonly string[], title = headings[0]): number {
  const last = headings.findLast((heading) => heading !== title);
  if (last === undefined) return 0;
  const tokens = sayingTokens(last);
  if (tokens.size === 0) return 0;
  const asked = [...tokens].filter((token) => question.worth.has(token));
  return (worthOf(question, asked) / question.total) * (asked.length / tokens.size);
}

function worthOf(question: Question, tokens: Iterable<string>): number {
  let worth = 0;
  for (const token of tokens) worth += question.worth.get(token) ?? 0;
  return worth;
}

/** Where the words of the question stand in a text, stop words not counted. */
function placesOf(question: Question, text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  spotWords(question.spotted, text, (word, place) => {
    if (isStopToken(word)) return;
    const known = places.get(word);
    if (known === undefined) places.set(word, [place]);
    else known.push(place);
  });
  return places;
}

const FARTHEST = 10;

/** How near to each other neighbours of the question stand: 1 where all of them are neighbours in the text too. */
function nearness(question: Question, places: ReadonlyMap<string, number[]>): number {
  let near = 0;
  for (const { first, second, worth } of question.pairs) {
    const distance = closest(places.get(first) ?? [], places.get(second) ?? []);
    if (distance < FARTHEST) near += worth / distance;
  }
  return near / question.pairTotal;
}

/** The least distance between two sorted lists of places. */
function closest(left: readonly number[], right: readonly number[]): number {
  let least = FARTHEST;
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const distance = (right[r] ?? 0) - (left[l] ?? 0);
    least = Math.min(least, Math.max(1, Math.abs(distance)));
    if (distance === 1) return 1;
    if (distance > 0) l += 1;
    else r += 1;
  }
  return least;
}

function namesFound({ names }: Question, text: string): number {
  if (names.length === 0) return 0;
  const small = text.toLowerCase();
  return names.filter((name) => small.includes(name)).length / names.length;
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
}
