// A question as ranking sees it: its words with what each is worth, their order, and the names in it.

import { spottedWords, spotWords, type SpottedWords } from './match-terms.ts';
import { queryTokens, type QueryTerm } from '../query-terms.ts';
import { isStopToken } from '../tokenize/stop-tokens.ts';

export interface Question {
  /** What each word is worth: its weight times its rarity in what is searched. */
  readonly worth: ReadonlyMap<string, number>;
  readonly total: number;
  /** The same words, to be found in texts. */
  readonly spotted: SpottedWords;
  /** Neighbours in the question, stop words left out, each pair with the lesser worth of the two. */
  readonly pairs: ReadonlyArray<{ readonly first: string; readonly second: string; readonly worth: number }>;
  readonly pairTotal: number;
  /** Names, flags and options as they were written, in small letters. */
  readonly names: readonly string[];
}

export function questionOf(query: string, terms: readonly QueryTerm[], worths: readonly number[]): Question {
  const worth = new Map(terms.map(({ term }, at) => [term, worths[at] ?? 0]));
  const pairs = pairsOf(query, worth);
  return {
    worth,
    total: Math.max(1e-9, sum([...worth.values()])),
    spotted: spottedWords(worth.keys()),
    pairs,
    pairTotal: Math.max(1e-9, sum(pairs.map((pair) => pair.worth))),
    names: namesIn(query),
  };
}

function pairsOf(query: string, worth: ReadonlyMap<string, number>): Question['pairs'] {
  const tokens = queryTokens(query).filter((token) => !isStopToken(token));
  const pairs: Array<Question['pairs'][number]> = [];
  for (let at = 0; at + 1 < tokens.length && at < MAX_PAIRS; at += 1) {
    const first = tokens[at] ?? '';
    const second = tokens[at + 1] ?? '';
    const least = Math.min(worth.get(first) ?? 0, worth.get(second) ?? 0);
    if (first !== second && least > 0) pairs.push({ first, second, worth: least });
  }
  return pairs;
}

/** What the words of the question that a text has are worth together. */
export function worthIn(question: Question, text: string): number {
  const seen = new Set<string>();
  spotWords(question.spotted, text, (word) => seen.add(word));
  let worth = 0;
  for (const token of seen) worth += question.worth.get(token) ?? 0;
  return worth;
}

const MAX_PAIRS = 48;
const MAX_NAMES = 8;
const NAME_SIGN = /[a-z][A-Z]|[\w)][_.:@/-]+\w|^--?\w|^@\w|^[A-Z][A-Z_]{2,}$|\(\)$/;

/** What looks like code in a question: `readFileSync`, `--watch`, `max_connections`, `EACCES`. */
export function namesIn(query: string): string[] {
  const words = query.slice(0, 1000).split(/[\s,;"'`?!<>{}[\]=|]+/);
  const names = words.filter((word) => word.length > 2 && word.length <= 80 && NAME_SIGN.test(word));
  const bare = names.map((name) => trimmed(name.toLowerCase())).filter((name) => name.length > 2);
  return [...new Set(bare)].slice(0, MAX_NAMES);
}

function trimmed(name: string): string {
  let end = name.length;
  while (end > 0 && '().:/,'.includes(name.charAt(end - 1))) end -= 1;
  let start = 0;
  while (start < end && '(./:'.includes(name.charAt(start))) start += 1;
  return name.slice(start, end);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
