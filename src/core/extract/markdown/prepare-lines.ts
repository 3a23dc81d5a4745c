// Prepares Markdown and MDX line by line: comments that span lines, module lines and the indentation that components
// give to what they hold are taken out. Fences pass byte for byte, less the indentation of their component.

import { codeSpans } from './inline-markdown.ts';
import { createLineScanner, indentOf, scanLines, type LineKind } from './scan-lines.ts';

export interface ScannedLine {
  readonly text: string;
  readonly kind: LineKind;
}

const IMPORT = /^import\s+(?:[\w*{}\s,$]{1,2000}\sfrom\s*)?["'][^"']{1,500}["'];?\s*$/;
const IMPORT_START = /^import\s*(?:[\w$*]+\s*,?\s*)?\{?[\w\s,$]{0,500}$/;
const EXPORT = /^export\s+(?:default|const|let|var|function|async|class|type|interface|\{|\*)/;
const COMPONENT = /^\s{0,40}<\/?[A-Z][\w.]{0,80}(?=[\s/>]|$)/;
const TAG_LINE = /^(?:<\/?[A-Za-z]|\/?>$)/;
const MAX_MODULE_LINES = 500;
const MAX_PARAGRAPH = 100;

/** `isMdx` when the name or type of the page says so; a page may also show it by itself. */
export function prepareLines(text: string, isMdx: boolean): readonly ScannedLine[] {
  const lines = withoutComments(text.split('\n'));
  const mdx = isMdx || showsMdx(lines);
  return mdx ? dedented(withoutModules(lines)) : scanned(lines, false);
}

function scanned(lines: readonly string[], isMdx: boolean): readonly ScannedLine[] {
  const kinds = scanLines(lines, { isMdx });
  return lines.map((line, index) => ({ text: line, kind: kinds[index] ?? 'text' }));
}

function showsMdx(lines: readonly string[]): boolean {
  const scan = createLineScanner();
  return lines.some((line) => scan(line) === 'text' && (COMPONENT.test(line) || IMPORT.test(line.slice(0, 3000))));
}

/** A comment that starts a line runs to its end mark; one inside a paragraph ends with the paragraph or is text. */
function withoutComments(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('<!--'))) return lines;
  const scan = createLineScanner();
  const kept: string[] = [];
  let lastEnd = -1;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const open = scan(line) === 'text' ? openComment(line) : -1;
    if (open !== -1 && lastEnd <= index) lastEnd = endOfComment(lines, index + 1);
    const startsLine = open !== -1 && line.slice(0, open).trim() === '';
    if (open === -1 || (!startsLine && hasBlank(lines, index, lastEnd))) {
      kept.push(line);
      continue;
    }
    const last = lines[lastEnd] ?? '-->';
    kept.push(...[line.slice(0, open), last.slice(last.indexOf('-->') + 3)].filter((part) => part.trim() !== ''));
    index = lastEnd;
  }
  return kept;
}

/** Where a comment opens that this line does not close; comments within the line are left to the markup pass. */
function openComment(line: string): number {
  const open = line.lastIndexOf('<!--');
  if (open === -1 || line.includes('-->', open)) return -1;
  return codeSpans(line).some(({ start, end }) => start < open && open < end) ? -1 : open;
}

/** The line that holds the end mark, or the number of lines: memorised by the caller, so the search is linear. */
function endOfComment(lines: readonly string[], from: number): number {
  for (let index = from; index < lines.length; index += 1) if (lines[index]?.includes('-->') === true) return index;
  return lines.length;
}

/** Whether a paragraph ends between the two lines; one of more than MAX_PARAGRAPH lines does. */
function hasBlank(lines: readonly string[], from: number, to: number): boolean {
  if (to >= lines.length || to - from > MAX_PARAGRAPH) return true;
  for (let index = from; index <= to; index += 1) if (lines[index]?.trim() === '') return true;
  return false;
}

/** Import and export lines stand between blank lines, outside fences, and end where their brackets do. */
function withoutModules(lines: readonly string[]): readonly string[] {
  const scan = createLineScanner({ isMdx: true });
  const kept: string[] = [];
  let canStart = true;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const kind = scan(line);
    if (kind === 'text' && canStart && startsModule(line.slice(0, 3000))) {
      index = endOfModule(lines, index);
    } else {
      kept.push(line);
      canStart = kind === 'blank';
    }
  }
  return kept;
}

function startsModule(line: string): boolean {
  return IMPORT.test(line) || EXPORT.test(line) || (IMPORT_START.test(line) && /[{,]\s*$/.test(line));
}

function endOfModule(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let index = start; index < lines.length && index < start + MAX_MODULE_LINES; index += 1) {
    depth += bracketBalance(lines[index] ?? '');
    const next = lines[index + 1] ?? '';
    if (depth <= 0 && (next.trim() === '' || startsModule(next.slice(0, 3000)))) return index;
  }
  return start;
}

function bracketBalance(line: string): number {
  let balance = 0;
  for (const [bracket] of line.matchAll(/[{}()[\]]/g)) balance += '{(['.includes(bracket) ? 1 : -1;
  return balance;
}

/** What a component holds is often indented; left so, it would read as code. */
function dedented(lines: readonly string[]): readonly ScannedLine[] {
  const result: ScannedLine[] = [];
  let base = 0;
  let afterTag = false;
  for (const { text, kind } of scanned(lines, true)) {
    const isCode = kind === 'code';
    const isTag = kind === 'text' && TAG_LINE.test(text.trim());
    const indent = indentOf(text);
    if (!isCode && kind !== 'blank' && (afterTag || isTag || indent < base)) base = indent;
    if (kind !== 'blank' && !isCode) afterTag = isTag;
    result.push({ text: base === 0 ? text : withoutIndent(text, base), kind });
  }
  return result;
}

function withoutIndent(line: string, columns: number): string {
  let at = 0;
  let taken = 0;
  while (taken < columns && (line[at] === ' ' || line[at] === '\t')) {
    taken += line[at] === '\t' ? 4 : 1;
    at += 1;
  }
  return line.slice(at);
}
