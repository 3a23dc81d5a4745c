// Walks over all rows of a version in windows of keys, so that no statement reads a whole version, however few rows it returns.

import type { Executor } from './engine.ts';

export interface KeyWindow {
  /** The last key of the window, inclusive. */
  readonly end: Uint8Array;
  readonly isLast: boolean;
}

export const FIRST_KEY: Uint8Array = new Uint8Array();
export const LAST_KEY: Uint8Array = new Uint8Array(16).fill(255);

const selectEnd = (table: 'pages' | 'frontier'): string =>
  `select url_key from ${table} where version_id = $1 and url_key > $2 order by url_key limit 1 offset $3`;
const SELECT_END = { pages: selectEnd('pages'), frontier: selectEnd('frontier') };

/** The window of `rows` rows after a key. */
export async function nextKeyWindow(
  reader: Executor,
  table: 'pages' | 'frontier',
  version: number,
  { after, rows }: { readonly after: Uint8Array; readonly rows: number },
): Promise<KeyWindow> {
  const [row] = await reader.all<{ url_key: Uint8Array }>(SELECT_END[table], [version, after, rows - 1]);
  return row === undefined ? { end: LAST_KEY, isLast: true } : { end: row.url_key, isLast: false };
}
