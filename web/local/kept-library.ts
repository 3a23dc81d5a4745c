// Keeps what was read in this browser, so that it is there the next time. A browser that keeps nothing loses nothing else.

import type { LocalPage } from './read-page.ts';

export interface Kept {
  readonly name: string;
  readonly at: string;
  readonly pages: readonly LocalPage[];
}

const DATABASE = 'pinakes-local';
const STORE = 'libraries';
const KEY = 'latest';

export async function keepLibrary(kept: Kept): Promise<void> {
  await inStore('readwrite', (store) => store.put(kept, KEY)).catch(() => undefined);
}

export async function keptLibrary(): Promise<Kept | null> {
  const found: unknown = await inStore('readonly', (store) => store.get(KEY)).catch(() => undefined);
  return (found as Kept | undefined) ?? null;
}

export async function forgetLibrary(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(KEY)).catch(() => undefined);
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
