import { expect, test } from 'vitest';
import { pageUrl, urlKey, type PageUrl } from '../model/page-url.ts';
import type { KnownUrl } from './known-url.ts';
import { planGaps, summarizePlan } from './plan-gaps.ts';
import { makePlan, planMilestones } from './site-plan.ts';
import { createGains, FRONT_RANK, rankOfGain } from './url-gain.ts';

const START = pageUrl('https://x.dev/docs/');
const at = (path: string): PageUrl => pageUrl(`https://x.dev/docs/${path}`);
const known = (path: string, more: Partial<KnownUrl> = {}): KnownUrl => ({
  key: urlKey(at(path)),
  url: at(path),
  listedBy: 'sitemap',
  state: 'queued',
  target: null,
  pageKind: null,
  navLinks: 0,
  inlinks: 0,
  contentLinks: 0,
  confidence: null,
  changedAgoMs: null,
  title: null,
  words: null,
  status: null,
  ...more,
});
const URLS = [
  ...['guides/', 'api/'].map((path) => known(path)),
  ...Array.from({ length: 8 }, (_, i) => known(`guides/g-${i}`)),
  ...Array.from({ length: 6 }, (_, i) => known(`api/a-${i}`)),
];
const MENU = [{ url: at('api/'), label: 'API', level: 1 }];
const plan = (more: Partial<Parameters<typeof makePlan>[0]> = {}) =>
  makePlan({ startUrl: START, urls: URLS, navigation: MENU, places: null, maxSeeds: 50, maxAgeMs: null, ...more });

test('hubs that a menu names come first, and no more than the seeds are planned', () => {
  expect(plan().hubs.map(({ url }) => url)).toEqual([at('api/'), at('guides/')]);
  expect(plan({ maxSeeds: 1 })).toMatchObject({ candidates: 2, hubs: [{ slug: 'api' }] });
  expect(plan({ maxSeeds: 0 }).hubs).toEqual([]);
});

test('a hub whose stored pages did not change for long is not seeded', () => {
  const day = 86_400_000;
  const stored = (path: string, days: number) => known(path, { state: 'stored', changedAgoMs: days * day });
  const urls = [...URLS.filter(({ url }) => !url.includes('-0')), stored('guides/g-0', 40), stored('api/a-0', 2)];
  expect(plan({ urls, maxAgeMs: 30 * day }).hubs.map(({ slug }) => slug)).toEqual(['api']);
});

test('what was learned is told as milestones, in their order', () => {
  expect(planMilestones(plan()).map(({ kind, message }) => [kind, message])).toEqual([
    ['patterns-learned', 'Homepage patterns inferred'],
    ['seeds-prepared', 'Seeded 2 hubs'],
  ]);
  const [primed] = planMilestones(plan({ urls: [...URLS, known('x', { state: 'stored' })] }));
  expect(primed).toMatchObject({ kind: 'cache-primed', details: { pages: 1 } });
});

test('a form of URL that became pages promises more than one that did not', () => {
  const gains = createGains(plan());
  const before = [gains.gainOf(at('guides/g-9')), gains.gainOf(at('api/a-9'))];
  expect(before[0]).toBe(before[1]);
  for (let i = 0; i < 4; i += 1) {
    gains.add({ url: at(`guides/g-${i}`), isNewPage: true, tokens: 900, pageKind: 'article' });
    gains.add({ url: at(`api/a-${i}`), isNewPage: false, tokens: null, pageKind: null });
  }
  expect(gains.gainOf(at('guides/g-9'))).toBeGreaterThan(gains.gainOf(at('api/a-9')));
  expect(gains.rankOf(at('guides/g-9'))).toBeLessThan(gains.rankOf(at('api/a-9')));
  expect(gains.meanGain()).toBeGreaterThan(0);
});

test('a section that is nearly complete promises less', () => {
  const gains = createGains(plan());
  const first = gains.gainOf(at('guides/g-9'));
  for (let i = 0; i < 8; i += 1)
    gains.add({ url: at(`api/a-${i}`), isNewPage: true, tokens: 500, pageKind: 'article' });
  const other = gains.gainOf(at('guides/g-9'));
  expect(other).toBeCloseTo(first, 0);
  expect(gains.gainOf(at('api/a-9')) / 0.9).toBeLessThan(other);
});

