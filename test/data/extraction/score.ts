// Scores the Markdown that an extractor wrote for a page against the ground truth. The Markdown is rendered by a CommonMark
// parser and measured by the same rules as the ground truth.

import { load } from 'cheerio';
import MarkdownIt from 'markdown-it';
import { HTML_ELEMENTS } from './html-elements.table.ts';
import { languageName } from './languages.table.ts';
import { bodies, measure, withoutInvisibles, type Heading } from './measure.ts';
import type { CodeTruth, Truth } from './truth.ts';

export interface PageScore {
  readonly codes: number;
  readonly codesExact: number;
  readonly languages: number;
  readonly languagesKept: number;
  readonly headings: number;
  readonly headingsFound: number;
  /** Found, and at the level on the page. */
  readonly headingsAtLevel: number;
  readonly wordsWanted: number;
  readonly wordsFound: number;
  readonly wordsWritten: number;
  readonly wordsRight: number;
  readonly nearEmpty: boolean;
}

interface WrittenCode {
  readonly text: string;
  readonly language: string | null;
}

/** A page with at least this many words has content. */
const CONTENT_WORDS = 20;
/** If the output has less than this share of them, it counts as near-empty. */
const NEAR_EMPTY_SHARE = 0.2;

const reader = new MarkdownIt({ html: true, linkify: false });
// A generic type in plain text, such as `Vec<T>`, is text, not an element.
for (const rule of ['html_inline', 'html_block'] as const) {
  reader.renderer.rules[rule] = (tokens, index) => textUnlessHtml(tokens[index]?.content ?? '');
}

export function scorePage(truth: Truth, markdown: string): PageScore {
  const written = readMarkdown(markdown);
  const headings = matchHeadings(truth.headings, written.headings);
  const codes = matchCodes(truth.codes, written.codes);
  const words = matchWords(truth, written.words);
  return {
    ...codes,
    ...headings,
    ...words,
    nearEmpty: words.wordsWanted >= CONTENT_WORDS && words.wordsFound < words.wordsWanted * NEAR_EMPTY_SHARE,
  };
}

export function readMarkdown(markdown: string): {
  codes: WrittenCode[];
  headings: readonly Heading[];
  words: ReadonlyMap<string, number>;
} {
  const $ = load(reader.render(markdown));
  const { codes, headings, words } = measure($, bodies($));
  return {
    codes: codes.map(({ text, node }) => {
      const named = `${$(node).attr('class') ?? ''} ${$(node).children('code').attr('class') ?? ''}`;
      return { text, language: languageName(/(?:^|\s)(?:language|lang)-(\S+)/.exec(named)?.[1]) };
    }),
    headings,
    words,
  };
}

function textUnlessHtml(raw: string): string {
  return raw.replaceAll(/<\/?([A-Za-z][\w-]*)[^<>]*>/g, (tag, name: string) =>
    HTML_ELEMENTS.has(name.toLowerCase()) ? tag : tag.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
}

/** Blocks are compared byte for byte, ignoring line feeds at the very end. */
function matchCodes(truths: readonly CodeTruth[], written: readonly WrittenCode[]) {
  const left = written.map((code) => ({ ...code, text: comparable(code.text), used: false }));
  let codesExact = 0;
  let languagesKept = 0;
  for (const truth of truths) {
    const texts = new Set(truth.texts.map(comparable));
    const squeezed = new Set(truth.texts.map(squeeze));
    const exact = left.filter((code) => !code.used && texts.has(code.text));
    const found =
      exact.find((code) => code.language === truth.language) ??
      exact[0] ??
      left.find((code) => !code.used && squeezed.has(squeeze(code.text)));
    if (found === undefined) continue;
    found.used = true;
    if (exact.length > 0) codesExact += 1;
    if (truth.language !== null && found.language === truth.language) languagesKept += 1;
  }
  return {
    codes: truths.length,
    codesExact,
    languages: truths.filter((truth) => truth.language !== null).length,
    languagesKept,
  };
}

/** A no-break space equals a space: some generators use it for indentation. */
function comparable(text: string): string {
  return withoutInvisibles(text).replaceAll('\u00a0', ' ').replace(/\n+$/, '');
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function matchHeadings(truths: readonly Heading[], written: readonly Heading[]) {
  const left = written.map((heading) => ({ level: heading.level, text: headingKey(heading.text), used: false }));
  let headingsFound = 0;
  let headingsAtLevel = 0;
  for (const truth of truths) {
    const same = left.filter((heading) => !heading.used && heading.text === headingKey(truth.text));
    const found = same.find((heading) => heading.level === truth.level) ?? same[0];
    if (found === undefined) continue;
    found.used = true;
    headingsFound += 1;
    if (found.level === truth.level) headingsAtLevel += 1;
  }
  return { headings: truths.length, headingsFound, headingsAtLevel };
}

/** Spacing inside a heading is covered by the word counts. */
function headingKey(text: string): string {
  return squeeze(withoutInvisibles(text).normalize('NFKC'));
}

function matchWords(truth: Truth, written: ReadonlyMap<string, number>) {
  const wanted = new Map(Object.entries(truth.words));
  const optional = new Map(Object.entries(truth.optional));
  let wordsWanted = 0;
  let wordsFound = 0;
  for (const [word, count] of wanted) {
    wordsWanted += count;
    wordsFound += Math.min(count, written.get(word) ?? 0);
  }
  let wordsWritten = 0;
  let wordsRight = 0;
  for (const [word, count] of written) {
    wordsWritten += count;
    wordsRight += Math.min(count, (wanted.get(word) ?? 0) + (optional.get(word) ?? 0));
  }
  return { wordsWanted, wordsFound, wordsWritten, wordsRight };
}
