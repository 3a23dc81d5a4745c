// The order in which the parts of the candidate pages are taken into an answer. It does not depend on the budget.

import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { passageMarkdown } from '../markdown/cited-markdown.ts';
import { fenceFor } from '../markdown/code-fence.ts';
import { sectionPath, type PageSection } from '../outline/heading-path.ts';
import { mergeParts } from './merge-parts.ts';
import type { PageCandidates } from './passage-candidates.ts';
import { scoreParts, type ScoredPart } from './score-parts.ts';

export interface OrderedPart {
  readonly part: ScoredPart;
  /** Which passage it belongs to. */
  readonly passage: string;
  /** What is written besides its text. */
  readonly headerChars: number;
}

/** Passages per page. */
export const MAX_PASSAGES = 3;
/** How much a longer part must be better: the exponent of its length. */
const LENGTH_EXPONENT = 0.7;
/** Characters charged for every part, in addition to its text and header. */
const PART_CHARS = 60;
const SEPARATOR_CHARS = 4;

/** The best part first, then by likelihood for the characters that each costs, given those before it. */
export function* partsInOrder(query: ParsedQuery, pages: readonly PageCandidates[]): Generator<OrderedPart> {
  const opened = new Map<string, Set<PageSection | null>>();
  const passagesOn = new Map<number, number>();
  const citationChars = createCitationChars(pages);
  let remaining = withoutFiller(scoreParts(query, pages)).map((part) => ({
    part,
    passage: passageKey(part),
    citationChars: citationChars(part),
    sectionChars: (part.headings.at(-1)?.length ?? 0) + MAX_HEADING_MARKS,
  }));
  type Remaining = (typeof remaining)[number];
  const headerChars = ({ part, passage, citationChars: chars, sectionChars }: Remaining): number => {
    const sections = opened.get(passage);
    if (sections === undefined) return chars;
    return SEPARATOR_CHARS + (sections.has(part.section) ? 0 : sectionChars);
  };
  const value = (one: Remaining): number =>
    one.part.score - LENGTH_EXPONENT * Math.log(one.part.text.length + headerChars(one) + PART_CHARS);
  for (let best = maxBy(remaining, ({ part }) => part.score); best !== undefined; best = maxBy(remaining, value)) {
    const chosen = best;
    const { part, passage } = chosen;
    yield { part, passage, headerChars: headerChars(chosen) };
    const sections = opened.get(passage);
    if (sections === undefined) passagesOn.set(part.page, (passagesOn.get(part.page) ?? 0) + 1);
    opened.set(passage, (sections ?? new Set()).add(part.section));
    const isFull = passagesOn.get(part.page) === MAX_PASSAGES;
    remaining = remaining.filter(
      (one) => one !== chosen && (one.part.page !== part.page || !isFull || opened.has(one.passage)),
    );
  }
}

/** One word, or a sentence that only points elsewhere, is shown only if there is nothing else. */
function withoutFiller(parts: readonly ScoredPart[]): readonly ScoredPart[] {
  const informative = parts.filter(({ text }) => !isFiller(text));
  return informative.length === 0 ? parts : informative;
}

const MIN_LETTERS = 30;
const MAX_POINTER_CHARS = 200;
const POINTER =
  /^\W*(?:see(?: also)?|refer to|for (?:more|further|additional|complete) (?:information|details))\b[^.\n]*\.?\W*$/i;

function isFiller(text: string): boolean {
  if (text.length <= MAX_POINTER_CHARS && POINTER.test(text)) return true;
  return text.length < 2 * MIN_LETTERS && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < MIN_LETTERS;
}

function maxBy<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  let max = -Infinity;
  let found: Item | undefined;
  for (const item of items) {
    const value = valueOf(item);
    if (value <= max) continue;
    max = value;
    found = item;
  }
  return found;
}

/** A passage is a top-level section of a page with the sections in it, or what is above them all. */
export function passageKey({ page, section, headings }: ScoredPart): string {
  if (section === null) return `${page} ${headings.join('\n')}`;
  const title = headings[0];
  const top = sectionPath(section).find(({ headings: path }) => path.some((heading) => heading !== title));
  return `${page} ${top?.line ?? 0}`;
}

const MIN_FENCE_CHARS = 3;
const LARGEST_POSITION = 50;
const MAX_HEADING_MARKS = 10;

/** What a passage takes without its text. The parts of a section have the same citation, so each is written once. */
function createCitationChars(pages: readonly PageCandidates[]): (part: ScoredPart) => number {
  const written = new Map<PageSection | string, number>();
  return (part) => {
    const cited = part.section ?? `${part.page} ${part.anchor ?? ''}\n${part.headings.join('\n')}`;
    let chars = written.get(cited);
    if (chars === undefined) {
      chars = passageMarkdown({ ...mergeParts(pages, [part]), text: '' }, LARGEST_POSITION).length + 1;
      written.set(cited, chars);
    }
    return chars + 2 * (fenceFor(part.text).length - MIN_FENCE_CHARS);
  };
}
