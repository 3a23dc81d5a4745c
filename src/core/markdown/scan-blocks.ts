// The block structure of Markdown and MDX in one pass, linear in the length of the text: the one rule for what is a
// fence, a list, a heading or a table in discovery, extraction, chunking, ranking and answers. Inline markup is ignored.
//
// It agrees with CommonMark and GitHub's tables except where hand-written pages rely on something else:
// a fence in a list item ends at its closing line even if the lines between are not indented, and may itself be indented
// by any amount; a fence in an HTML block is a fence without a blank line before it; `<script>` or `<pre>` without a closing
// tag is text, and a tag that is not a block element starts no HTML block; MkDocs admonitions contain text.

import {
  atxLevel,
  closesFence,
  endsHtmlBlock,
  findRawTextEnd,
  htmlBlockEnd,
  interruptsParagraph,
  isAdmonition,
  isDelimiterRow,
  isThematicBreak,
  listMarkerWidth,
  openingFence,
  setextLevel,
} from './markdown-line.ts';
import { moduleEnd } from './mdx-module.ts';
import {
  addLineKinds,
  closeTo,
  createScan,
  moveToLine,
  skipIndent,
  startBlock,
  startCode,
  type Block,
  type BlockKind,
  type CodeSpan,
  type BlockContainer,
  type LineKind,
  type MarkdownScan,
  type Scan,
  type ScanOptions,
} from './scan-state.ts';
import { frontMatterEnd } from './front-matter-end.ts';

/** Deeper nesting is treated as text. */
const MAX_CONTAINERS = 100;
const GREATER = 0x3e;

export function scanBlocks(text: string, options: ScanOptions = {}): readonly Block[] {
  return scanMarkdown(text, options).blocks;
}

export function scanMarkdown(text: string, options: ScanOptions = {}): MarkdownScan {
  const scan = createScan(text, options);
  let from = frontMatterEnd(text);
  if (from > 0) {
    startBlock(scan, 'front-matter', 0);
    addLineKinds(scan, 0, from, 'text');
    if (from === text.length && !text.endsWith('\n')) scan.lineKinds.push('text');
  }
  while (from < text.length) {
    moveToLine(scan, from);
    const kind = scanLine(scan);
    scan.lineKinds.push(kind);
    scan.isAfterBlank = kind === 'blank' || kind === 'module';
    from = scan.next;
  }
  if (text === '' || text.endsWith('\n')) scan.lineKinds.push('blank');
  return scan;
}

export function isCodeLine(kind: LineKind | undefined): boolean {
  return kind === 'code' || kind === 'fence';
}

export function lineKinds(text: string, options: ScanOptions = {}): readonly LineKind[] {
  return scanMarkdown(text, options).lineKinds;
}

/** The fenced code in a part of a page, in order; none of it is inside another. */
export function fencedCode(text: string): readonly CodeSpan[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  return scanMarkdown(text, { isExcerpt: true }).blocks.flatMap(({ code }) => code);
}

/** Whether a part of a page ends inside fenced code. */
export function endsInFence(text: string): boolean {
  const last = fencedCode(text).at(-1);
  return last !== undefined && last.fence?.isClosed === false && last.end === text.length;
}

/** What precedes the markers of a fence in its line. `- ```js` continues as `  ```js`: a list marker would start another item. */
export function fencePrefix(text: string, fenceAt: number): string {
  const lineStart = text.lastIndexOf('\n', fenceAt - 1) + 1;
  return text.slice(fenceAt === 0 ? 0 : lineStart, fenceAt).replaceAll(/[^>\t]/g, ' ');
}

function scanLine(scan: Scan): LineKind {
  let depth = matchContainers(scan);
  if (scan.leaf === 'fence' && depth < scan.containers.length) {
    // The fence ends with its quote, so the lists around it are matched again without its leniency.
    if (scan.code !== null) scan.code.end = scan.start;
    scan.leaf = 'none';
    moveToLine(scan, scan.start);
    depth = matchContainers(scan);
  }
  return continueLeaf(scan, depth) ?? skipModule(scan) ?? openBlocks(scan, depth);
}

/** Consumes the markers and indents of open containers; returns how many of them go on in this line. */
function matchContainers(scan: Scan): number {
  const { containers } = scan;
  let depth = 0;
  for (; depth < containers.length; depth += 1) {
    const container = containers[depth];
    if (container === undefined) break;
    if (container.kind === 'quote') {
      if (!startsQuote(scan)) break;
      enterQuote(scan);
    } else if (scan.at === scan.end) {
      if (container.isEmpty) break;
    } else if (scan.atColumn - scan.column >= container.width) {
      scan.column += container.width;
      container.isEmpty = false;
    } else if (scan.leaf !== 'fence') break;
  }
  return depth;
}

function startsQuote(scan: Scan): boolean {
  if (scan.at === scan.end || scan.text.charCodeAt(scan.at) !== GREATER) return false;
  return scan.isLoose || scan.leaf === 'fence' || scan.atColumn - scan.column < 4;
}

