// Which lines of a PDF are headings: those that its outline names on their page, then those that are larger than its text.

import { bodySize } from './pdf-layout.ts';
import { isDividedWord, lineEnd, mostFrequent, type PdfLine } from './pdf-lines.ts';
import type { PdfOutline } from './pdf-outline.ts';

export interface HeadingStyle {
  readonly outline: PdfOutline;
  readonly body: number;
  /** Distance of two lines of a paragraph, in sizes of a letter. */
  readonly pitch: number;
  /** What is at least this large is a heading, whether the outline has it or not. */
  readonly minSize: number;
  /** Sizes of headings, the largest first. */
  readonly sizes: readonly number[];
  /** Fonts of headings that the text does not use: a line in one of them may be a heading of the text's size. */
  readonly fonts: ReadonlySet<string>;
  /** The title page ends before this page; on it only the largest lines are a heading. */
  readonly firstPage: number;
  readonly titleSize: number;
}

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly page: number;
  /** The line after it. */
  readonly end: number;
}

const MAX_HEADING_CHARS = 200;
const MAX_HEADING_LINES = 5;
const LARGER = 1.08;
/** An outline with fewer titles says little about the others. */
const MIN_TITLES = 5;

export function headingStyle(lines: readonly PdfLine[], outline: PdfOutline): HeadingStyle {
  const body = bodySize(lines);
  const larger = body * LARGER;
  const isLarge = (line: PdfLine): boolean => line.size > larger && isHeadingText(line);
  const titled = lines.filter((line) => isLarge(line) && outline.levelOf(line.text, line.page) !== null);
  const knowsTitles = titled.length >= MIN_TITLES;
  const minSize = knowsTitles ? titled.reduce((least, { size }) => Math.min(least, size), Infinity) : larger;
  const large = lines.filter((line) => isLarge(line) && line.size >= minSize);
  const firstPage = knowsTitles ? (titled[0]?.page ?? 0) : 0;
  const titleSize = large.reduce((most, { page, size }) => (page < firstPage ? Math.max(most, size) : most), minSize);
  const sizes = [...new Set(large.map(({ size }) => size))].sort((left, right) => right - left);
  const fonts = knowsTitles ? new Set<string>() : headingFonts(lines, large);
  return { outline, body, pitch: pitchOf(lines), minSize, sizes, fonts, firstPage, titleSize };
}

/** Bold ones, most often. The names of fonts and so their weights are not known without drawing a page. */
function headingFonts(lines: readonly PdfLine[], large: readonly PdfLine[]): ReadonlySet<string> {
  const letters = new Map<string, number>();
  for (const { font, text } of lines) if (font !== null) letters.set(font, (letters.get(font) ?? 0) + text.length);
  const common = mostFrequent(letters);
  const counts = new Map<string, number>();
  for (const { font } of large) if (font !== null && font !== common) counts.set(font, (counts.get(font) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= 2).map(([font]) => font));
}

/** Distances between lines of one page, in tenths of a letter's size; the most frequent one is that of paragraphs. */
function pitchOf(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (let at = 1; at < lines.length; at += 1) {
    const distance = distanceOf(lines[at - 1], lines[at]);
    if (distance === null || distance > 3) continue;
    const tenths = Math.round(distance * 10);
    counts.set(tenths, (counts.get(tenths) ?? 0) + 1);
  }
  return (mostFrequent(counts) ?? 12) / 10;
}

/** From one line down to the next, in sizes of its letters; null across pages and columns. */
export function distanceOf(above: PdfLine | undefined, below: PdfLine | undefined): number | null {
  if (above === undefined || below === undefined || above.page !== below.page || below.y >= above.y) return null;
  return (above.y - below.y) / (below.size || 1);
}

/** The heading that begins at a line, if one does. */
export function findHeading(lines: readonly PdfLine[], at: number, style: HeadingStyle): Heading | null {
  const label = chapterLabel(lines, at, style);
  const heading = findTitle(lines, label === null ? at : at + 1, style);
  return heading === null || label === null ? heading : { ...heading, text: `${label}${heading.text}` };
}

