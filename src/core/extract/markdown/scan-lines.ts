// Classifies the lines of a Markdown text as code or not. Linear, and as lenient as real documentation requires: fences
// may be in lists, quotes and components at any indentation.

export type LineKind = 'blank' | 'text' | 'fence' | 'code';

interface Fence {
  readonly marker: string;
  readonly length: number;
  readonly quotes: number;
  readonly indent: number;
}

export interface ScanOptions {
  /** MDX has no indented code, because components indent their content. */
  readonly isMdx?: boolean;
}

const MAX_QUOTES = 100;
const LIST_MARKER = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;
/** Openers of indented containers: MkDocs admonitions and tabs. */
const INDENTED_CONTAINER = /^(?:!!!|\?\?\?\+?|===)\s/;

/** Returns a function that takes the lines in order and returns the kind of each. */
export function createLineScanner(options: ScanOptions = {}): (line: string) => LineKind {
  let fence: Fence | null = null;
  let isInList = false;
  let previous: LineKind = 'blank';

  function next(line: string): LineKind {
    const quotes = quotePrefix(line);
    const rest = line.slice(quotes.length);
    if (fence !== null && quotes.depth >= fence.quotes) {
      const isClose = closesFence(rest, fence);
      if (isClose) fence = null;
      return isClose ? 'fence' : 'code';
    }
    fence = null;
    if (rest.trim() === '') return 'blank';
    fence = openingFence(rest, quotes.depth, isInList || options.isMdx === true);
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

/** Columns of white space before the text; a tab advances to the next multiple of four. */
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

function openingFence(rest: string, quotes: number, anyIndent: boolean): Fence | null {
  const listMarker = LIST_MARKER.exec(rest.slice(0, 200))?.[0] ?? '';
  const body = rest.slice(listMarker.length);
  const indent = indentOf(body);
  if (listMarker === '' && indent > 3 && !anyIndent) return null;
  const [, run] = /^\s*(`{3,}|~{3,})/.exec(body) ?? [];
  if (run === undefined) return null;
  const marker = run[0] ?? '';
  const info = body.slice(body.indexOf(run) + run.length);
  if (marker === '`' && info.includes('`')) return null;
  return { marker, length: run.length, quotes, indent: listMarker.length + indent };
}

function closesFence(rest: string, fence: Fence): boolean {
  if (indentOf(rest) > fence.indent + 3) return false;
  const text = rest.trim();
  if (text.length < fence.length) return false;
  for (const letter of text) if (letter !== fence.marker) return false;
  return true;
}
