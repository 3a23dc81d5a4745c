// Filtered cursor pagination. Each call scans a bounded number of rows, so that a rare match in a large library costs many
// short calls and never a long one: a result page may hold fewer items than requested, or none, and still have a cursor.

import { urlKey, type PageUrl } from '../../core/model/page-url.ts';

const MAX_SCANNED_ROWS = 20_000;
const BATCH_SIZE = 1000;

export interface CursorPage<T> {
  readonly items: readonly T[];
  /** The key after which the next page starts; null at the end. */
  readonly nextCursor: string | null;
}

type ReadPage<T> = (cursor: string | null, limit: number) => Promise<CursorPage<T>>;

export async function filteredPage<T extends { readonly url: PageUrl; readonly cursor?: string }>(
  read: ReadPage<T>,
  matches: (item: T) => boolean,
  { cursor: start, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<CursorPage<T>> {
  const items: T[] = [];
  let cursor = start;
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += BATCH_SIZE) {
    const batch = await read(cursor, BATCH_SIZE);
    for (const item of batch.items) {
      if (!matches(item)) continue;
      items.push(item);
      if (items.length === limit) return { items, nextCursor: item.cursor ?? urlKey(item.url) };
    }
    cursor = batch.nextCursor;
    if (cursor === null) break;
  }
  return { items, nextCursor: cursor };
}
