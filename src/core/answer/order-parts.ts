// The order in which the parts of the candidate pages are taken into an answer. It does not depend on the budget.

import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { MAX_HEADING_CHARS, MAX_PATH_CHARS, MORE_MARK, passageHeader } from './cited-markdown.ts';
import { fenceFor } from '../markdown/code-fence.ts';
import { isNavigation } from './navigation-parts.ts';
import type { PageCandidates } from './passage-candidates.ts';
import { scoreParts, type ScoredPart } from './score-parts.ts';
import { snippet } from './snippet.ts';

export interface OrderedPart {
  /** A part with the shown window of its text. A longer window of the same part may come later, and replaces it. */
  readonly part: ScoredPart;
  /** Which passage it belongs to. */
  readonly passage: string;
  /** What is written besides its text. */
  readonly headerChars: number;
}

/** Passages per page. */
export const MAX_PASSAGES = 12;
/** How much a longer part must be better: the exponent of its length. */
const LENGTH_EXPONENT = 0.7;
/** Characters charged for every part, in addition to its text and header. */
const PART_CHARS = 60;
const SEPARATOR_CHARS = 4;

interface Candidate {
  readonly part: ScoredPart;
  readonly passage: string;
  readonly source: string;
  /** Characters of a passage without its text: for the first of its source, the first of its page, and any other. */
  readonly sourceChars: number;
  readonly pageChars: number;
  readonly sectionChars: number;
  /** Characters of its window that was taken already. */
  takenChars: number;
  isTaken: boolean;
  value: number;
}

/** Filler is shown only if there is nothing else. */
export function* partsInOrder(query: ParsedQuery, pages: readonly PageCandidates[]): Generator<OrderedPart> {
  const candidates = toCandidates(pages, scoreParts(query, pages));
  const isAnswered = yield* inOrder(query, candidates, isFiller);
  if (!isAnswered) yield* inOrder(query, candidates, () => false);
}

/**
 * Yields the best part first, then by likelihood for the characters that each costs, given those before it. Most parts are never
 * reached, so whether one is left out is decided when its turn comes. Returns whether any was not.
 */
function* inOrder(
  query: ParsedQuery,
  candidates: readonly Candidate[],
  isLeftOut: (part: ScoredPart) => boolean,
): Generator<OrderedPart, boolean> {
  const shown = createShownPassages();
  for (const one of candidates) {
    one.value = one.part.score;
    one.isTaken = false;
    one.takenChars = 0;
  }
  for (let best = bestOf(candidates); best !== null; best = bestOf(candidates)) {
    const { part, passage } = best;
    if (isLeftOut(part)) {
      best.isTaken = true;
      continue;
    }
    const chars = windowChars(best);
    yield { part: windowOf(query, part, chars), passage, headerChars: shown.headerChars(best) };
    best.isTaken = best.takenChars > 0 || chars === part.text.length;
    best.takenChars = chars;
    const isFirst = shown.isEmpty();
    const opensSource = shown.add(best);
    // Only values on the page of the chosen part change, and of its source if it is the first of it; all after the first, which was chosen by its score alone.
    for (const one of candidates) {
      if (one.isTaken) continue;
      if (isFirst || one.part.page === part.page || (opensSource && one.source === best.source))
        one.value = valueOf(one, shown);
    }
  }
  return !shown.isEmpty();
}

function valueOf(candidate: Candidate, shown: ShownPassages): number {
  if (shown.isFull(candidate)) return -Infinity;
  const { part, takenChars } = candidate;
  const chars = windowChars(candidate) - takenChars + shown.headerChars(candidate) + PART_CHARS;
  return part.score - (takenChars > 0 ? REST_COST : 0) - LENGTH_EXPONENT * Math.log(chars);
}

interface ShownPassages {
  isEmpty(): boolean;
  /** Returns whether it is the first of its source. */
  add(candidate: Candidate): boolean;
  /** Whether the page of a candidate may not have another passage. */
  isFull(candidate: Candidate): boolean;
  /** What a candidate would take besides its text. */
  headerChars(candidate: Candidate): number;
}

function createShownPassages(): ShownPassages {
  const passages = new Set<string>();
  const onPage = new Map<number, number>();
  const sources = new Set<string>();
  return {
    isEmpty: () => passages.size === 0,
    add({ passage, source, part: { page } }) {
      if (!passages.has(passage)) onPage.set(page, (onPage.get(page) ?? 0) + 1);
      passages.add(passage);
      const opensSource = !sources.has(source);
      sources.add(source);
      return opensSource;
    },
    isFull: ({ passage, part }) => !passages.has(passage) && (onPage.get(part.page) ?? 0) >= MAX_PASSAGES,
    headerChars({ passage, part, source, sourceChars, pageChars, sectionChars }) {
      if (passages.has(passage)) return SEPARATOR_CHARS;
      if (onPage.has(part.page)) return sectionChars;
      return sources.has(source) ? pageChars : sourceChars;
    },
  };
}

