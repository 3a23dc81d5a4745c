// The result of the block scanner, and its state while it reads: the current line, the open containers and the open block.

import { columnAfter, skipSpaces, type HtmlEnd } from './markdown-line.ts';
import { MAX_LOOKAHEAD_LINES } from './mdx-module.ts';

export type BlockKind =
  | 'front-matter'
  | 'module'
  | 'heading'
  | 'fence'
  | 'table'
  | 'item'
  | 'admonition'
  | 'quote'
  | 'html'
  | 'indented'
  | 'rule'
  | 'paragraph';

/** A block that is in no other one. The blocks of a text cover it without a gap. */
export interface Block {
  readonly kind: BlockKind;
  readonly start: number;
  /** Offset after the block's last line and the blank lines that follow it. */
  readonly end: number;
  /** 1 to 6 for a heading, 0 for anything else. */
  readonly level: number;
  /** The code in it, in order: of a fence itself, or of those in a list item or a quote. */
  readonly code: readonly CodeSpan[];
}

/** Whole lines of code, with the lines of its fence. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
  /** Null for indented code. */
  readonly fence: Fence | null;
}

export interface Fence {
  /** Offset of the first marker character. */
  readonly at: number;
  /** Number of marker characters. */
  readonly length: number;
  readonly isClosed: boolean;
}

/** What a line is to a reader of the whole text: `code` and `fence` are literal, `module` is not shown. */
export type LineKind = 'blank' | 'text' | 'fence' | 'code' | 'module';

export interface MarkdownScan {
  readonly blocks: readonly Block[];
  /** One for each line of the text. Indented code in a list is text: lists are often indented too far. */
  readonly lineKinds: readonly LineKind[];
}

export interface ScanOptions {
  /** MDX has module lines, and neither HTML blocks nor indented code, because components indent their content. */
  readonly isMdx?: boolean;
  /** A part of a page may lack the list or element that its lines are in: no indented code or HTML, fences at any indent. */
  readonly isExcerpt?: boolean;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface BlockContainer {
  readonly kind: 'quote' | 'item';
  /** Columns that the content of an item is indented by, relative to its container. */
  readonly width: number;
  /** Whether nothing follows the marker yet: a blank line then ends the item. */
  isEmpty: boolean;
}

export interface Scan {
  readonly text: string;
  readonly isMdx: boolean;
  /** Whether any indent is allowed. */
  readonly isLoose: boolean;
  readonly blocks: Array<Mutable<Block> & { code: CodeSpan[] }>;
  readonly lineKinds: LineKind[];
  /** Open quotes and items, outermost first. */
  readonly containers: BlockContainer[];
  /** The open block that may take another line. */
  leaf: 'none' | 'paragraph' | 'table' | 'fence' | 'indented' | 'html';
  code: Mutable<CodeSpan> | null;
  fence: Mutable<Fence> | null;
  fenceColumn: number;
  htmlEnd: HtmlEnd;
  /** Offset of the next closing tag of raw text, once it was searched for. */
  rawTextEnd: number;
  /** The last line of the open paragraph, which may be the header of a table. */
  header: { start: number; end: number };
  isAfterBlank: boolean;
  lookaheadLines: number;
  /** The current line. */
  start: number;
  end: number;
  next: number;
  /** The first visible character that no container has consumed, its column, and the column where its container begins. */
  at: number;
  atColumn: number;
  column: number;
}

/** Shared by all blocks without code. */
const NO_CODE: CodeSpan[] = [];

export function createScan(text: string, { isMdx = false, isExcerpt = false }: ScanOptions): Scan {
  return {
    text,
    isMdx,
    isLoose: isMdx || isExcerpt,
    blocks: [],
    lineKinds: [],
    containers: [],
    leaf: 'none',
    code: null,
    fence: null,
    fenceColumn: 0,
    htmlEnd: 'blank-line',
    rawTextEnd: -1,
    header: { start: 0, end: 0 },
    isAfterBlank: true,
    lookaheadLines: MAX_LOOKAHEAD_LINES,
    start: 0,
    end: 0,
    next: 0,
    at: 0,
    atColumn: 0,
    column: 0,
  };
}

export function moveToLine(scan: Scan, start: number): void {
  const feed = scan.text.indexOf('\n', start);
  scan.start = start;
  scan.end = feed === -1 ? scan.text.length : feed;
  scan.next = feed === -1 ? scan.end : feed + 1;
  scan.column = 0;
  skipIndent(scan, start, 0);
}

export function skipIndent(scan: Scan, from: number, column: number): void {
  scan.at = skipSpaces(scan.text, from, scan.end);
  scan.atColumn = scan.at === from ? column : columnAfter(scan.text, from, scan.at, column);
}

/** The previous block ends where this one starts. */
export function startBlock(scan: Scan, kind: BlockKind, level: number, at = scan.start): void {
  const last = scan.blocks.at(-1);
  if (last !== undefined) last.end = at;
  const start = last === undefined ? 0 : at;
  scan.blocks.push({ kind, start, end: scan.text.length, level, code: NO_CODE });
}

export function startCode(scan: Scan, fence: Mutable<Fence> | null): void {
  const block = scan.blocks.at(-1);
  scan.fence = fence;
  scan.code = { start: scan.start, end: scan.next, fence };
  if (block === undefined) return;
  if (block.code === NO_CODE) block.code = [];
  block.code.push(scan.code);
}

export function closeTo(scan: Scan, depth: number): void {
  if (scan.containers.length > depth) scan.containers.length = depth;
  scan.leaf = 'none';
}

export function addLineKinds(scan: Scan, from: number, to: number, kind: LineKind): void {
  for (let at = scan.text.indexOf('\n', from); at !== -1 && at < to; at = scan.text.indexOf('\n', at + 1))
    scan.lineKinds.push(kind);
}
