// Libraries that are kept in this browser, by name: in IndexedDB, or, where the browser offers it, a large one as a file of the
// origin-private file system. All of it runs where the library runs: passing fifty megabytes through the main thread would block it
// for a second. A browser that refuses to store data loses nothing else.

import { deleteFile, readFile, writeFile } from './large-libraries.ts';
import type { SavedLibrary } from './library-model.ts';

/** What is shown of a saved library before it is opened. */
export interface SavedInfo {
  readonly name: string;
  readonly at: string;
  readonly pages: number;
  readonly ref: 'database' | 'file';
}

const DATABASE = 'pinakes-browser';
const STORE = 'libraries';
/** Limit in memory: above it, IndexedDB's copy of a whole library would need too much memory. */
const LARGE_BYTES = 2 * 1024 * 1024;

const infoKey = (name: string): string => `info ${name}`;
const libraryKey = (name: string): string => `library ${name}`;

export async function saveLibrary(library: SavedLibrary): Promise<void> {
  const { name, at, pages } = library;
  const isFile = sizeOf(library) > LARGE_BYTES && (await writeFile(library));
  const info: SavedInfo = { name, at, pages: pages.length, ref: isFile ? 'file' : 'database' };
  if (!isFile) await deleteFile(name);
  await withStore('readwrite', (store) => {
    if (isFile) store.delete(libraryKey(name));
    else store.put(library, libraryKey(name));
    return store.put(info, infoKey(name));
  }).catch(() => undefined);
}

function sizeOf({ pages }: SavedLibrary): number {
  return pages.reduce(
    (sum, { body, text, image }) => sum + body.byteLength + text.byteLength + (image?.byteLength ?? 0),
    0,
  );
}

export async function loadLibrary(name: string): Promise<SavedLibrary | null> {
  const found: unknown = await withStore('readonly', (store) => store.get(libraryKey(name))).catch(() => undefined);
  return found === undefined ? readFile(name) : (found as SavedLibrary);
}

/** The newest first. */
export async function listLibraries(): Promise<readonly SavedInfo[]> {
  // Everything that begins with `info` and a space.
  const range = IDBKeyRange.bound('info ', 'info!', false, true);
  const found: unknown = await withStore('readonly', (store) => store.getAll(range)).catch(() => []);
  return (found as SavedInfo[]).toSorted((left, right) => (left.at < right.at ? 1 : -1));
}

export async function deleteLibrary(name: string): Promise<void> {
  await deleteFile(name);
  await withStore('readwrite', (store) => {
    store.delete(libraryKey(name));
    return store.delete(infoKey(name));
  }).catch(() => undefined);
}

async function withStore(mode: IDBTransactionMode, operation: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const openRequest = indexedDB.open(DATABASE);
  openRequest.addEventListener('upgradeneeded', () => void openRequest.result.createObjectStore(STORE));
  const database = (await awaitRequest(openRequest)) as IDBDatabase;
  try {
    return await awaitRequest(operation(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function awaitRequest(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser refused to store data')));
  });
}
