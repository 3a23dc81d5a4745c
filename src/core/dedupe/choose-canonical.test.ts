import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from '../model/hash.ts';
import { pageUrl, type PageUrl } from '../model/page-url.ts';
import { foldVerdicts, MOST_TEXTS_OF_ONE_ADDRESS, type Foldable } from './choose-canonical.ts';

const at = (path: string): PageUrl => pageUrl(`https://x.dev/${path}`);

function page(path: string, text: string, canonical: string | null = null): Foldable {
  return { url: at(path), twinHash: sha256Hex(text), canonical: canonical === null ? null : at(canonical) };
}

/** Every page is stored, and nothing else leads to one. */
function folded(pages: readonly Foldable[], more: Record<string, string> = {}): Record<string, string> {
  const standing = new Map(pages.map(({ url }) => [url, url]));
  for (const [from, to] of Object.entries(more)) standing.set(at(from), at(to));
  const verdicts = foldVerdicts(pages, standing);
  return Object.fromEntries([...verdicts].map(([url, into]) => [new URL(url).pathname, new URL(into).pathname]));
}

test('of pages that say the same the shortest stands, then the lexically first', () => {
  expect(folded([page('b', 'same'), page('a', 'same'), page('longer', 'same'), page('c', 'other')])).toEqual({
    '/b': '/a',
    '/longer': '/a',
  });
});

test('the one that is called canonical stands, however long its address is', () => {
  expect(folded([page('a', 'same'), page('b', 'same', 'the/real/one'), page('the/real/one', 'same')])).toEqual({
    '/a': '/the/real/one',
    '/b': '/the/real/one',
  });
  expect(folded([page('a', 'same'), page('the/real/one', 'same', 'the/real/one')])).toEqual({ '/a': '/the/real/one' });
});

test('a page that names another as its address folds into it, whatever it says', () => {
  expect(folded([page('print', 'one', 'page'), page('page', 'two')])).toEqual({ '/print': '/page' });
});

test('an address that is not stored is not believed; one that leads to a page is', () => {
  const pages = [page('print', 'one', 'old'), page('page', 'two')];
  expect(folded(pages)).toEqual({});
  expect(folded(pages, { old: 'page' })).toEqual({ '/print': '/page' });
});

test('pages that name each other are one page, and one of them stands', () => {
  expect(folded([page('a', 'one', 'b'), page('b', 'two', 'a')])).toEqual({ '/b': '/a' });
  expect(folded([page('a', 'one', 'b'), page('b', 'two', 'c'), page('c', 'three', 'c')])).toEqual({
    '/a': '/c',
    '/b': '/c',
  });
});

test('an address that too many different pages call their own is called so by mistake', () => {
  const naming = (n: number): Foldable[] => [
    page('start', 'start'),
    ...Array.from({ length: n }, (_, i) => page(`p${i}`, `text ${i}`, 'start')),
  ];
  expect(Object.keys(folded(naming(MOST_TEXTS_OF_ONE_ADDRESS)))).toHaveLength(MOST_TEXTS_OF_ONE_ADDRESS);
  expect(folded(naming(MOST_TEXTS_OF_ONE_ADDRESS + 1))).toEqual({});
});

test('a page that is never folded has no twin', () => {
  const local = { ...page('a', 'same'), twinHash: null };
  expect(folded([local, { ...page('b', 'same'), twinHash: null }])).toEqual({});
});

test('the order of the pages changes nothing, and no page is folded into a folded one', () => {
  const paths = fc.constantFrom('a', 'b', 'cc', 'dd', 'eee', 'index.html');
  const any = fc.uniqueArray(fc.record({ path: paths, text: fc.constantFrom('x', 'y'), to: fc.option(paths) }), {
    selector: ({ path }) => path,
  });
  fc.assert(
    fc.property(any, fc.infiniteStream(fc.nat()), (items, random) => {
      const pages = items.map(({ path, text, to }) => page(path, text, to));
      const shuffled = pages
        .map((one) => ({ one, key: random.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const verdict = folded(pages);
      expect(folded(shuffled)).toEqual(verdict);
      for (const into of Object.values(verdict)) expect(verdict).not.toHaveProperty([into]);
    }),
  );
});