function findTitle(lines: readonly PdfLine[], at: number, style: HeadingStyle): Heading | null {
  const first = lines[at] as PdfLine;
  const titled = titledHeading(lines, at, style);
  if (titled !== null) return titled;
  if (isTextSizeHeading(lines, at, style))
    return { level: Math.min(6, style.sizes.length + 1), text: first.text.trim(), page: first.page, end: at + 1 };
  const minSize = first.page < style.firstPage ? style.titleSize : style.minSize;
  if (first.size < minSize || first.size <= style.body * LARGER || !isHeadingText(first)) return null;
  let end = at + 1;
  while (end < lines.length && end - at < MAX_HEADING_LINES && continuesHeading(lines, end)) end += 1;
  return { level: levelOf(first, style), text: joined(lines, at, end), page: first.page, end };
}

/** A title of the outline on its page. One that is not larger than the text has to stand alone. */
function titledHeading(lines: readonly PdfLine[], at: number, style: HeadingStyle): Heading | null {
  const first = lines[at] as PdfLine;
  if (first.size < style.body * 0.98) return null;
  const distance = distanceOf(lines[at - 1], first);
  const isAlone = !first.isMono && (distance === null || distance > style.pitch * 1.25);
  if (first.size <= style.body * LARGER && !isAlone) return null;
  let best: Heading | null = null;
  for (let end = at + 1; end - at <= MAX_HEADING_LINES; end += 1) {
    const text = joined(lines, at, end);
    const level = style.outline.levelOf(text, first.page);
    if (level !== null) best = { level, text, page: first.page, end };
    if (text.length > MAX_HEADING_CHARS || !continuesHeading(lines, end)) break;
  }
  return best;
}

/** A separate short line in a heading font, and not the start of a sentence. */
function isTextSizeHeading(lines: readonly PdfLine[], at: number, { fonts, body, pitch }: HeadingStyle): boolean {
  const [line, next] = [lines[at] as PdfLine, lines[at + 1]];
  if (line.font === null || !fonts.has(line.font) || !isHeadingText(line)) return false;
  if (line.size < body * 0.98 || line.size > body * LARGER) return false;
  if (line.text.trim().length > MAX_HEADING_CHARS / 2 || /[.,;:!?]$/.test(line.text.trim())) return false;
  const distance = distanceOf(lines[at - 1], line);
  return (distance === null || distance > pitch * 1.25) && next?.font !== line.font;
}

function levelOf(line: PdfLine, { sizes }: HeadingStyle): number {
  return Math.min(6, sizes.indexOf(line.size) + 1 || 6);
}

function continuesHeading(lines: readonly PdfLine[], end: number): boolean {
  const [above, below] = [lines[end - 1] as PdfLine, lines[end]];
  const distance = distanceOf(above, below);
  return above.size === below?.size && distance !== null && distance < 1.5;
}

/** Letters, and not code: signatures are often larger than the text. */
function isHeadingText({ text, isMono, table }: PdfLine): boolean {
  return !isMono && table === undefined && text.trim().length < MAX_HEADING_CHARS && /\p{L}/u.test(text);
}

const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty';
const LABEL = new RegExp(`^((?:chapter|part|appendix)\\s+)?(?:\\d{1,3}|[A-Z]|[IVXLC]{1,6}|${NUMBER_WORD})$`, 'i');

/** `Chapter 1` in a separate line above the title: what it adds to the title. Null for any other line. */
function chapterLabel(lines: readonly PdfLine[], at: number, { body }: HeadingStyle): string | null {
  const [line, next] = [lines[at] as PdfLine, lines[at + 1]];
  const text = line.text.trim();
  const match = text.length > 30 ? null : LABEL.exec(text);
  if (match === null || next === undefined || next.page !== line.page || next.size < line.size || line.isMono)
    return null;
  if (match[1] === undefined) return line.size > body * LARGER ? '' : null;
  return `${text} `;
}

function joined(lines: readonly PdfLine[], start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += 1) {
    const line = (lines[at] as PdfLine).text.trim();
    const next = at + 1 < end ? (lines[at + 1] as PdfLine).text.trim() : null;
    text += next === null ? line : lineEnd(line, isDividedWord(line, next));
  }
  return text.trim();
}
