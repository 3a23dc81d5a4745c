import { expect, test } from 'vitest';
import type { NavigationEntry } from '../discover/navigation.ts';
import { pageUrl, urlKey } from '../model/page-url.ts';
import { coverageLine, measureCoverage } from './coverage.ts';
import { estimateSize } from './estimate.ts';
import { analyzedHub, seededHub, topicOf, understanding } from './hub-records.ts';
import type { Hub } from './hubs.ts';
import type { KnownUrl } from './known-url.ts';
import { learnShape } from './site-shape.ts';

const START = pageUrl('https://x.dev/docs/');
const known = (path: string, more: Partial<KnownUrl> = {}): KnownUrl => {
  const url = pageUrl(`https://x.dev/docs/${path}`);
  const rest = {
    target: null,
    pageKind: 'article',
    navLinks: 20,
    inlinks: 1,
    contentLinks: 2,
    confidence: 0.9,
    changedAgoMs: 0,
    title: path,
    words: 100,
    status: null,
  };
  return { key: urlKey(url), url, listedBy: 'sitemap', state: 'stored', ...rest, ...more };
};
const entry = (path: string, level = 1, label = path): NavigationEntry => ({
  url: pageUrl(`https://x.dev/docs/${path}`),
  label,
  level,
});
const pages = (folder: string, n: number, more: Partial<KnownUrl> = {}): KnownUrl[] =>
  Array.from({ length: n }, (_, i) => known(`${folder}/${folder}-${i}`, more));

function measure(urls: readonly KnownUrl[], navigation: readonly NavigationEntry[] = []) {
  const shape = learnShape(
    urls.filter(({ state }) => state !== 'left-out').map(({ url }) => url),
    START,
  );
  return { ...measureCoverage({ shape, startUrl: START, urls, navigation, places: null }), shape };
}

const hubOf = (hubs: readonly Hub[], path: string) => hubs.find(({ url }) => url === `https://x.dev/docs/${path}`);

test('promised pages are those of lists and menus; each section has its share and its missing pages', () => {
  const urls = [
    known(''),
    known('guides/', { pageKind: 'hub' }),
    ...pages('guides', 6),
    known('guides/migration', { state: 'gone', status: 404 }),
    ...pages('api', 4, { listedBy: null }),
    known('api/old', { state: 'left-out' }),
  ];
  const { promised, stored, coverage, sections, missing } = measure(urls, [entry('api/api-0', 2)]);
  expect([promised, stored, coverage]).toEqual([10, 9, 0.9]);
  expect(missing).toEqual(['/docs/guides/migration']);
  expect(sections).toEqual([
    { slug: 'guides', label: 'Guides', promised: 8, stored: 7, missing: ['/docs/guides/migration'] },
    { slug: 'api', label: 'Api', promised: 1, stored: 1, missing: [] },
  ]);
  expect(coverageLine({ promised, stored, coverage, missing })).toBe(
    '9 of 10 promised pages (90%); missing: /docs/guides/migration',
  );
});

test('a page that moved to a stored one is stored', () => {
  const target = known('new');
  const urls = [
    target,
    known('old', { state: 'moved', target: target.key }),
    known('lost', { state: 'moved', target: known('gone').key }),
  ];
  expect(measure(urls)).toMatchObject({ promised: 3, stored: 2 });
});

test('the root of a section, and the entries of menus that lead to a part, are hubs', () => {
  const urls = [
    known(''),
    known('guides/', { pageKind: 'hub', navLinks: 0 }),
    ...pages('guides', 3),
    known('faq'),
    known('api'),
    ...pages('api', 3),
  ];
  const { found, hubs } = measure(urls, [entry('guides/'), entry('faq'), entry('api', 2, 'The API')]);
  expect(found.map(({ slug, status, label }) => [slug, status, label])).toEqual([
    ['api', 'validated', 'The API'],
    ['guides', 'validated', 'guides/'],
  ]);
  expect(hubOf(found, 'guides/')).toMatchObject({ expectedBy: ['navigation', 'sitemap', 'stored'], below: 3 });
  expect(hubs).toEqual([{ taxonomy: 'section', expected: 2, validated: 2, missing: [] }]);
});

test('a section whose page is no page of links is found, and not validated', () => {
  const urls = [known('guides/', { navLinks: 2 }), ...pages('guides', 3)];
  expect(measure(urls).found).toMatchObject([{ slug: 'guides', status: 'found' }]);
});

test('a menu that leads to a page which is gone is a missing hub', () => {
  const urls = [
    known(''),
    ...pages('guides', 3),
    known('world/france', { state: 'gone', status: 404, listedBy: null }),
  ];
  const { found, hubs } = measure(urls, [entry('world/france')]);
  expect(hubOf(found, 'world/france')).toMatchObject({
    status: 'missing',
    httpStatus: 404,
    expectedBy: ['navigation'],
  });
  expect(hubs[0]?.missing).toMatchObject([{ slug: 'world', expectedBy: ['navigation'] }]);
});

test('a page of a menu that has no text, such as the search of a site, is no missing hub', () => {
  const urls = [known(''), ...pages('guides', 3), known('search', { state: 'gone', status: 200, listedBy: null })];
  const { found, missing } = measure(urls, [entry('search')]);
  expect(hubOf(found, 'search')).toBeUndefined();
  expect(missing).toEqual(['/docs/search']);
});

test('a version that the site names without a page is expected where its siblings are', () => {
  const versions = ['3.0', '3.1', '3.2'].flatMap((v) => [known(`${v}/`), known(`${v}/a`)]);
  const { found } = measure([...versions, known('2.9/a')]);
  expect(hubOf(found, '2.9/')).toMatchObject({
    taxonomy: 'version',
    status: 'expected',
    expectedBy: ['taxonomy'],
    isNamed: false,
  });
  expect(found.filter(({ status }) => status === 'validated').map(({ slug }) => slug)).toEqual(['3.0', '3.1', '3.2']);
});

