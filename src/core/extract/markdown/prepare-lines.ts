// Prepares Markdown and MDX line by line: removes comments that span lines, module lines, and the indentation that
// components add to their content. Fences are kept byte for byte, minus the indentation of their component.

import { codeSpans } from './inline-markdown.ts';
import { isImport } from '../../markdown/mdx-module.ts';
import { columnAfter, skipSpaces } from '../../markdown/markdown-line.ts';
import { lineKinds } from '../../markdown/scan-blocks.ts';
import type { LineKind } from '../../markdown/scan-state.ts';

export interface ScannedLine {
  readonly text: string;
  readonly kind: LineKind;
}

const COMPONENT = /^\s{0,40}<\/?[A-Z][\w.]{0,80}(?=[\s/>]|$)/;
const MDX_LINE = /^(?:\s{0,40}<\/?[A-Z]|import\s)/m;
const TAG_LINE = /^(?:<\/?[A-Za-z]|\/?>$)/;
const MAX_PARAGRAPH_LINES = 100;

/** `isMdx` is true if the page has the name or type of MDX; MDX is also detected from the content. */
export function prepareLines(text: string, isMdx: boolean): readonly ScannedLine[] {
  const visible = withoutComments(text);
  if (isMdx || looksLikeMdx(visible)) return dedentComponents(classifyLines(visible, true));
  return classifyLines(visible, false);
}

function classifyLines(text: string, isMdx: boolean): readonly ScannedLine[] {
  const kinds = lineKinds(text, { isMdx });
  return text.split('\n').flatMap((line, index) => {
    const kind = kinds[index] ?? 'text';
    return kind === 'module' ? [] : [{ text: line, kind }];
  });
}

function looksLikeMdx(text: string): boolean {
  if (!MDX_LINE.test(text)) return false;
  const kinds = lineKinds(text);
  return text.split('\n').some((line, index) => kinds[index] === 'text' && (COMPONENT.test(line) || isImport(line)));
}

/** A comment at the start of a line runs to its end marker; one inside a paragraph must end in it, or it is text. */
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const lines = text.split('\n');
  const kinds = lineKinds(text);
  const output: string[] = [];
  let lastEnd = -1;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const open = kinds[index] === 'text' ? openComment(line) : -1;
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
  return output.join('\n');
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

/** The content of a component is often indented and would otherwise be parsed as code. */
function dedentComponents(lines: readonly ScannedLine[]): readonly ScannedLine[] {
  const result: ScannedLine[] = [];
  let base = 0;
  let afterTag = false;
  for (const { text, kind } of lines) {
    const isCode = kind === 'code';
    const isTag = kind === 'text' && TAG_LINE.test(text.trim());
    const indent = columnAfter(text, 0, skipSpaces(text, 0, text.length), 0);
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
