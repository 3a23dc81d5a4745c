// Recognizes a part of a page that only leads elsewhere: a table of contents, a list of links, breadcrumbs, a row of `Previous` and
// `Next`, or a title alone. It names topics and answers no query.

import { inlineLinks } from '../discover/markdown/inline-links.ts';
import { fencedCode } from '../markdown/scan-blocks.ts';

/** Nearly only links: at most this share of the letters is outside them. */
const MAX_OTHER_SHARE = 0.2;
/** Fewer links with a word between them may be a sentence. */
const MIN_LINKS = 3;
/** The text of a link with more words describes its target. */
const MAX_TITLE_WORDS = 12;

/** More lines that begin with # are the comments of a program. */
const MAX_TITLES = 3;
/** A definition with its parameters, linked to itself: it answers how to call it. */
const SIGNATURE = /^\[`[^`]*\([^`]+\)`\]\(/;

/** Given the Markdown of the part before the targets of its links are stripped. Linear. */
export function isNavigation(markdown: string): boolean {
  if (fencedCode(markdown).length > 0) return false;
  const written = markdown.split('\n').filter((line) => line.trim() !== '');
  const lines = written.filter((line) => !isHeading(line));
  if (lines.length === 0) return written.length <= MAX_TITLES;
  if (lines.some((line) => SIGNATURE.test(line))) return false;
  const total = { links: 0, linkLetters: 0, otherLetters: 0 };
  for (const line of lines) {
    const measured = measureLine(line);
    if (measured.isEnumeration) return false;
    total.links += measured.links;
    total.linkLetters += measured.linkLetters;
    total.otherLetters += measured.otherLetters;
  }
  const { links, linkLetters, otherLetters } = total;
  if (otherLetters === 0) return links > 0;
  return links >= MIN_LINKS && otherLetters <= (linkLetters + otherLetters) * MAX_OTHER_SHARE;
}

interface MeasuredLine {
  readonly links: number;
  readonly linkLetters: number;
  readonly otherLetters: number;
  /** Links with commas between them: a sentence, or an answer such as the known subclasses of a class. */
  readonly isEnumeration: boolean;
}

function measureLine(line: string): MeasuredLine {
  const links = linksIn(line);
  const between = textBetween(line, links);
  const texts = links.map(({ text }) => text);
  const titles = texts.filter((text) => wordsOf(text) <= MAX_TITLE_WORDS);
  const descriptions = texts.filter((text) => wordsOf(text) > MAX_TITLE_WORDS);
  const other = isBreadcrumbs(between) ? between.slice(0, -1) : between;
  return {
    links: links.length,
    linkLetters: lettersOf(titles.join(' ')),
    otherLetters: lettersOf([...other.map(withoutPager), ...descriptions].join(' ')),
    isEnumeration: between.slice(1, -1).some((text) => /^\s*,\s*$/.test(text)),
  };
}

interface LineLink {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A table that Markdown cannot express is HTML. */
const HTML_LINK = /<a\s[^<>]*>(?<text>(?:[^<]|<\/?(?:code|em|strong|span)>)*)<\/a>/g;

function linksIn(line: string): readonly LineLink[] {
  if (!line.includes('<a ')) return inlineLinks(line);
  return [...line.matchAll(HTML_LINK)].map((match) => ({
    text: match.groups?.['text'] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** What is before, between and after the links, without tags and list markers. */
function textBetween(line: string, links: readonly LineLink[]): string[] {
  const texts: string[] = [];
  let from = 0;
  for (const { start, end } of links) {
    texts.push(line.slice(from, start));
    from = Math.max(from, end);
  }
  return [...texts, line.slice(from)].map((text) => text.replaceAll(/<[^<>]{0,200}>/g, ' '));
}

const CRUMB_SEPARATOR = /^[\s*_]*[›»>/→][\s*_]*/;
const MAX_CRUMB_CHARS = 60;

/** `[Home](/) › [Guides](/guides) › Caching`: the last of them is the page itself. */
function isBreadcrumbs(between: readonly string[]): boolean {
  const [before = '', ...after] = between;
  const last = after.at(-1) ?? '';
  if (after.length === 0 || lettersOf(before) > 0 || last.length > MAX_CRUMB_CHARS) return false;
  return CRUMB_SEPARATOR.test(last) && after.slice(0, -1).every((text) => CRUMB_SEPARATOR.test(text));
}

/** Labels of rows and lists of links. */
const PAGER =
  /\b(?:previous|prev|next|up|home|top|back|contents|table of contents|on this page|in this (?:article|page|section)|index|modules?|packages?|parent topic|skip to content)\b/gi;

function withoutPager(text: string): string {
  return text.replaceAll(PAGER, ' ');
}

function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}(?:\s|$)/.test(line);
}

function wordsOf(text: string): number {
  return text.split(/\s+/).length;
}

function lettersOf(text: string): number {
  return text.replaceAll(/<[^<>]{0,200}>/g, '').match(/\p{L}/gu)?.length ?? 0;
}
