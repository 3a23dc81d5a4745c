// Saves the library in IndexedDB, so that it can be reopened later. It runs where the library runs: passing fifty megabytes
// through the main thread would block it for a second. A browser that refuses to store data loses nothing else.

import type { BrowserPage } from './extract-file.ts';

export interface SavedLibrary {
  readonly name: string;
  readonly at: string;
  readonly pages: readonly BrowserPage[];
}

/** What is shown of a saved library before it is opened. */
export interface SavedInfo {
  readonly name: string;
  readonly at: string;
  readonly pages: number;
}

const DATABASE = 'pinakes-browser';
const STORE = 'libraries';
const LIBRARY_KEY = 'latest';
const INFO_KEY = 'info';

export async function saveLibrary(library: SavedLibrary): Promise<void> {
  const info: SavedInfo = { name: library.name, at: library.at, pages: library.pages.length };
  await withStore('readwrite', (store) => {
    store.put(info, INFO_KEY);
    return store.put(library, LIBRARY_KEY);
  }).catch(() => undefined);
}

export async function loadLibrary(): Promise<SavedLibrary | null> {
  const found: unknown = await withStore('readonly', (store) => store.get(LIBRARY_KEY)).catch(() => undefined);
  return (found as SavedLibrary | undefined) ?? null;
}

export async function loadSavedInfo(): Promise<SavedInfo | null> {
  const found: unknown = await withStore('readonly', (store) => store.get(INFO_KEY)).catch(() => undefined);
  return (found as SavedInfo | undefined) ?? null;
}

export async function deleteLibrary(): Promise<void> {
  await withStore('readwrite', (store) => store.clear()).catch(() => undefined);
}

async function withStore(mode: IDBTransactionMode, operation: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const openRequest = indexedDB.open(DATABASE, 1);
  openRequest.addEventListener('upgradeneeded', () => openRequest.result.createObjectStore(STORE));
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
