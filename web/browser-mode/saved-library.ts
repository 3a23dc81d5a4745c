// Keeps what was read in this browser, so that it is there the next time. It runs where the library runs: fifty megabytes that
// pass through the page would stop it for a second. A browser that keeps nothing loses nothing else.

import type { LocalPage } from './extract-file.ts';

export interface Kept {
  readonly name: string;
  readonly at: string;
  readonly pages: readonly LocalPage[];
}

/** What is told of it before it is opened. */
export interface KeptAbout {
  readonly name: string;
  readonly at: string;
  readonly pages: number;
}

const DATABASE = 'pinakes-local';
const STORE = 'libraries';
const KEY = 'latest';
const ABOUT = 'about';

export async function keepLibrary(kept: Kept): Promise<void> {
  const about: KeptAbout = { name: kept.name, at: kept.at, pages: kept.pages.length };
  await inStore('readwrite', (store) => {
    store.put(about, ABOUT);
    return store.put(kept, KEY);
  }).catch(() => undefined);
}

export async function keptLibrary(): Promise<Kept | null> {
  const found: unknown = await inStore('readonly', (store) => store.get(KEY)).catch(() => undefined);
  return (found as Kept | undefined) ?? null;
}

export async function aboutKept(): Promise<KeptAbout | null> {
  const found: unknown = await inStore('readonly', (store) => store.get(ABOUT)).catch(() => undefined);
  return (found as KeptAbout | undefined) ?? null;
}

export async function forgetLibrary(): Promise<void> {
  await inStore('readwrite', (store) => store.clear()).catch(() => undefined);
}

async function inStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = (await settled(opening)) as IDBDatabase;
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });
}
