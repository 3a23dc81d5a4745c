// Tells line by line what is code in a Markdown text and what is not. Linear, and lenient where documentation is:
// fences may stand in lists, quotes and components at any indentation.

export type LineKind = 'blank' | 'text' | 'fence' | 'code';

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly quotes: number;
  readonly indent: number;
}

export interface ScanOptions {
  /** MDX has no code by indentation, and components indent what they hold. */
  readonly isMdx?: boolean;
}

const MAX_QUOTES = 100;
const LIST_MARKER = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;
/** Openers of indented containers: admonitions and tabs of MkDocs. */
const INDENTED_CONTAINER = /^(?:!!!|\?\?\?\+?|===)\s/;

/** Feed it the lines in order; it answers with each line's kind. */
export function createLineScanner(options: ScanOptions = {}): (line: string) => LineKind {
  let fence: Fence | null = null;
  let isInList = false;
  let previous: LineKind = 'blank';

  function next(line: string): LineKind {
    const quotes = quotePrefix(line);
    const rest = line.slice(quotes.length);
    if (fence !== null && quotes.depth >= fence.quotes) {
      const isClose = closes(rest, fence);
      if (isClose) fence = null;
      return isClose ? 'fence' : 'code';
    }
    fence = null;
    if (rest.trim() === '') return 'blank';
    fence = opens(rest, quotes.depth, isInList || options.isMdx === true);
    if (fence !== null) return 'fence';
    return textOrIndented(rest);
  }

  function textOrIndented(rest: string): LineKind {
    const indent = indentOf(rest);
    if (LIST_MARKER.test(rest) || INDENTED_CONTAINER.test(rest)) {
      if (indent < 4 || isInList) isInList = true;
    } else if (indent < 2 && previous === 'blank') {
      isInList = false;
    }
    const canBeCode = indent >= 4 && !isInList && options.isMdx !== true;
    return canBeCode && (previous === 'blank' || previous === 'code') ? 'code' : 'text';
  }

  return (line) => {
    const kind = next(line);
    if (kind !== 'blank' || previous !== 'code') previous = kind;
    return kind;
  };
}

export function scanLines(lines: readonly string[], options: ScanOptions = {}): readonly LineKind[] {
  return lines.map(createLineScanner(options));
}

/** Columns of white space before the text, a tab counting to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at];
    if (letter === ' ') columns += 1;
    else if (letter === '\t') columns += 4 - (columns % 4);
    else return columns;
  }
  return columns;
}

function quotePrefix(line: string): { readonly depth: number; readonly length: number } {
  let depth = 0;
  let length = 0;
  while (depth < MAX_QUOTES) {
    let at = length;
    while (at - length < 3 && line[at] === ' ') at += 1;
    if (line[at] !== '>') break;
    depth += 1;
    length = line[at + 1] === ' ' ? at + 2 : at + 1;
  }
  return { depth, length };
}

function opens(rest: string, quotes: number, anyIndent: boolean): Fence | null {
  const marker = LIST_MARKER.exec(rest.slice(0, 200))?.[0] ?? '';
  const body = rest.slice(marker.length);
  const indent = indentOf(body);
  if (marker === '' && indent > 3 && !anyIndent) return null;
  const [, run] = /^\s*(`{3,}|~{3,})/.exec(body) ?? [];
  if (run === undefined) return null;
  const mark = run[0] ?? '';
  const info = body.slice(body.indexOf(run) + run.length);
  if (mark === '`' && info.includes('`')) return null;
  return { mark, length: run.length, quotes, indent: marker.length + indent };
}

function closes(rest: string, fence: Fence): boolean {
  if (indentOf(rest) > fence.indent + 3) return false;
  const text = rest.trim();
  if (text.length < fence.length) return false;
  for (const letter of text) if (letter !== fence.mark) return false;
  return true;
}