function enterQuote(scan: Scan): void {
  const from = scan.at + 1;
  const column = scan.atColumn + 1;
  skipIndent(scan, from, column);
  scan.column = scan.at > from ? column + 1 : column;
}

/** Lines of code and HTML, whatever they look like. Null if the line is not part of such a block. */
function continueLeaf(scan: Scan, depth: number): LineKind | null {
  const { leaf } = scan;
  if (leaf === 'none' || leaf === 'paragraph' || leaf === 'table') return null;
  if (depth < scan.containers.length) {
    scan.leaf = 'none';
    return null;
  }
  if (leaf === 'fence') return continueFence(scan);
  return leaf === 'html' ? continueHtml(scan) : continueIndented(scan);
}

function continueFence(scan: Scan): LineKind {
  const { text, at, end, code, fence } = scan;
  if (code === null || fence === null) return 'code';
  code.end = scan.next;
  if (scan.atColumn > scan.fenceColumn + 3 || !closesFence(text, at, end, fence)) return 'code';
  fence.isClosed = true;
  scan.leaf = 'none';
  return 'fence';
}

function continueHtml(scan: Scan): LineKind | null {
  const isBlank = scan.at === scan.end;
  if (scan.htmlEnd === 'blank-line' && (isBlank || openingFence(scan.text, scan.at, scan.end) > 0)) {
    scan.leaf = 'none';
    return null;
  }
  if (endsHtmlBlock(scan.text, scan.at, scan.end, scan.htmlEnd)) scan.leaf = 'none';
  return isBlank ? 'blank' : 'text';
}

function continueIndented(scan: Scan): LineKind | null {
  if (scan.at === scan.end) return 'blank';
  if (scan.atColumn - scan.column < 4) {
    scan.leaf = 'none';
    return null;
  }
  if (scan.code !== null) scan.code.end = scan.next;
  return indentedKind(scan);
}

/** Whether the line is indented so far that no marker counts. */
function isIndentedCode({ isLoose, column, atColumn }: Scan): boolean {
  return atColumn - column > 3 && !isLoose;
}

function indentedKind({ containers }: Scan): LineKind {
  return containers.some(({ kind }) => kind === 'item') ? 'text' : 'code';
}

/** Opens the containers and the block that begin in this line, or adds it to the open paragraph. */
function openBlocks(scan: Scan, matched: number): LineKind {
  if (scan.at === scan.end) {
    closeTo(scan, matched);
    return 'blank';
  }
  let depth = matched;
  while (mayStartBlock(scan, depth)) {
    const isContinued = scan.leaf === 'paragraph' && scan.containers.length === depth;
    const leaf = openLeaf(scan, depth, isContinued);
    if (leaf !== null) return leaf;
    if (!openContainer(scan, depth, isContinued)) break;
    depth += 1;
  }
  if (depth === matched) return addText(scan, depth);
  if (scan.at < scan.end) return startParagraph(scan, depth);
  return scan.containers.at(-1)?.kind === 'item' ? 'text' : 'blank';
}

/** Letters never do, and most lines start with one. */
function mayStartBlock({ text, at, end }: Scan, depth: number): boolean {
  if (at === end || depth >= MAX_CONTAINERS) return false;
  const code = text.charCodeAt(at);
  return code < 0x41 || (code > 0x5a && code < 0x61) || code === 0x7e;
}

function skipModule(scan: Scan): LineKind | null {
  const end = scan.isMdx && scan.isAfterBlank ? moduleEnd(scan.text, scan.start, scan) : 0;
  if (end === 0) return null;
  closeTo(scan, 0);
  startBlock(scan, 'module', 0);
  addLineKinds(scan, scan.start, scan.text.lastIndexOf('\n', end - 2) + 1, 'module');
  scan.next = end;
  return 'module';
}

/** Headings, rules, fences and HTML. `isContinued` means that the line would otherwise continue a paragraph. */
function openLeaf(scan: Scan, depth: number, isContinued: boolean): LineKind | null {
  const { text, at, end } = scan;
  const code = text.charCodeAt(at);
  const isIndented = isIndentedCode(scan);
  if (code === 0x60 || code === 0x7e) return openFence(scan, depth, isIndented);
  if (isIndented) return null;
  if (code === 0x3c) return scan.isLoose ? null : openHtml(scan, depth);
  const level = atxLevel(text, at, end);
  if (level > 0) return openLine(scan, depth, 'heading', level);
  const underlineLevel = isContinued ? setextLevel(text, at, end) : 0;
  if (underlineLevel > 0) return underline(scan, underlineLevel);
  if (isThematicBreak(text, at, end)) return openLine(scan, depth, 'rule', 0);
  return !isContinued && isAdmonition(text, at, end) ? openAdmonition(scan, depth) : null;
}

