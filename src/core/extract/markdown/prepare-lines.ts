// Prepares Markdown and MDX line by line: removes comments that span lines, module lines, and the indentation that
// components add to their content. Fences are kept byte for byte, minus the indentation of their component.

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
const MAX_PARAGRAPH_LINES = 100;

/** `isMdx` is true if the name or type of the page says so; MDX is also detected from the content. */
export function prepareLines(text: string, isMdx: boolean): readonly ScannedLine[] {
  const lines = withoutComments(text.split('\n'));
  const mdx = isMdx || looksLikeMdx(lines);
  return mdx ? dedentComponents(withoutModules(lines)) : classifyLines(lines, false);
}

function classifyLines(lines: readonly string[], isMdx: boolean): readonly ScannedLine[] {
  const kinds = scanLines(lines, { isMdx });
  return lines.map((line, index) => ({ text: line, kind: kinds[index] ?? 'text' }));
}

function looksLikeMdx(lines: readonly string[]): boolean {
  const scan = createLineScanner();
  return lines.some((line) => scan(line) === 'text' && (COMPONENT.test(line) || IMPORT.test(line.slice(0, 3000))));
}

/** A comment at the start of a line runs to its end marker; one inside a paragraph must end in it, or it is text. */
function withoutComments(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('<!--'))) return lines;
  const scan = createLineScanner();
  const output: string[] = [];
  let lastEnd = -1;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const open = scan(line) === 'text' ? openComment(line) : -1;
    if (open !== -1 && lastEnd <= index) lastEnd = endOfComment(lines, index + 1);
    const startsLine = open !== -1 && line.slice(0, open).trim() === '';
    if (open === -1 || (!startsLine && hasBlank(lines, index, lastEnd))) {
      output.push(line);
      continue;
    }
    const last = lines[lastEnd] ?? '-->';
    output.push(...[line.slice(0, open), last.slice(last.indexOf('-->') + 3)].filter((part) => part.trim() !== ''));
    index = lastEnd;
  }
  return output;
}

/** Offset of a comment that this line opens and does not close; comments within a line are left to `reduceMarkup`. */
function openComment(line: string): number {
  const open = line.lastIndexOf('<!--');
  if (open === -1 || line.includes('-->', open)) return -1;
  return codeSpans(line).some(({ start, end }) => start < open && open < end) ? -1 : open;
}

/** The line with the end marker, or the number of lines. The caller caches it, so the search stays linear. */
function endOfComment(lines: readonly string[], from: number): number {
  for (let index = from; index < lines.length; index += 1) if (lines[index]?.includes('-->') === true) return index;
  return lines.length;
}

/** Whether a paragraph ends between the two lines; always true if they are more than MAX_PARAGRAPH_LINES apart. */
function hasBlank(lines: readonly string[], from: number, to: number): boolean {
  if (to >= lines.length || to - from > MAX_PARAGRAPH_LINES) return true;
  for (let index = from; index <= to; index += 1) if (lines[index]?.trim() === '') return true;
  return false;
}

/** Removes import and export statements: they start after a blank line, outside fences, and end with their brackets. */
function withoutModules(lines: readonly string[]): readonly string[] {
  const scan = createLineScanner({ isMdx: true });
  const output: string[] = [];
  let canStart = true;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const kind = scan(line);
    if (kind === 'text' && canStart && startsModule(line.slice(0, 3000))) {
      index = endOfModule(lines, index);
    } else {
      output.push(line);
      canStart = kind === 'blank';
    }
  }
  return output;
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

/** The content of a component is often indented and would otherwise be parsed as code. */
function dedentComponents(lines: readonly string[]): readonly ScannedLine[] {
  const result: ScannedLine[] = [];
  let base = 0;
  let afterTag = false;
  for (const { text, kind } of classifyLines(lines, true)) {
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
  let removed = 0;
  while (removed < columns && (line[at] === ' ' || line[at] === '\t')) {
    removed += line[at] === '\t' ? 4 : 1;
    at += 1;
  }
  return line.slice(at);
}
