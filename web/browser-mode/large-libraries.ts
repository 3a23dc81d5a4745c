// Large libraries as files of the origin-private file system, one page a line: neither writing nor reading needs a copy of the whole
// library. A browser without it, and a page that was opened from a disk, has none.

import { sha256Hex } from '../../src/core/model/hash.ts';
import { concatBytes } from '../../src/core/export/zip/zip-records.ts';
import type { SavedLibrary, SavedSpace } from './library-model.ts';
import { encodeJson, packText, unpackText, type PackedPage } from './packed-page.ts';

const BATCH_BYTES = 1024 * 1024;

/** False if this browser cannot keep it. */
export async function writeFile(library: SavedLibrary): Promise<boolean> {
  try {
    const file = await (await folder()).getFileHandle(fileName(library.name), { create: true });
    // It replaces the file when it is closed, so that a page that is left in between keeps the former one.
    const stream = await file.createWritable();
    let batch: Uint8Array[] = [];
    let size = 0;
    for (const part of partsOf(library)) {
      batch.push(part);
      size += part.byteLength;
      if (size < BATCH_BYTES) continue;
      await stream.write(concatBytes(batch) as Uint8Array<ArrayBuffer>);
      batch = [];
      size = 0;
    }
    await stream.write(concatBytes(batch) as Uint8Array<ArrayBuffer>);
    await stream.close();
    return true;
  } catch {
    return false;
  }
}

export async function readFile(name: string): Promise<SavedLibrary | null> {
  try {
    const file = await (await (await folder()).getFileHandle(fileName(name))).getFile();
    return await readLines(file);
  } catch {
    return null;
  }
}

export async function deleteFile(name: string): Promise<void> {
  await folder()
    .then((directory) => directory.removeEntry(fileName(name)))
    .catch(() => undefined);
}

async function folder(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle('pinakes-libraries', { create: true });
}

/** Safe in every file system, and one for each name, however long. */
export function fileName(name: string): string {
  const readable = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${readable.slice(0, MAX_READABLE)}-${sha256Hex(name)}.jsonl`;
}

const MAX_READABLE = 40;

/** What is packed is JSON already: it is written as it is, since opening each page would fill the memory with strings. */
export function* partsOf({ pages, ...library }: SavedLibrary): Generator<Uint8Array> {
  const spaces = library.spaces.map(({ rows, ...space }) => ({
    ...space,
    rows: rows.map(({ contentHash, vector }) => ({ contentHash, vector: Array.from(vector) })),
  }));
  yield encodeJson({ ...library, spaces });
  for (const { image, body, text, ...head } of pages) {
    yield* [SEPARATORS.head, encodeJson(image === undefined ? head : { ...head, image: encodeBytes(image) })];
    yield* [SEPARATORS.body, body, SEPARATORS.text, unpackText(text), SEPARATORS.end];
  }
  yield LINE_FEED;
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const LINE_FEED = ascii('\n');
const SEPARATORS = {
  head: ascii('\n{"head":'),
  body: ascii(',"body":'),
  text: ascii(',"text":'),
  end: ascii('}'),
};

type SavedHead = Omit<SavedLibrary, 'pages'>;
type WithSavedImage<T> = Omit<T, 'image'> & { readonly image?: string };
interface SavedPage {
  readonly head: WithSavedImage<Omit<PackedPage, 'body' | 'text'>>;
  readonly body: unknown;
  readonly text: string;
}

export async function readLines(file: Blob): Promise<SavedLibrary | null> {
  let head: SavedHead | null = null;
  const pages: PackedPage[] = [];
  for await (const line of lines(file.stream().pipeThrough(new TextDecoderStream()))) {
    if (head === null) head = JSON.parse(line) as SavedHead;
    else pages.push(readPage(JSON.parse(line) as SavedPage));
  }
  return head === null ? null : { ...head, spaces: head.spaces.map(withVectors), pages };
}

function readPage(page: SavedPage): PackedPage {
  return { ...withImage(page.head), body: encodeJson(page.body), text: packText(encodeJson(page.text)) };
}

function withImage<T extends { readonly image?: string }>({ image, ...rest }: T) {
  return { ...rest, ...(image !== undefined && { image: decodeBytes(image) }) };
}

function withVectors(space: SavedSpace): SavedSpace {
  const rows = space.rows.map(({ contentHash, vector }) => ({ contentHash, vector: Float32Array.from(vector) }));
  return { ...space, rows };
}

async function* lines(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  let parts: string[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const [first = '', ...rest] = value.split('\n');
    parts.push(first);
    for (const next of rest) {
      yield parts.join('');
      parts = [next];
    }
  }
}

const BYTES_PER_CALL = 0x8000;

function encodeBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES_PER_CALL)
    text += String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_CALL));
  return btoa(text);
}

function decodeBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