/** Its content is indented by four columns, whatever follows the marker. */
function openAdmonition(scan: Scan, depth: number): LineKind {
  const width = scan.atColumn - scan.column + 4;
  pushContainer(scan, depth, 'admonition', { kind: 'item', width, isEmpty: false });
  scan.leaf = 'paragraph';
  scan.header = { start: scan.start, end: scan.end };
  return 'text';
}

function openLine(scan: Scan, depth: number, kind: BlockKind, level: number): LineKind {
  closeTo(scan, depth);
  if (depth === 0) startBlock(scan, kind, level);
  return 'text';
}

function openFence(scan: Scan, depth: number, isIndented: boolean): LineKind | null {
  const length = openingFence(scan.text, scan.at, scan.end);
  if (length === 0) return null;
  if (isIndented && !scan.containers.slice(0, depth).some(({ kind }) => kind === 'item')) return null;
  openLine(scan, depth, 'fence', 0);
  scan.leaf = 'fence';
  scan.fenceColumn = scan.atColumn;
  startCode(scan, { at: scan.at, length, isClosed: false });
  return 'fence';
}

function openHtml(scan: Scan, depth: number): LineKind | null {
  const { text, at, end } = scan;
  const htmlEnd = htmlBlockEnd(text, at, end);
  if (htmlEnd === null) return null;
  if (htmlEnd === 'raw-text-tag') {
    if (scan.rawTextEnd < at) scan.rawTextEnd = findRawTextEnd(text, at);
    if (scan.rawTextEnd === Infinity) return null;
  }
  openLine(scan, depth, 'html', 0);
  if (!endsHtmlBlock(text, at, end, htmlEnd)) scan.leaf = 'html';
  scan.htmlEnd = htmlEnd;
  return 'text';
}

/** A paragraph followed by an underline is a heading. */
function underline(scan: Scan, level: number): LineKind {
  const block = scan.blocks.at(-1);
  if (block !== undefined && scan.containers.length === 0) {
    block.kind = 'heading';
    block.level = level;
  }
  scan.leaf = 'none';
  return 'text';
}

function openContainer(scan: Scan, depth: number, isContinued: boolean): boolean {
  const { text, at, end } = scan;
  if (isIndentedCode(scan)) return false;
  const indent = scan.atColumn - scan.column;
  if (text.charCodeAt(at) === GREATER) {
    pushContainer(scan, depth, 'quote', { kind: 'quote', width: 0, isEmpty: false });
    enterQuote(scan);
    return true;
  }
  const width = listMarkerWidth(text, at, end);
  if (width === 0 || (isContinued && !interruptsParagraph(text, at, end, width))) return false;
  const column = scan.atColumn + width;
  skipIndent(scan, at + width, column);
  const isEmpty = scan.at === end;
  // Five or more columns are one space and indented code.
  const padding = isEmpty || scan.atColumn - column > 4 ? 1 : scan.atColumn - column;
  scan.column = column + padding;
  pushContainer(scan, depth, 'item', { kind: 'item', width: indent + width + padding, isEmpty });
  return true;
}

function pushContainer(scan: Scan, depth: number, kind: BlockKind, container: BlockContainer): void {
  closeTo(scan, depth);
  if (depth === 0) startBlock(scan, kind, 0);
  scan.containers.push(container);
}

/** A line without a marker: it continues a paragraph, even if it lacks the markers of its containers, or starts a block. */
function addText(scan: Scan, depth: number): LineKind {
  const isMatched = depth === scan.containers.length;
  if (scan.leaf === 'paragraph') {
    const isIndented = isIndentedCode(scan);
    if (isMatched && !isIndented && isDelimiterRow(scan.text, scan.at, scan.end)) startTable(scan);
    scan.header = { start: scan.start, end: isIndented ? scan.start : scan.end };
    return 'text';
  }
  if (scan.leaf === 'table' && isMatched) return 'text';
  return startParagraph(scan, depth);
}

/** The header of a table is the last line of the paragraph before it. */
function startTable(scan: Scan): void {
  const { start, end } = scan.header;
  const pipe = scan.text.indexOf('|', start);
  if (pipe === -1 || pipe >= end) return;
  scan.leaf = 'table';
  const block = scan.blocks.at(-1);
  if (block === undefined || scan.containers.length > 0) return;
  if (skipLeadingBlankLines(scan.text, block.start) >= start) block.kind = 'table';
  else startBlock(scan, 'table', 0, start);
}

function skipLeadingBlankLines(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.lastIndexOf('\n', at) + 1;
}

function startParagraph(scan: Scan, depth: number): LineKind {
  const isIndented = isIndentedCode(scan);
  closeTo(scan, depth);
  if (depth === 0) startBlock(scan, isIndented ? 'indented' : 'paragraph', 0);
  scan.leaf = isIndented ? 'indented' : 'paragraph';
  scan.header = { start: scan.start, end: scan.end };
  if (!isIndented) return 'text';
  startCode(scan, null);
  return indentedKind(scan);
}
