import { expect, test } from 'vitest';
import type { Library } from '../client/library.ts';
import { gonePages } from './gone-pages.ts';
import type { PageKey } from './sink.ts';

const key = (nth: number): PageKey => ({ versionId: 1, url: `https://x.dev/docs/${nth}` });
const numberOf = ({ url }: PageKey): number => Number(url.split('/').at(-1));

test.each([
  ['fits into memory', 10_000, 1],
  ['does not', 100, 11],
])('a copy that %s loses the pages that the library no longer has (finding D22)', async (_, maxKeys, most) => {
  let [reads, lists] = [0, 0];
  const sink = {
    async *stored() {
      reads += 1;
      // One page is stored twice.
      for (let nth = 0; nth < 1000; nth += 1) yield key(nth);
      yield key(999);
    },
  };
  const call = async (_action: string, { since }: { since?: string }) => {
    const first = Number(since ?? 0);
    lists += 1;
    const changes: unknown[] = [];
    for (let nth = first; nth < first + 300 && nth < 900; nth += 1) changes.push({ kind: 'listed', ...key(nth) });
    if (first + 300 >= 900) changes.push({ kind: 'list-end' });
    return { changes, position: String(first + 300), hasMore: true };
  };
  const batches: PageKey[][] = [];
  const library = { call } as unknown as Pick<Library, 'call'>;
  for await (const pages of gonePages(library, sink, new AbortController().signal, maxKeys)) batches.push([...pages]);
  expect(
    batches
      .flat()
      .map(numberOf)
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 100 }, (__, nth) => 900 + nth));
  for (const pages of batches) expect(pages.length).toBeLessThanOrEqual(maxKeys);
  expect(batches.length).toBeLessThanOrEqual(most);
  expect(reads).toBe(most === 1 ? 1 : 1 + most);
  expect(lists).toBe(3 * most);
});