function bestOf(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const one of candidates) {
    if (!one.isTaken && one.value > (best?.value ?? -Infinity)) best = one;
  }
  return best;
}

type HeaderChars = Pick<Candidate, 'sourceChars' | 'pageChars' | 'sectionChars'>;

/** The parts of a section have the same heading, and the sections of a page the same citation, so each is measured once. */
function toCandidates(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): Candidate[] {
  const citations = pages.map(citationChars);
  const headers = new Map<string, HeaderChars>();
  return parts.map((part) => {
    const passage = passageKey(part);
    let chars = headers.get(passage);
    if (chars === undefined) headers.set(passage, (chars = headerCharsOf(part, citations[part.page])));
    const fenceChars = 2 * (fenceFor(part.text).length - MIN_FENCE_CHARS);
    return {
      part,
      passage,
      source: pages[part.page]?.source ?? '',
      sourceChars: chars.sourceChars + fenceChars,
      pageChars: chars.pageChars + fenceChars,
      sectionChars: chars.sectionChars + fenceChars,
      takenChars: 0,
      isTaken: false,
      value: 0,
    };
  });
}

type CitationChars = Pick<HeaderChars, 'sourceChars' | 'pageChars'>;

/** The header of a page without headings and anchor. */
function citationChars(page: PageCandidates): CitationChars {
  const cited = {
    ...page,
    url: `${page.url}#`,
    headings: [''],
    chunkId: '',
    lines: NO_LINES,
    text: '',
    isPartial: false,
  };
  return {
    sourceChars: passageHeader(cited, LARGEST_POSITION).length,
    pageChars: passageHeader(cited, LARGEST_POSITION, cited).length,
  };
}

const NO_LINES = { first: 0, last: 0 };
const ID_CHARS = 16;

function headerCharsOf({ headings, anchor }: ScoredPart, citation: CitationChars = NO_CITATION): HeaderChars {
  const pathChars = headings.reduce((sum, { length }) => sum + length + HEADING_SEPARATOR_CHARS, 0);
  const markChars = anchor?.length ?? ID_CHARS;
  const chars = Math.min(MAX_PATH_CHARS, pathChars) + markChars + FENCE_CHARS + MORE_CHARS;
  const lastChars = Math.min(MAX_HEADING_CHARS, headings.at(-1)?.length ?? 0);
  return {
    sourceChars: citation.sourceChars + chars,
    pageChars: citation.pageChars + chars,
    sectionChars: lastChars + markChars + SECTION_CHARS + MORE_CHARS,
  };
}

const NO_CITATION: CitationChars = { sourceChars: 0, pageChars: 0 };
const HEADING_SEPARATOR_CHARS = 3;
/** Length of `### … #` and a line feed. */
const SECTION_CHARS = 7;
const MORE_CHARS = MORE_MARK.length + SEPARATOR_CHARS;
const MIN_FENCE_CHARS = 3;
const FENCE_CHARS = 2 * MIN_FENCE_CHARS + 6;
const LARGEST_POSITION = 10;

/** A passage is a section of a page without the sections below it, or what is above them all. */
export function passageKey({ page, section, headings }: ScoredPart): string {
  return `${page} ${section === null ? headings.join('\n') : section.line}`;
}

/** A longer part is first shown with the window that matches best, and later with a longer one. */
const WINDOW_CHARS = 500;
const LONGER_WINDOW_CHARS = 800;
/** A shorter rest is not left for later. */
const MIN_REST_CHARS = 150;
/** How much less likely the rest adds anything than the window that matches best. */
const REST_COST = 1;

function windowChars({ part: { text }, takenChars }: Candidate): number {
  if (takenChars > 0) return Math.min(text.length, LONGER_WINDOW_CHARS);
  return text.length <= WINDOW_CHARS + MIN_REST_CHARS ? text.length : WINDOW_CHARS;
}

function windowOf(query: ParsedQuery, part: ScoredPart, chars: number): ScoredPart {
  if (part.text.length <= chars) return part;
  return { ...part, text: snippet(query, part.text, chars), isCut: true };
}

/** A part that says nothing itself, unless it is below a heading that matches; a list of links, unless the query names it. */
function isFiller({ text, features, blocks }: ScoredPart): boolean {
  if (blocks.every(isNavigation)) return features.named === 0;
  return features.heading <= 0 && isPointer(text);
}

const MIN_LETTERS = 30;
const MAX_POINTER_CHARS = 200;
const POINTER =
  /^\W*(?:see(?: also)?|refer to|for (?:more|further|additional|complete) (?:information|details))\b[^.\n]*\.?\W*$/i;

function isPointer(text: string): boolean {
  if (text.length <= MAX_POINTER_CHARS && POINTER.test(text)) return true;
  return text.length < 2 * MIN_LETTERS && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < MIN_LETTERS;
}
