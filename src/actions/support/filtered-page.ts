// A part of a long list of which not everything is wanted. Each call looks at a bounded number of rows, so that a rare
// wish in a large library costs many short calls and never a long one: a part may hold less than asked for, or nothing,
// and the list still goes on.

import { urlKey, type PageUrl } from '../../core/model/page-url.ts';

const LOOKED_AT = 20_000;
const PIECE = 1000;

export interface ListPart<T> {
  readonly items: readonly T[];
  /** The key after which the list goes on; null at its end. */
  readonly after: string | null;
}

type ReadPart<T> = (after: string | null, limit: number) => Promise<ListPart<T>>;

export async function siftedList<T extends { readonly url: PageUrl }>(
  read: ReadPart<T>,
  wanted: (item: T) => boolean,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ListPart<T>> {
  const items: T[] = [];
  let from = after;
  for (let looked = 0; looked < LOOKED_AT; looked += PIECE) {
    const piece = await read(from, PIECE);
    for (const item of piece.items) {
      if (!wanted(item)) continue;
      items.push(item);
      if (items.length === limit) return { items, after: urlKey(item.url) };
    }
    from = piece.after;
    if (from === null) break;
  }
  return { items, after: from };
}
