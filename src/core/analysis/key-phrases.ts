// The phrases that distinguish a page from the others of its source. The same page and frequencies give the same phrases.

import { isCodeLine, lineKinds } from '../markdown/scan-blocks.ts';
import { stem } from '../lexical/tokenize/stem.ts';
import { isLowWeightToken, isStopToken } from '../lexical/tokenize/stop-tokens.ts';
import { compareText } from '../text/compare-text.ts';

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
  const counter = createCounter();
  const cut = text.slice(0, MAX_CHARS);
  const kinds = lineKinds(cut);
  let words = 0;
  for (const [at, line] of cut.split('\n').entries()) {
    if (isCodeLine(kinds[at])) continue;
    words += counter.add(line, /^#{1,6} /.test(line) ? HEADING_BOOST : 1);
  }
  if (words < MIN_PAGE_WORDS) return { candidates: [], terms: [] };
  counter.add(title, TITLE_BOOST);
  const candidates = counter.found
    .filter(({ count, boost }) => count > 1 || boost > 1)
    .sort((a, b) => b.count * b.boost - a.count * a.boost || compareText(a.phrase, b.phrase))
    .slice(0, MAX_SCORED)
    .map(({ phrase, terms, count, boost }) => ({ phrase, terms, count, boost }));
  return { candidates, terms: [...new Set(candidates.flatMap(({ terms }) => terms))].sort() };
}

/** A candidate in a tree: its children are the phrases that are longer by one word. */
interface Counted extends Candidate {
  readonly longer: Map<string, Counted>;
}

interface Counter {
  readonly found: readonly Counted[];
  /** Returns the words of the line. A phrase crosses neither punctuation nor a stop word. */
  readonly add: (line: string, boost: number) => number;
}

function createCounter(): Counter {
  const found: Counted[] = [];
  const first = new Map<string, Counted>();
  /** By the words of the page, since most of them occur often; null for a word that ends a phrase. */
  const terms = new Map<string, string | null>();

  function termOf(lower: string): string | null {
    const known = terms.get(lower);
    if (known !== undefined) return known;
    const term = phraseTerm(lower);
    terms.set(lower, term);
    return term;
  }

  /** The phrases that end with a word: those that end before it, made longer, and the word alone. */
  function countPhrases(ending: ReadonlyArray<Counted | null>, words: readonly string[], term: string, boost: number) {
    return [null, ...ending.slice(0, MAX_PHRASE_WORDS - 1)].map((shorter, length) => {
      if (shorter === null && length > 0) return null;
      const among = shorter === null ? first : shorter.longer;
      const known = among.get(term);
      if (known !== undefined) {
        known.count += 1;
        known.boost = Math.max(known.boost, boost);
        return known;
      }
      if (found.length >= MAX_COUNTED) return null;
      const phrase = words.slice(-length - 1).join(' ');
      const added = { phrase, terms: [...(shorter?.terms ?? []), term], count: 1, boost, longer: new Map() };
      among.set(term, added);
      found.push(added);
      return added;
    });
  }

  return {
    found,
    add(line, boost) {
      const prose = line.replaceAll(NOT_PROSE, ' . ');
      let count = 0;
      let end = 0;
      let words: string[] = [];
      let ending: ReadonlyArray<Counted | null> = [];
      for (const { 0: word, index } of prose.matchAll(WORD)) {
        count += 1;
        if (words.length > 0 && !ONLY_SPACE.test(prose.slice(end, index))) [words, ending] = [[], []];
        end = index + word.length;
        const lower = word.toLowerCase();
        const term = termOf(lower);
        if (term === null) [words, ending] = [[], []];
        else {
          words = [...words.slice(1 - MAX_PHRASE_WORDS), lower];
          ending = countPhrases(ending, words, term, boost);
        }
      }
      return count;
    },
  };
}

/** The index term of a word; null for a word that no phrase contains. */
function phraseTerm(lower: string): string | null {
  if (lower.length < 2 || lower.length > MAX_WORD_CHARS || /^[\d_-]+$/.test(lower)) return null;
  const term = stem(lower);
  return isStopToken(term) || isLowWeightToken(term) ? null : term;
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
    .sort((a, b) => b.score - a.score || compareText(a.phrase, b.phrase))
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