test('release notes are no hubs of versions, and a module is no hub of a language', () => {
  const notes = ['3.0', '3.1', '3.2'].map((v) => known(`releases/${v}.html`, { navLinks: 30 }));
  const { found } = measure([...notes, ...pages('library', 3), known('library/io.html'), known('library/os.html')]);
  expect(found.filter(({ taxonomy }) => taxonomy !== 'section')).toEqual([]);
});

test('a pattern has its pages, their usual kind and their mean length', () => {
  const urls = [...pages('guides', 5, { words: 700 }), known('guides/p9', { state: 'queued' })];
  expect(measure(urls).patterns[0]).toEqual({
    pattern: '/docs/guides/{slug}',
    urls: 6,
    stored: 5,
    pageKind: 'article',
    meanTokens: 910,
  });
});

test('a stored page that nothing leads to is an orphan', () => {
  expect(
    measure([known('', { inlinks: 0 }), known('a', { inlinks: 0 }), known('b', { inlinks: 0 })], [entry('b')]).orphans,
  ).toBe(1);
});

const NAMED = { known: 100, once: 0, twice: 0, listed: 0, linked: 0, linkedAndListed: 0, stored: 0, fetched: 0 };

test.each([
  ['all fetched', { twice: 30, stored: 100, fetched: 100 }, { pages: 100, low: 100, high: 100, coverage: 1 }],
  ['links that overlap', { once: 20, twice: 10, stored: 60, fetched: 60 }, { pages: 120, low: 98, coverage: 0.5 }],
  ['links without overlap', { once: 4 }, { pages: 100, low: 100, coverage: 0 }],
  ['half of the URLs are no pages', { twice: 9, stored: 30, fetched: 60 }, { pages: 50, low: 45, high: 55 }],
  [
    'a list that has all that is linked',
    { once: 50, twice: 5, listed: 100, linked: 60, linkedAndListed: 60 },
    { pages: 100 },
  ],
  ['a list that has two thirds', { listed: 90, linked: 60, linkedAndListed: 40 }, { pages: 135 }],
  ['a list that is a selection', { once: 20, twice: 10, listed: 5, linked: 60, linkedAndListed: 3 }, { pages: 120 }],
])('the size of a site is estimated before it is crawled: %s', (_, named, expected) => {
  const estimate = estimateSize({ ...NAMED, ...named });
  expect(estimate).toMatchObject(expected);
  expect(estimate.low).toBeLessThanOrEqual(estimate.pages);
  expect(estimate.high).toBeGreaterThanOrEqual(estimate.pages);
});

test('a hub that a plan seeded has nulls, which an analysis fills', () => {
  const urls = [
    known('guides/', { pageKind: 'hub', navLinks: 12, contentLinks: 5, title: 'All guides' }),
    ...pages('guides', 3),
  ];
  const { found, shape } = measure(urls);
  const [hub] = found;
  expect(seededHub(hub!)).toMatchObject({
    topicSlug: null,
    title: null,
    memberSlug: null,
    status: 'expected',
    evidence: { by: 'intelligent-plan' },
  });
  expect(analyzedHub(hub!, urls[0]!, { shape, labels: new Map() })).toMatchObject({
    topicSlug: 'guides',
    topicKind: 'section',
    title: 'All guides',
    navLinksCount: 12,
    articleLinksCount: 5,
    evidence: { reason: 'nav-or-hub', slug: 'guides', topic: { slug: 'guides', kind: 'section' } },
  });
});

test('the segment before the last is the topic: a section of the site, or only a segment', () => {
  const urls = pages('sport', 3).map(({ url }) => url);
  const shape = learnShape(urls, START);
  expect(topicOf(pageUrl('https://x.dev/docs/sport/somerset'), shape, new Map())).toEqual({
    slug: 'sport',
    label: 'Sport',
    kind: 'section',
  });
  expect(topicOf(pageUrl('https://x.dev/docs/film-news/somerset'), shape, new Map())).toEqual({
    slug: 'film-news',
    label: 'Film News',
    kind: 'path-segment',
  });
});

test('a site is understood once 95 % of its section hubs are validated', () => {
  const hub = (i: number, status: Hub['status']): Hub => ({
    url: pageUrl(`https://x.dev/docs/s${i}/`),
    taxonomy: 'section',
    slug: `s${i}`,
    label: '',
    expectedBy: ['navigation'],
    below: 3,
    status,
    httpStatus: null,
    isNamed: true,
    placeKind: null,
  });
  const hubs = (missing: number) => Array.from({ length: 40 }, (_, i) => hub(i, i < missing ? 'missing' : 'validated'));
  expect(understanding({ host: 'x.dev', hostKind: null, hubs: hubs(3) })).toBeNull();
  expect(understanding({ host: 'x.dev', hostKind: null, hubs: hubs(2), source: 'analysis-run' })).toMatchObject({
    kind: 'full-understanding',
    scope: 'x.dev',
    message: 'Section hubs validated',
    details: { covered: 38, missing: 2, missingList: ['s0', 's1'], source: 'analysis-run' },
  });
});

test('a site of 10,000 sections is measured with bounded lists', () => {
  const urls = Array.from({ length: 30_000 }, (_, i) => known(`s${i % 10_000}/p${i}`, { state: 'queued' }));
  const report = measure(
    urls,
    Array.from({ length: 2000 }, (_, i) => entry(`s${i}/`)),
  );
  expect(report.sections.length).toBeLessThanOrEqual(200);
  expect(report.patterns.length).toBeLessThanOrEqual(100);
  expect(report.found.length).toBeLessThanOrEqual(2000);
});
