// A page as bytes, and opened again when it is asked for: as objects and strings, the pages of a folder take several times the
// memory of its files, and most of them are never looked at after they are indexed.

import { unzlibSync, zlibSync } from 'fflate';
import type { Chunk } from '../../src/core/model/chunk.ts';
import type { BrowserPage } from './extract-file.ts';

type PackedName = 'chunks' | 'sourceLines' | 'outline' | 'text';

export interface PackedPage extends Omit<BrowserPage, PackedName> {
  readonly chunkCount: number;
  readonly tokens: number;
  /** JSON of its chunks, their lines and its headings; a text that is in the text of the page is given by its place there. */
  readonly body: Uint8Array;
  /** JSON as well, since UTF-8 alone has no way to write half of a surrogate pair; compressed to a third by `packText`. */
  readonly text: Uint8Array;
}

interface PlacedChunk extends Omit<Chunk, 'text'> {
  readonly text: string | readonly [start: number, end: number];
}

type PackedBody = Pick<BrowserPage, 'sourceLines' | 'outline'> & { readonly chunks: readonly PlacedChunk[] };

export function packPage({ chunks, sourceLines, outline, text, image, ...head }: BrowserPage): PackedPage {
  return {
    // A copy, because a title that is a slice of the text would keep all of it in memory.
    ...(JSON.parse(JSON.stringify(head)) as typeof head),
    ...(image !== undefined && { image }),
    chunkCount: chunks.length,
    tokens: chunks.reduce((sum, chunk) => sum + chunk.tokens, 0),
    body: encodeJson({ chunks: addChunks(chunks, text), sourceLines, outline }),
    text: packText(encodeJson(text)),
  };
}

function addChunks(chunks: readonly Chunk[], text: string): readonly PlacedChunk[] {
  let from = 0;
  return chunks.map((chunk) => {
    const start = text.startsWith(chunk.text, from) ? from : text.indexOf(chunk.text, from);
    // Fences and table headers that are repeated at a cut are in the chunk alone.
    if (start === -1) return chunk;
    from = start + chunk.text.length;
    return { ...chunk, text: [start, from] as const };
  });
}

export type OpenPage = (packed: PackedPage) => BrowserPage;

/** Opens pages lazily, and keeps the last one open: the chunks of a page are asked for one after the other. */
export function createPageOpener(): OpenPage {
  let last: { readonly packed: PackedPage; readonly body: OpenedBody } | null = null;
  const bodyOf = (packed: PackedPage): OpenedBody => {
    if (last?.packed !== packed) last = { packed, body: openBody(packed) };
    return last.body;
  };
  return (packed) => ({
    ...packed,
    get chunks() {
      return bodyOf(packed).chunks;
    },
    get sourceLines() {
      return bodyOf(packed).sourceLines;
    },
    get outline() {
      return bodyOf(packed).outline;
    },
    get text() {
      return bodyOf(packed).text();
    },
  });
}

interface OpenedBody extends Pick<BrowserPage, 'chunks' | 'sourceLines' | 'outline'> {
  readonly text: () => string;
}

/** A filter looks at headings and symbols only, so the text is decoded when it is read. */
function openBody(packed: PackedPage): OpenedBody {
  const { chunks, sourceLines, outline } = decode(packed.body) as PackedBody;
  let decoded: string | null = null;
  const text = (): string => (decoded ??= decode(unpackText(packed.text)) as string);
  const opened = chunks.map(({ text: ref, ...chunk }) => ({
    ...chunk,
    get text() {
      return typeof ref === 'string' ? ref : text().slice(...ref);
    },
  }));
  return { chunks: opened, sourceLines, outline, text };
}

export function packText(json: Uint8Array): Uint8Array {
  return zlibSync(json, { level: 1 });
}

export function unpackText(text: Uint8Array): Uint8Array {
  return unzlibSync(text);
}

export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decode(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
