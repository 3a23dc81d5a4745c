// One chunk as a file: `full` with YAML front matter, `compact` with a single line before the text.

import { shortChunkId } from '../../chunk/chunk-names.ts';
import type { BundleChunk, BundleForm, BundlePage } from './bundle.ts';
import { compactRepeats, expandRepeats } from '../repeated-lines.ts';

const COMPACT = '@llmx ';
const FENCE = '---\n';

export function chunkFile(page: BundlePage, chunk: BundleChunk, text: string, form: BundleForm): string {
  const head = form === 'full' ? frontMatter(page, chunk) : compactLine(page, chunk);
  return `${head}${compactRepeats(text)}\n`;
}

/** The text of a chunk, whichever form it was written in; null for a file that is neither. */
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

/** The first chunk of a file names it; where the others belong is in the manifest, and saying it again would cost a tenth. */
function compactLine(page: BundlePage, { ref }: BundleChunk): string {
  return page.chunks[0]?.ref === ref ? `${COMPACT}${ref} ${page.path}\n` : `${COMPACT}${ref}\n`;
}

function frontMatter(page: BundlePage, chunk: BundleChunk): string {
  const { ref, id, slug, kind, headings, anchor, symbol, address, lines, tokens, contentHash } = chunk;
  const fields: Array<readonly [string, unknown]> = [
    ['ref', ref],
    ['id', id],
    ['short_id', shortChunkId(id)],
    ['slug', slug],
    ['path', page.path],
    ['title', page.title],
    ['kind', kind],
    ['headings', headings],
    ['anchor', anchor],
    ['symbol', symbol],
    ['address', address],
    ['lines', [lines.first, lines.last]],
    ['tokens', tokens],
    ['content_hash', contentHash],
  ];
  const written = fields.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${yaml(value)}\n`);
  return `${FENCE}${written.join('')}${FENCE}`;
}

/** JSON is YAML, but for characters that YAML wants escaped. */
function yaml(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
