import { expect, test } from 'vitest';
import { pageUrl, urlKey, type PageUrl } from '../../core/model/page-url.ts';
import { siftedList, type ListPart } from './filtered-page.ts';

const rows = Array.from({ length: 45_000 }, (_, n) => ({ url: pageUrl(`https://x.dev/${n}`), n }));
const keys = new Map<string, number>(rows.map(({ url }, n) => [urlKey(url), n]));

let looked = 0;
async function read(after: string | null, limit: number): Promise<ListPart<{ url: PageUrl; n: number }>> {
  const from = after === null ? 0 : keys.get(after)! + 1;
  const items = rows.slice(from, from + limit);
  looked += items.length;
  return { items, after: from + limit < rows.length ? urlKey(items.at(-1)!.url) : null };
}

test('[H4] what is wanted comes once each, however the list is cut', async () => {
  const found: number[] = [];
  let after: string | null = null;
  do {
    const part: ListPart<{ n: number }> = await siftedList(read, ({ n }) => n % 700 === 3, { after, limit: 10 });
    found.push(...part.items.map(({ n }) => n));
    after = part.after;
  } while (after !== null);
  expect(found).toEqual(rows.map(({ n }) => n).filter((n) => n % 700 === 3));
});

test('[H4] one call looks at a bounded number of rows, and says where the list goes on', async () => {
  looked = 0;
  const part = await siftedList(read, ({ n }) => n === 44_999, { after: null, limit: 10 });
  expect(part.items).toEqual([]);
  expect(looked).toBe(20_000);
  expect(keys.get(part.after!)).toBe(19_999);
});
