// What speaks for a page and its best chunk, as numbers of about 0 to 1. Each is one reason that `--explain` can name.

import { isStopToken } from '../lexical/query-terms.ts';
import { eachToken } from '../lexical/tokenize.ts';
import type { Question } from './question.ts';

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
  /** What the first look gave to the best chunk, the second best, and the page as a whole. */
  readonly chunkScore: number;
  readonly secondScore: number;
  readonly pageScore: number;
  /** What the words that stand somewhere on the page are worth. */
  readonly covered: number;
  /** Whose page it is. */
  readonly source: string;
}

export const signalNames = [
  'chunk',
  'second',
  'page',
  'coverage',
  'pageCoverage',
  'title',
  'titleFit',
  'heading',
  'headingFit',
  'path',
  'near',
  'adjacent',
  'nameInHeading',
  'nameInText',
  'length',
  'depth',
  'isIndex',
  'isHub',
  'isRelease',
  'sourceNamed',
] as const;
export type SignalName = (typeof signalNames)[number];
export type Signals = Readonly<Record<SignalName, number>>;

export function signalsOf(question: Question, candidate: RankCandidate): Signals {
  const { url, title, headings, text } = candidate;
  const path = pathOf(url);
  const below = headings.filter((heading) => heading !== title);
  const titled = shares(question, title);
  const headed = shares(question, below.join('\n'));
  const last = shares(question, below.at(-1) ?? '');
  const body = placesOf(question, `${headings.join('\n')}\n\n${text}`);
  const { near, adjacent } = nearness(question, body);
  return {
    chunk: candidate.chunkScore / question.total,
    second: candidate.secondScore / question.total,
    page: candidate.pageScore / question.total,
    coverage: worthOf(question, body.keys()) / question.total,
    pageCoverage: candidate.covered / question.total,
    title: titled.covered,
    titleFit: titled.covered * titled.used,
    heading: headed.covered,
    headingFit: last.covered * last.used,
    path: shares(question, lastSegment(path)).covered,
    near,
    adjacent,
    ...namesFound(question, [title, ...headings, candidate.symbol ?? ''].join('\n'), text),
    length: Math.log2(1 + candidate.pageChunks) / 10,
    depth: path.split('/').length / 10,
    isIndex: Number(candidate.pageKind === 'index'),
    isHub: Number(candidate.pageKind === 'hub'),
    isRelease: Number(isRelease(path)),
    sourceNamed: Number(isNamed(question, candidate.source)),
  };
}

/** How much of the question a text has, and how much of the text the question has. */
function shares(question: Question, text: string): { readonly covered: number; readonly used: number } {
  const tokens = new Set<string>();
  eachToken(text, (token) => tokens.add(token));
  let saying = 0;
  let asked = 0;
  for (const token of tokens) {
    if (isStopToken(token)) continue;
    saying += 1;
    if (question.worth.has(token)) asked += 1;
  }
  return { covered: worthOf(question, tokens) / question.total, used: saying === 0 ? 0 : asked / saying };
}

function worthOf(question: Question, tokens: Iterable<string>): number {
  let worth = 0;
  for (const token of tokens) worth += question.worth.get(token) ?? 0;
  return worth;
}

/** Where the words of the question stand in a text, stop words not counted. */
function placesOf(question: Question, text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  let at = 0;
  eachToken(text, (token) => {
    if (isStopToken(token)) return;
    at += 1;
    if (!question.worth.has(token)) return;
    const known = places.get(token);
    if (known === undefined) places.set(token, [at]);
    else known.push(at);
  });
  return places;
}

const FARTHEST = 10;

function nearness(question: Question, places: ReadonlyMap<string, number[]>): { near: number; adjacent: number } {
  let near = 0;
  let adjacent = 0;
  for (const { first, second, worth } of question.pairs) {
    const distance = closest(places.get(first) ?? [], places.get(second) ?? []);
    if (distance === 1) adjacent += worth;
    if (distance < FARTHEST) near += worth / distance;
  }
  return { near: near / question.pairTotal, adjacent: adjacent / question.pairTotal };
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

function namesFound(
  { names }: Question,
  heading: string,
  text: string,
): { readonly nameInHeading: number; readonly nameInText: number } {
  if (names.length === 0) return { nameInHeading: 0, nameInText: 0 };
  const count = (within: string): number => {
    const small = within.toLowerCase();
    return names.filter((name) => small.includes(name)).length / names.length;
  };
  return { nameInHeading: count(heading), nameInText: count(text) };
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
}

function lastSegment(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return (parts.at(-1) ?? '').replace(/\.(?:x?html?|mdx?)$/, '');
}

/** Lists of changes repeat every word of the documentation and explain few. */
function isRelease(path: string): boolean {
  return /(?:whatsnew|changelog|change-?log|changes|releases?|release-?notes|history|news)(?:[/._-]|$)/i.test(path);
}

/** The question names the source: "git: undo a merge", "in django templates". */
function isNamed(question: Question, source: string): boolean {
  let named = false;
  eachToken(source, (token) => (named ||= question.worth.has(token)));
  return named;
}
