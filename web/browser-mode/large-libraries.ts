// Large libraries as files of the origin-private file system, one page a line: neither writing nor reading needs a copy of the whole
// library. A browser without it, and a page that was opened from a disk, has none.

import { sha256Hex } from '../../src/core/model/hash.ts';
import type { SavedLibrary, SavedSpace } from './library-model.ts';
import { packPage, placedPage, type PackedPage, type PlacedPage } from './packed-page.ts';

const BATCH_CHARS = 1024 * 1024;

/** False if this browser cannot keep it. */
export async function writeFile(library: SavedLibrary): Promise<boolean> {
  try {
    const file = await (await folder()).getFileHandle(fileName(library.name), { create: true });
    // It replaces the file when it is closed, so that a page that is left in between keeps the former one.
    const stream = await file.createWritable();
    let batch = '';
    for (const line of linesOf(library)) {
      batch += `${line}\n`;
      if (batch.length < BATCH_CHARS) continue;
      await stream.write(batch);
      batch = '';
    }
    await stream.write(batch);
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

function* linesOf({ pages, ...library }: SavedLibrary): Generator<string> {
  const spaces = library.spaces.map(({ rows, ...space }) => ({
    ...space,
    rows: rows.map(({ contentHash, vector }) => ({ contentHash, vector: Array.from(vector) })),
  }));
  yield JSON.stringify({ ...library, spaces });
  for (const packed of pages) {
    const { image, ...page } = placedPage(packed);
    yield JSON.stringify(image === undefined ? page : { ...page, image: encodeBytes(image) });
  }
}

type SavedHead = Omit<SavedLibrary, 'pages'>;
type SavedLine = Omit<PlacedPage, 'image'> & { readonly image?: string };

async function readLines(file: Blob): Promise<SavedLibrary | null> {
  let head: SavedHead | null = null;
  const pages: PackedPage[] = [];
  for await (const line of lines(file.stream().pipeThrough(new TextDecoderStream()))) {
    if (head === null) head = JSON.parse(line) as SavedHead;
    else {
      const { image, ...page } = JSON.parse(line) as SavedLine;
      pages.push(packPage(image === undefined ? page : { ...page, image: decodeBytes(image) }));
    }
  }
  return head === null ? null : { ...head, spaces: head.spaces.map(withVectors), pages };
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
