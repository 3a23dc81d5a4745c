import { expect, test } from 'vitest';
import { pageUrl, urlKey, type PageUrl } from '../../core/model/page-url.ts';
import { filteredPage, type CursorPage } from './filtered-page.ts';

const rows = Array.from({ length: 45_000 }, (_, n) => ({ url: pageUrl(`https://x.dev/${n}`), n }));
const keys = new Map<string, number>(rows.map(({ url }, n) => [urlKey(url), n]));

let scanned = 0;
async function read(cursor: string | null, limit: number): Promise<CursorPage<{ url: PageUrl; n: number }>> {
  const from = cursor === null ? 0 : keys.get(cursor)! + 1;
  const items = rows.slice(from, from + limit);
  scanned += items.length;
  return { items, nextCursor: from + limit < rows.length ? urlKey(items.at(-1)!.url) : null };
}

test('[H4] every match is returned once, whatever the page size', async () => {
  const found: number[] = [];
  let cursor: string | null = null;
  do {
    const page: CursorPage<{ n: number }> = await filteredPage(read, ({ n }) => n % 700 === 3, { cursor, limit: 10 });
    found.push(...page.items.map(({ n }) => n));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(found).toEqual(rows.map(({ n }) => n).filter((n) => n % 700 === 3));
});

test('[H4] one call scans a bounded number of rows and returns where to continue', async () => {
  scanned = 0;
  const page = await filteredPage(read, ({ n }) => n === 44_999, { cursor: null, limit: 10 });
  expect(page.items).toEqual([]);
  expect(scanned).toBe(20_000);
  expect(keys.get(page.nextCursor!)).toBe(19_999);
});