test('a URL that many pages link to promises more, and one in a deeper folder less', () => {
  const gains = createGains(plan(), (url) => (url === at('guides/g-1') ? 3 : 0));
  expect(gains.gainOf(at('guides/g-1'))).toBeCloseTo(4 * gains.gainOf(at('guides/g-2')));
  expect(gains.rankOf(at('guides/g-1'))).toBe(gains.rankOf(at('guides/g-2')) - 80);
  expect(gains.gainOf(at('guides/deep/er/g-2'))).toBeLessThan(gains.gainOf(at('guides/g-2')) / 2);
});

test.each([
  [0, 999],
  [0.5, 540],
  [1, 501],
  [8, 380],
  [1e9, FRONT_RANK + 1],
])('a gain of %d has rank %d', (gain, rank) => {
  expect(rankOfGain(gain)).toBe(rank);
});

test('ten thousand patterns need bounded memory and no more than linear time', () => {
  const gains = createGains(plan());
  for (let i = 0; i < 30_000; i += 1)
    gains.add({ url: at(`s${i}/p${i}/q${i}`), isNewPage: true, tokens: 1, pageKind: null });
  expect(gains.gainOf(at('s1/p1/q1'))).toBeGreaterThan(0);
});

test('hubs that are gone, new forms of URLs and uncertain sections are gaps', () => {
  const planned = plan().shape;
  const uncertain = Array.from({ length: 20 }, (_, i) =>
    known(`news/2026/n-${i}`, { state: 'stored', confidence: i < 5 ? 0.3 : 0.9 }),
  );
  const urls = [...URLS, ...uncertain];
  const { shape, hubs } = plan({ urls });
  const gone = { ...hubs[0]!, status: 'missing' as const, httpStatus: 404 };
  const gaps = planGaps({ shape, planned, urls, hubs: [gone] });
  expect(gaps.map(({ kind, target }) => [kind, target])).toEqual([
    ['missing-hub', '/docs/api/'],
    ['unknown-pattern', '/docs/news/2026/{slug}'],
    ['low-confidence', 'news'],
  ]);
  expect(gaps[0]).toMatchObject({
    severity: 'warning',
    details: { slug: 'api', status: 404, expectedBy: ['navigation', 'sitemap'] },
  });
  expect(gaps[1]?.details).toMatchObject({ urls: 20 });
  expect(gaps[2]?.details).toMatchObject({ pages: 20, share: 0.25 });
});

test('a thousand gaps of a kind are reported up to a number, then counted', () => {
  const { shape, hubs } = plan();
  const gone = Array.from({ length: 1000 }, (_, i) => ({ ...hubs[0]!, url: at(`h${i}`), status: 'missing' as const }));
  const gaps = planGaps({ shape, planned: shape, urls: [], hubs: gone });
  expect(gaps.length).toBe(101);
  expect(gaps.at(-1)).toMatchObject({ target: 'others', details: { count: 900 } });
});

test('the summary counts the hubs that were seeded', () => {
  const { hubs } = plan();
  const after = hubs.map((hub, i) => ({ ...hub, status: i === 0 ? ('validated' as const) : ('missing' as const) }));
  expect(summarizePlan({ seeded: hubs, hubs: after, coverage: { coverage: 0.967, sections: [] } })).toEqual({
    message: 'Plan: 1 of 2 hubs found, 96% of promised pages',
    hubs: { seeded: 2, visited: 2, validated: 1, missing: 1 },
    sections: 0,
  });
});

test('sections called like members of every object count like others (finding V29)', () => {
  const sections = ['constructor', '__proto__', 'toString', 'guides'];
  const urls = sections.flatMap((slug) => Array.from({ length: 4 }, (_, i) => known(`${slug}/p-${i}`)));
  const made = plan({ urls });
  expect(made.promised).toEqual(Object.fromEntries(sections.map((slug) => [slug, 4])));
  // As it is stored.
  const gains = createGains(JSON.parse(JSON.stringify(made)) as typeof made);
  const ranks = new Set(sections.map((slug) => gains.rankOf(at(`${slug}/p-1`))));
  expect([...ranks]).toEqual([gains.rankOf(at('guides/p-1'))]);
  expect([...ranks].every(Number.isInteger)).toBe(true);
});
