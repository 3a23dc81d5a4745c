// The headings and code blocks of a file, read from its own rendering or from pandoc's tree of it. Never from our
// own extractors.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { load } from 'cheerio';
import { unzipSync } from 'fflate';

export interface Truth {
  readonly headings: readonly string[];
  readonly codeBlocks: readonly string[];
  /** Cells of tables with ruling lines; null if a rendering does not tell which tables have them. */
  readonly cells?: readonly string[] | null;
}

export function readMaybeGzipped(path: string): Buffer {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** The headings and `pre` elements inside `root`, without permalinks. */
export function truthOfHtml(html: string, root: string): Truth {
  const $ = load(html);
  $('a.headerlink, .contents, nav, script, style, .toc, #toc, .sphinxsidebar, table.docinfo').remove();
  // Texinfo writes the numbers of footnotes as headings, and the name of the whole manual next to its title.
  $('.contents-heading, .shortcontents-heading, .footnotes-heading, .footnote h5, h1.top').remove();
  const content = $(root);
  const headings = content.find('h1, h2, h3, h4, h5, h6').toArray();
  // A blank line in the code may have become two elements.
  for (const node of content.find('pre + pre').toArray().toReversed()) {
    const before = $(node).prev('pre');
    before.text(`${before.text()}\n\n${$(node).text()}`);
    $(node).remove();
  }
  const blocks = content.find('pre').toArray();
  return {
    headings: headings.map((node) => $(node).text()),
    codeBlocks: blocks.map((node) => $(node).text()),
  };
}

/** The texts of the cells of tables that match `selector`; frames, with one cell in a row, are not tables. */
export function cellsOfHtml(html: string, selector: string): readonly string[] {
  const $ = load(html);
  $('a.headerlink, style, script').remove();
  const tables = $(selector).filter((_, table) => $(table).parents('table').length === 0);
  const cells = tables.toArray().flatMap((table) => {
    const own = $(table)
      .find('td, th, tr')
      .filter((_, node) => $(node).parents('table').length === 1);
    const found = own.filter('td, th').toArray();
    return found.length > own.filter('tr').length ? found : [];
  });
  return cells.map((cell) => $(cell).text());
}

export function textOfHtml(html: string, root: string): string {
  return load(html)(root).text();
}

/** The titles of the slides of a presentation, in their order. */
export function slideTitles(path: string): readonly string[] {
  const files = unzipSync(readFileSync(path), { filter: ({ name }) => /^ppt\/slides\/slide\d+\.xml$/.test(name) });
  const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0]);
  const names = Object.keys(files).toSorted((a, b) => numberOf(a) - numberOf(b));
  return names.flatMap((name) => {
    const $ = load(Buffer.from(files[name] ?? []).toString(), { xml: true });
    const titles = $('p\\:sp').filter((_, shape) =>
      /^(?:ctrT|t)itle$/.test($(shape).find('p\\:ph').attr('type') ?? ''),
    );
    return titles.toArray().map((shape) => $(shape).find('a\\:t').text());
  });
}

type PandocNode = { readonly t: string; readonly c?: unknown };

/** Also the title, which pandoc keeps as metadata. */
export function truthOfPandoc(pandoc: readonly string[], path: string, from: string): Truth {
  const tree = JSON.parse(run(pandoc, ['-f', from, '-t', 'json', '-p', path])) as {
    meta: Record<string, unknown>;
    blocks: unknown;
  };
  const headings: string[] = [];
  const codeBlocks: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    const { t, c } = node as PandocNode;
    if (t === 'Header') headings.push(plain((c as unknown[])[2]));
    else if (t === 'CodeBlock') codeBlocks.push((c as [unknown, string])[1]);
    else Object.values(node).forEach(walk);
  };
  if (tree.meta['title'] !== undefined && from !== 'man') headings.push(plain((tree.meta['title'] as PandocNode).c));
  walk(tree.blocks);
  return { headings, codeBlocks };
}

function plain(node: unknown): string {
  if (Array.isArray(node)) return node.map(plain).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { t, c } = node as PandocNode;
  if (t === 'Str') return c as string;
  if (t === 'Space' || t === 'SoftBreak' || t === 'LineBreak') return ' ';
  if (t === 'Code' || t === 'Math') return (c as [unknown, string])[1];
  return t === 'Note' ? '' : plain(Array.isArray(c) ? c.filter((part) => Array.isArray(part)) : []);
}

