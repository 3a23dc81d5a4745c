// The context of every block writer, and the lines that it writes to. Writers of lists, tables and boxes call back through
// it instead of importing the dispatcher, which would be an import cycle.

import type { SourceLineEntry } from '../../../model/document.ts';
import type { HtmlNode } from '../parse/html-node.ts';
import { createOutlineWriter, type OutlineWriter } from './outline-writer.ts';

export interface WriteContext {
  readonly lines: LineWriter;
  readonly resolve: (href: string) => string | null;
  readonly outline: OutlineWriter;
  /** Writes nodes as blocks; adjacent inline nodes become one paragraph. */
  blocks(nodes: readonly HtmlNode[]): void;
  /** Writes nodes as one paragraph. */
  paragraph(nodes: readonly HtmlNode[]): void;
  /** Inline Markdown of nodes, on one or more lines. */
  inline(nodes: readonly HtmlNode[]): string;
}

/** The Markdown being written, as whole lines with the prefixes of the lists and quotes around them. */
export interface LineWriter {
  /** The number of lines above what is written next. */
  count(): number;
  /** The number of lines written. */
  written(): number;
  /** Whether lines get the prefix of a list or quote. */
  isNested(): boolean;
  /** Separates the next block from the lines above by one blank line; no effect at the start of a list item. */
  gap(): void;
  /** Writes one or more lines. Blank lines get no trailing spaces. */
  write(text: string): void;
  /** Runs `body` with every line prefixed by `rest`, the first one by `first`. */
  withPrefix(first: string, rest: string, body: () => void): void;
  /** What is written from here on was read from these offsets of the HTML. */
  readFrom(start: number, end: number): void;
  /** The origin of each write, in order. */
  origins(): readonly WrittenFrom[];
  toString(): string;
}

export interface WrittenFrom {
  /** The number of lines above it. */
  readonly above: number;
  readonly start: number;
  readonly end: number;
}

/** Deeper prefixes are omitted: the text stays, its indentation stops growing. */
const MAX_PREFIX_CHARS = 40;

interface State {
  readonly parts: string[];
  count: number;
  prefix: string;
  /** Replaces the prefix on the next line: the bullet of an item. */
  first: string | null;
  /** The prefix of a pending blank line before the next text: the outermost one since it was requested. */
  gap: string | null;
  origin: { readonly start: number; readonly end: number };
  readonly origins: WrittenFrom[];
}

const NOWHERE = { start: -1, end: -1 };

export function createPageWriters(): Pick<WriteContext, 'lines' | 'outline'> {
  return { lines: createLineWriter(), outline: createOutlineWriter() };
}

function createLineWriter(): LineWriter {
  const state: State = { parts: [], count: 0, prefix: '', first: null, gap: null, origin: NOWHERE, origins: [] };
  return {
    count: () => state.count + (state.gap === null ? 0 : 1),
    written: () => state.count,
    isNested: () => state.prefix !== '' || state.first !== null,
    gap() {
      if (state.count === 0 || state.first !== null) return;
      if (state.gap === null || state.prefix.length < state.gap.length) state.gap = state.prefix;
    },
    write: (text) => write(state, text),
    withPrefix: (first, rest, body) => withPrefix(state, first, rest, body),
    readFrom: (start, end) => void (state.origin = { start, end }),
    origins: () => state.origins,
    toString: () => (state.parts.length === 0 ? '' : `${state.parts.join('\n')}\n`),
  };
}

function write(state: State, text: string): void {
  if (state.gap !== null) {
    state.parts.push(state.gap.trimEnd());
    state.count += 1;
    state.gap = null;
  }
  state.origins.push({ above: state.count, ...state.origin });
  if (state.prefix === '' && state.first === null) {
    state.parts.push(text);
    state.count += 1 + countOf(text, '\n');
    return;
  }
  for (const line of text.split('\n')) {
    const prefix = state.first ?? state.prefix;
    state.first = null;
    state.parts.push(line === '' ? prefix.trimEnd() : prefix + line);
    state.count += 1;
  }
}

function withPrefix(state: State, first: string, rest: string, body: () => void): void {
  const { prefix } = state;
  if (prefix.length + rest.length > MAX_PREFIX_CHARS) {
    body();
    return;
  }
  const outerFirst = state.first;
  state.first = (outerFirst ?? prefix) + first;
  state.prefix = prefix + rest;
  const before = state.count;
  body();
  state.prefix = prefix;
  // If nothing was written, the prefix is not needed and an outer one is still pending.
  state.first = state.count === before ? outerFirst : null;
  if (state.gap !== null && state.gap.length > prefix.length) state.gap = prefix;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** What closes an element that has no end tag may be far below its text. */
const MAX_SKIPPED_CHARS = 1000;

/** Which lines of the HTML the text was read from. Best effort: a table or a block of code has one range. */
export function lineOrigins(html: string, written: readonly WrittenFrom[]): readonly SourceLineEntry[] {
  const lineAt = createLineLookup(html);
  return written
    .filter(({ start }) => start >= 0)
    .map(({ above, start, end }) => {
      const first = lineAt(start);
      return { line: above + 1, first, last: Math.max(first, lineAt(textEnd(html, start, end))) };
    });
}

function textEnd(html: string, start: number, end: number): number {
  const lowest = Math.max(start, end - MAX_SKIPPED_CHARS);
  let at = end;
  while (at > lowest && /\s/.test(html[at - 1] ?? '')) at -= 1;
  return at;
}

/** From 1, by a binary search: writers do not go through a page in its order. */
function createLineLookup(html: string): (offset: number) => number {
  const starts = [0];
  for (let at = html.indexOf('\n'); at !== -1; at = html.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
