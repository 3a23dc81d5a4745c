import { expect, test } from 'vitest';
import { createPlaceMatcher } from '../gazetteer/match-places.ts';
import type { Place } from '../gazetteer/place.ts';
import { pageUrl } from '../model/page-url.ts';
import type { KnownUrl } from './known-url.ts';
import { placeHubs, type SitePlaces } from './place-hubs.ts';
import { folderKey } from './site-shape.ts';

const COUNTRIES = ['France', 'Chile', 'Sri Lanka', 'Kenya', 'Jersey'];
const CODES = ['FR', 'CL', 'LK', 'KE', 'JE'];
const named = [...COUNTRIES, 'Somerset'].map((name, i) => ({
  slug: name.toLowerCase().replaceAll(' ', '-'),
  place: {
    id: i + 1,
    name,
    kind: i < COUNTRIES.length ? ('country' as const) : ('region' as const),
    countryCode: CODES[i] ?? 'GB',
    population: null,
  } satisfies Place,
}));

const places: SitePlaces = {
  matcher: createPlaceMatcher(named),
  countries: named.map(({ place }) => place).filter(({ kind }) => kind === 'country'),
};

function known(path: string, more: Partial<KnownUrl> = {}): KnownUrl {
  return {
    key: path as KnownUrl['key'],
    url: pageUrl(`https://x.news/${path}`),
    listedBy: null,
    state: 'stored',
    target: null,
    pageKind: 'hub',
    navLinks: 0,
    inlinks: 0,
    contentLinks: 0,
    confidence: null,
    changedAgoMs: null,
    title: null,
    words: null,
    status: null,
    ...more,
  };
}

const find = (urls: readonly KnownUrl[], menu: readonly string[] = []) =>
  placeHubs(urls, new Set(menu.map((path) => folderKey(`https://x.news/${path}`))), places);

test('a navigation page whose last segment names a place is its hub; an article is not', () => {
  const urls = [known('sport/somerset'), known('world/france', { pageKind: 'article' }), known('sport/rugby')];
  expect(find(urls)).toMatchObject([
    { url: 'https://x.news/sport/somerset', slug: 'somerset', place: { kind: 'region' }, isNamed: true },
  ]);
});

test('a series of countries makes the other states expected at the same address, which is not requested', () => {
  const urls = ['world/france.html', 'world/chile.html', 'world/srilanka.html'].map((path) => known(path));
  const hubs = find(urls);
  expect(hubs.filter(({ isNamed }) => !isNamed)).toMatchObject([
    { url: 'https://x.news/world/kenya.html', place: { name: 'Kenya' } },
  ]);
});

test('a page that is not stored counts if the site names it in a series', () => {
  const gone = known('world/kenya', { state: 'gone', status: 404 });
  const series = [known('world/france'), known('world/chile'), known('world/sri-lanka')];
  expect(find([...series, gone], ['world/kenya']).at(-1)).toMatchObject({ slug: 'kenya', isNamed: true });
  expect(find([...series, gone]).at(-1)).toMatchObject({ slug: 'kenya', isNamed: false });
  expect(find([series[0]!, gone], ['world/kenya'])).toHaveLength(1);
});
