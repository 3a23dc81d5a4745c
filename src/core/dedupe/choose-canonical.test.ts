import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from '../model/hash.ts';
import { pageUrl, type PageUrl } from '../model/page-url.ts';
import { chooseCanonical, MAX_TEXTS_PER_CANONICAL, type DuplicateCandidate } from './choose-canonical.ts';

const at = (path: string): PageUrl => pageUrl(`https://x.dev/${path}`);

function page(path: string, text: string, canonical: string | null = null): DuplicateCandidate {
  return { url: at(path), dedupeHash: sha256Hex(text), canonical: canonical === null ? null : at(canonical) };
}

/** Every page is stored, and nothing else leads to one. */
function aliasesOf(pages: readonly DuplicateCandidate[], more: Record<string, string> = {}): Record<string, string> {
  const resolved = new Map(pages.map(({ url }) => [url, url]));
  for (const [from, to] of Object.entries(more)) resolved.set(at(from), at(to));
  const verdicts = chooseCanonical(pages, resolved);
  return Object.fromEntries([...verdicts].map(([url, into]) => [new URL(url).pathname, new URL(into).pathname]));
}

test('of pages with the same text the shortest URL is canonical, then the lexically first', () => {
  expect(aliasesOf([page('b', 'same'), page('a', 'same'), page('longer', 'same'), page('c', 'other')])).toEqual({
    '/b': '/a',
    '/longer': '/a',
  });
});

test('a declared canonical page wins, regardless of the length of its URL', () => {
  expect(aliasesOf([page('a', 'same'), page('b', 'same', 'the/real/one'), page('the/real/one', 'same')])).toEqual({
    '/a': '/the/real/one',
    '/b': '/the/real/one',
  });
  expect(aliasesOf([page('a', 'same'), page('the/real/one', 'same', 'the/real/one')])).toEqual({
    '/a': '/the/real/one',
  });
});

test('a page that declares another as canonical becomes its alias, regardless of its text', () => {
  expect(aliasesOf([page('print', 'one', 'page'), page('page', 'two')])).toEqual({ '/print': '/page' });
});

test('a canonical URL that is not stored is ignored; one that resolves to a page is not', () => {
  const pages = [page('print', 'one', 'old'), page('page', 'two')];
  expect(aliasesOf(pages)).toEqual({});
  expect(aliasesOf(pages, { old: 'page' })).toEqual({ '/print': '/page' });
});

test('pages that declare each other are duplicates, and one of them is canonical', () => {
  expect(aliasesOf([page('a', 'one', 'b'), page('b', 'two', 'a')])).toEqual({ '/b': '/a' });
  expect(aliasesOf([page('a', 'one', 'b'), page('b', 'two', 'c'), page('c', 'three', 'c')])).toEqual({
    '/a': '/c',
    '/b': '/c',
  });
});

test('a canonical URL declared by too many different pages is a mistake', () => {
  const naming = (n: number): DuplicateCandidate[] => [
    page('start', 'start'),
    ...Array.from({ length: n }, (_, i) => page(`p${i}`, `text ${i}`, 'start')),
  ];
  expect(Object.keys(aliasesOf(naming(MAX_TEXTS_PER_CANONICAL)))).toHaveLength(MAX_TEXTS_PER_CANONICAL);
  expect(aliasesOf(naming(MAX_TEXTS_PER_CANONICAL + 1))).toEqual({});
});

test('a page without a dedupe hash is never a duplicate', () => {
  const local = { ...page('a', 'same'), dedupeHash: null };
  expect(aliasesOf([local, { ...page('b', 'same'), dedupeHash: null }])).toEqual({});
});

test('the order of the pages does not matter, and no alias points to an alias', () => {
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
      const verdict = aliasesOf(pages);
      expect(aliasesOf(shuffled)).toEqual(verdict);
      for (const into of Object.values(verdict)) expect(verdict).not.toHaveProperty([into]);
    }),
  );
});