export function run(command: readonly string[], args: readonly string[]): string {
  const [program = '', ...first] = command;
  return execFileSync(program, [...first, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

export interface Scores {
  readonly headingPrecision: number;
  readonly headingRecall: number;
  readonly codeExact: number;
  readonly wordRecall: number;
}

export interface Counts {
  headings: number;
  headingsFound: number;
  headingsWritten: number;
  codeBlocks: number;
  codeExact: number;
  words: number;
  wordsFound: number;
  cells: number;
  cellsFound: number;
  cellsWritten: number;
}

export const noCounts = (): Counts => ({
  headings: 0,
  headingsFound: 0,
  headingsWritten: 0,
  codeBlocks: 0,
  codeExact: 0,
  words: 0,
  wordsFound: 0,
  cells: 0,
  cellsFound: 0,
  cellsWritten: 0,
});

/** Compares a document with the truth; `misses` gets what was not found. */
export function compare(
  truth: Truth,
  reference: string,
  ours: { readonly text: string; readonly headings: readonly string[]; readonly isLoose: boolean },
  misses: string[],
): Counts {
  // Renderers of manual pages disagree about blank lines and tab stops, so these are not compared.
  const { isLoose } = ours;
  const written = ours.headings.map(headingKey).filter((key) => key !== '');
  const expected = truth.headings.map(headingKey).filter((key) => key !== '');
  const headings = intersect(expected, written);
  const keyOf = isLoose
    ? (code: string): string =>
        codeKey(code)
          .replace(/\n\n+/g, '\n')
          .replace(/(?<=\S)\s{2,}(?=\S)/g, ' ')
    : codeKey;
  const blocks = truth.codeBlocks.map(keyOf).filter((key) => key !== '');
  const ourBlocks = fencesOf(ours.text).map(keyOf);
  const code = intersect(blocks, ourBlocks);
  const words = intersect(wordsOf(reference), wordsOf(ours.text));
  const expectedCells = (truth.cells ?? []).map(cellKey).filter((key) => key !== '');
  const ourCells =
    truth.cells == null
      ? []
      : cellsOf(ours.text)
          .map(cellKey)
          .filter((key) => key !== '');
  const cells = intersect(expectedCells, ourCells);
  for (const cell of cells.missing) misses.push(`cell missing: ${cell}`);
  for (const cell of intersect(ourCells, expectedCells).missing) misses.push(`cell extra: ${cell}`);
  for (const heading of headings.missing) misses.push(`heading missing: ${heading}`);
  for (const heading of intersect(written, expected).missing) misses.push(`heading extra: ${heading}`);
  for (const block of code.missing) misses.push(`code missing: ${JSON.stringify(block.slice(0, 200))}`);
  for (const word of words.missing.slice(0, 40)) misses.push(`word missing: ${word}`);
  return {
    headings: expected.length,
    headingsFound: headings.found,
    headingsWritten: written.length,
    codeBlocks: blocks.length,
    codeExact: code.found,
    words: words.found + words.missing.length,
    wordsFound: words.found,
    cells: expectedCells.length,
    cellsFound: cells.found,
    cellsWritten: ourCells.length,
  };
}

/** The cells of Markdown tables, and of those with merged cells, which stay HTML. */
function cellsOf(markdown: string): readonly string[] {
  const text = withoutFences(markdown);
  const rows = text.split('\n').filter((line) => /^\|.*\|$/.test(line) && !/^[| :-]+$/.test(line));
  const cells = rows.flatMap((row) => row.slice(1, -1).split(/(?<!\\)\|/));
  const html = [...text.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell = '']) => load(cell).text());
  return [...cells.map((cell) => cell.replaceAll('<br>', ' ')), ...html];
}

function withoutFences(markdown: string): string {
  let fence: string | null = null;
  const lines = markdown.split('\n').filter((line) => {
    const own = /^[ >]*(`{3,})/.exec(line)?.[1];
    const isInside = fence !== null;
    if (fence === null) fence = own ?? null;
    else if (own === fence) fence = null;
    return !isInside && fence === null;
  });
  return lines.join('\n');
}

/** Letters and digits only: words may be divided at other places. */
function cellKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}✓]+/gu, '');
}

function intersect(
  expected: readonly string[],
  written: readonly string[],
): { readonly found: number; readonly missing: readonly string[] } {
  const left = new Map<string, number>();
  for (const key of written) left.set(key, (left.get(key) ?? 0) + 1);
  const missing: string[] = [];
  let found = 0;
  for (const key of expected) {
    const count = left.get(key) ?? 0;
    if (count === 0) missing.push(key);
    else {
      found += 1;
      left.set(key, count - 1);
    }
  }
  return { found, missing };
}

/** Letters and digits only, without the number of the section. */
function headingKey(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^\s*(?:(?:appendix|chapter)\s+)?(?:[A-Z]\.|\d+\.?)(?:\d+\.?)*\s+/i, '')
    .replace(/ Manual Page\s*$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Exact but for the indentation of the whole block, spaces at line ends, and typographic quotes and dots. */
function codeKey(text: string): string {
  const lines = text
    .replaceAll('\u00a0', ' ')
    .replaceAll('…', '...')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .split('\n')
    .map((line) => expandTabs(line).trimEnd());
  while (lines.length > 0 && lines[0] === '') lines.shift();
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  const indent = Math.min(...lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}

function expandTabs(line: string): string {
  let out = '';
  for (const part of line.split(/(\t)/)) out += part === '\t' ? ' '.repeat(8 - (out.length % 8)) : part;
  return out;
}

function fencesOf(markdown: string): readonly string[] {
  const blocks: string[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, prefix = '', fence] = /^([ >]*(?:(?:[-*+]|\d+[.)])\s+)*)(`{3,})[^`]*$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const block: string[] = [];
    for (at += 1; at < lines.length && !(lines[at] ?? '').replace(/^[ >]*/, '').startsWith(fence); at += 1)
      block.push(withoutPrefix(lines[at] ?? '', prefix));
    blocks.push(block.join('\n'));
  }
  return blocks;
}

function withoutPrefix(line: string, prefix: string): string {
  const quotes = prefix.replaceAll(' ', '').replace(/[^>]/g, '').length;
  let rest = line;
  for (let count = 0; count < quotes; count += 1) rest = rest.replace(/^\s*> ?/, '');
  return rest;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .replaceAll('\u00ad', '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
