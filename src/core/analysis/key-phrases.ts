// The phrases that distinguish a page from the others of its source. The same page and frequencies give the same phrases.

import { isCodeLine, lineKinds } from '../markdown/scan-blocks.ts';
import { stem } from '../lexical/tokenize/stem.ts';
import { isLowWeightToken, isStopToken } from '../lexical/tokenize/stop-tokens.ts';

/** A type, because it is stored as JSON. */
export type KeyPhrase = { readonly phrase: string; readonly score: number; readonly count: number };

interface Candidate {
  /** The phrase as it first occurs on the page, in lower case. */
  readonly phrase: string;
  /** The phrase's words as index terms. */
  readonly terms: readonly string[];
  count: number;
  boost: number;
}

export interface PhraseCandidates {
  readonly candidates: readonly Candidate[];
  /** The terms whose document frequencies are needed. */
  readonly terms: readonly string[];
}

/** Term frequencies in the index of a source. */
export interface TermStatistics {
  readonly chunks: number;
  readonly frequencyOf: (term: string) => number;
}

const MIN_PAGE_WORDS = 50;
const MAX_CHARS = 200_000;
const MAX_PHRASE_WORDS = 4;
const MAX_WORD_CHARS = 40;
const MAX_COUNTED = 20_000;
const MAX_SCORED = 200;
const MAX_PHRASES = 10;
const TITLE_BOOST = 1.5;
const HEADING_BOOST = 1.25;
/** A phrase that nearly always occurs inside a longer one is part of it. */
const CONTAINED_SHARE = 0.8;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;
const ONLY_SPACE = /^\s+$/;
/** Matches code and URLs, which are not phrases. */
const NOT_PROSE = /`[^`]*`|\]\([^)\s]{0,200}\)|<[^<>]{0,200}>|https?:\/\/\S+/g;

export function phraseCandidates({ title, text }: { readonly title: string; readonly text: string }): PhraseCandidates {
  const found = new Map<string, Candidate>();
  const cut = text.slice(0, MAX_CHARS);
  const kinds = lineKinds(cut);
  let words = 0;
  for (const [at, line] of cut.split('\n').entries()) {
    if (isCodeLine(kinds[at])) continue;
    words += countLine(line, /^#{1,6} /.test(line) ? HEADING_BOOST : 1, found);
  }
  if (words < MIN_PAGE_WORDS) return { candidates: [], terms: [] };
  countLine(title, TITLE_BOOST, found);
  const candidates = [...found.values()]
    .filter(({ count, boost }) => count > 1 || boost > 1)
    .sort((a, b) => b.count * b.boost - a.count * a.boost || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, MAX_SCORED);
  return { candidates, terms: [...new Set(candidates.flatMap(({ terms }) => terms))].sort() };
}

/** Returns the words of the line. A phrase crosses neither punctuation nor a stop word. */
function countLine(line: string, boost: number, found: Map<string, Candidate>): number {
  const prose = line.replaceAll(NOT_PROSE, ' . ');
  let words = 0;
  let run: string[] = [];
  let end = 0;
  for (const { 0: word, index } of prose.matchAll(WORD)) {
    words += 1;
    if (run.length > 0 && !ONLY_SPACE.test(prose.slice(end, index))) run = [];
    end = index + word.length;
    const lower = word.toLowerCase();
    if (
      isStopToken(stem(lower)) ||
      isLowWeightToken(stem(lower)) ||
      lower.length < 2 ||
      lower.length > MAX_WORD_CHARS ||
      /^[\d_-]+$/.test(lower)
    ) {
      run = [];
      continue;
    }
    run = [...run.slice(1 - MAX_PHRASE_WORDS), lower];
    for (let first = 0; first < run.length; first += 1) countPhrase(run.slice(first), boost, found);
  }
  return words;
}

function countPhrase(words: readonly string[], boost: number, found: Map<string, Candidate>): void {
  const terms = words.map(stem);
  const key = terms.join(' ');
  const known = found.get(key);
  if (known !== undefined) {
    known.count += 1;
    known.boost = Math.max(known.boost, boost);
  } else if (found.size < MAX_COUNTED) found.set(key, { phrase: words.join(' '), terms, count: 1, boost });
}

/** The ten best phrases, by score, then alphabetically. */
export function keyPhrases(
  { candidates }: PhraseCandidates,
  { chunks, frequencyOf }: TermStatistics,
): readonly KeyPhrase[] {
  const contained = containedIn(candidates);
  const weightOf = (term: string): number => {
    const df = Math.min(chunks, frequencyOf(term));
    return Math.log(1 + (chunks - df + 0.5) / (df + 0.5));
  };
  return candidates
    .filter(({ terms }) => !contained.has(terms.join(' ')))
    .map(({ phrase, terms, count, boost }) => {
      const weight = Math.min(...terms.map(weightOf));
      return { phrase, score: Math.round(count * weight * boost * 100) / 100, count };
    })
    .sort((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, MAX_PHRASES);
}

function containedIn(candidates: readonly Candidate[]): ReadonlySet<string> {
  const counts = new Map(candidates.map(({ terms, count }) => [terms.join(' '), count]));
  const contained = new Set<string>();
  for (const { terms, count } of candidates)
    for (const part of partsOf(terms))
      if (count >= (counts.get(part) ?? Infinity) * CONTAINED_SHARE) contained.add(part);
  return contained;
}

/** The shorter runs of words in a phrase. */
function* partsOf(terms: readonly string[]): Generator<string> {
  for (let length = 1; length < terms.length; length += 1)
    for (let first = 0; first + length <= terms.length; first += 1) yield terms.slice(first, first + length).join(' ');
}
