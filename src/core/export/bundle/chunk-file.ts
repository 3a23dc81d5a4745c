// A chunk as a file: `full` with YAML front matter, `compact` with a single line before the text. Runs of more than three
// identical lines, as in generated tables and logs, are written once with a count; importing restores the text and its id.

import { shortChunkId } from '../../chunk/chunk-names.ts';
import type { ManifestTables } from '../manifest/manifest-tsv.ts';
import type { BundleChunk, BundlePage } from './bundle.ts';
import { chunkLabel } from './labels.ts';

const COMPACT = '@llmx\t';
const FENCE = '---\n';

/** A compact file refers to the manifest's tables; without them the file is a full one. */
export function chunkFile(page: BundlePage, chunk: BundleChunk, text: string, tables: ManifestTables | null): string {
  const head = tables === null ? frontMatter(page, chunk) : compactLine(page, chunk, tables);
  return `${head}${collapseRepeats(text)}\n`;
}

/** The text of a chunk file in either format; null if it is not a chunk file. */
export function textOfChunkFile(file: string, maxChars: number): string | null {
  const start = textStart(file);
  if (start === null || !file.endsWith('\n')) return null;
  return expandRepeats(file.slice(start, -1), maxChars);
}

function textStart(file: string): number | null {
  if (file.startsWith(COMPACT)) return file.indexOf('\n') + 1;
  const end = file.startsWith(FENCE) ? file.indexOf(`\n${FENCE}`, FENCE.length - 1) : -1;
  return end === -1 ? null : end + 1 + FENCE.length;
}

function compactLine({ path, kind }: BundlePage, chunk: BundleChunk, tables: ManifestTables): string {
  const { ref, lines } = chunk;
  const numbers = [tables.pathNumber.get(path) ?? 0, tables.kindNumber(kind), lines.first, lines.last];
  return `${COMPACT}${[ref, ...numbers, chunkLabel(chunk)].join('\t')}\n`;
}

function frontMatter(page: BundlePage, chunk: BundleChunk): string {
  const { ref, id, slug, ordinal, passageKind, headings, anchor, symbol, jsonPath, lines, tokens, contentHash } = chunk;
  const fields: Array<readonly [string, unknown]> = [
    ['ref', ref],
    ['id', id],
    ['short_id', shortChunkId(id)],
    ['slug', slug],
    ['path', page.path],
    ['title', page.title],
    ['kind', page.kind],
    ['passage_kind', passageKind],
    ['chunk_index', ordinal],
    ['start_line', lines.first],
    ['end_line', lines.last],
    ['heading_path', headings],
    ['anchor', anchor],
    ['symbol', symbol],
    ['address', jsonPath],
    ['asset_path', page.assetPath],
    ['token_estimate', tokens],
    ['content_hash', contentHash],
  ];
  const written = fields.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${yaml(value)}\n`);
  return `${FENCE}${written.join('')}${FENCE}`;
}

/** JSON is valid YAML, except for characters that YAML requires to be escaped. */
function yaml(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const REPEAT_MARKER = '@llmx-repeat ';
const MAX_PLAIN_REPEATS = 3;

/** `@llmx-repeat 9` means that the line above is repeated nine more times. */
export function collapseRepeats(text: string): string {
  const lines = text.split('\n');
  const written: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    let end = at + 1;
    while (end < lines.length && lines[end] === line) end += 1;
    const run = end - at;
    if (run > MAX_PLAIN_REPEATS) written.push(escapeMarker(line), `${REPEAT_MARKER}${run - 1}`);
    else for (let times = 0; times < run; times += 1) written.push(escapeMarker(line));
    at = end;
  }
  return written.join('\n');
}

/** The inverse. Null if a count is not a number or the text would exceed `maxChars`. */
export function expandRepeats(text: string, maxChars: number): string | null {
  const lines: string[] = [];
  let remainingChars = maxChars;
  for (const line of text.split('\n')) {
    const times = line.startsWith(REPEAT_MARKER) ? countOf(line) : 1;
    const repeated = line.startsWith(REPEAT_MARKER) ? lines.at(-1) : unescapeMarker(line);
    if (times === null || repeated === undefined) return null;
    remainingChars -= times * (repeated.length + 1);
    if (remainingChars < -1) return null;
    for (let nth = 0; nth < times; nth += 1) lines.push(repeated);
  }
  return lines.join('\n');
}

function countOf(line: string): number | null {
  const digits = line.slice(REPEAT_MARKER.length);
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : null;
}

/** A literal marker in the text gets a backslash, or one more. */
function escapeMarker(line: string): string {
  return line.replace(/^\\*(?=@llmx-repeat )/, '\\$&');
}

function unescapeMarker(line: string): string {
  return line.replace(/^\\(?=\\*@llmx-repeat )/, '');
}
