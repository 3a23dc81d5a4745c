// Hubs of places on both databases: a place that is imported makes a stored page a hub without a crawl, and a site with the hubs of all
// countries is understood.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { builtInPlaces } from '../../../src/core/gazetteer/built-in-places.ts';
import { NO_STATES } from '../../../src/core/gazetteer/countries.table.ts';
import { placeSlug } from '../../../src/core/gazetteer/place.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { runAnalysis } from '../../../src/library/analysis/run-analysis.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/port.ts';
import { createCrawler } from '../../support/crawl.ts';
import { startDocSite, type PageResponse } from '../../support/scripted-site.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';

vi.setConfig({ testTimeout: 120_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

const log = createLog({ level: 'error', now: () => new Date(), write: () => undefined });
const OPTIONS = {
  analysisVersion: 1,
  pageLimit: null,
  domainLimit: null,
  skipPages: false,
  skipDomains: false,
  dryRun: false,
  verbose: false,
  source: null,
} as const;

async function analyze(store: Store, id: string, analysisVersion = 1) {
  await store.analysis.start(id, { ...OPTIONS, analysisVersion });
  const lease = await store.analysis.lease('test', 60_000);
  if (lease === null) throw new Error('no analysis to lease');
  const deps = { store, index: createSegmentIndex(store.segments), log, nowMs: Date.now };
  expect(await runAnalysis(lease, deps, new AbortController().signal)).toBe(true);
  return store.analysis.byId(id);
}

const links = (paths: readonly string[]): string =>
  paths.map((path) => `<li><a href="${path}">${path.split('/').filter(Boolean).at(-1) ?? ''}</a></li>`).join('');

/** Every page has a menu of twelve entries, which makes it one that leads to others. */
function page(
  title: string,
  menu: readonly string[],
  text = 'Latest reports from there, with what was said. ',
): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><ul>${links(menu)}</ul></nav>
<main><h1>${title}</h1><p>${text.repeat(20)}</p></main></body></html>`;
}

const SHORT_MENU = Array.from({ length: 12 }, (_, i) => `/part/p${i}`);

describe.each([
  ['SQLite', openTestSqlite],
  ['PostgreSQL', openTestPostgres],
])('%s', (_, open) => {
  async function crawl(paths: Record<string, PageResponse>) {
    const site = await startDocSite(paths);
    closing.push(site);
    const crawler = await createCrawler({ open });
    closing.push(crawler);
    const run = await crawler.crawl(`${site.origin}/`, {});
    return { site, crawler, run, store: crawler.store };
  }

  test('a page becomes the hub of a place once that place is imported', async () => {
    const menu = ['/sport/somerset', '/sport/rugby', '/sport/golf', ...SHORT_MENU];
    const parts = Object.fromEntries(menu.map((path) => [path, page(`About ${path}`, menu)]));
    const { store, run, site } = await crawl({ '/': page('News', menu), ...parts });
    await analyze(store, 'analysis-1');
    expect(await store.gazetteer.hubs({ host: null, place: null, limit: 10 })).toEqual([]);
    const names = [{ name: 'Somerset', kind: 'short', lang: 'en', isPreferred: true, isOfficial: true }] as const;
    const somerset = { key: 'test:1', taxonomy: 'place', kind: 'region', countryCode: 'GB', regionCode: null } as const;
    await store.gazetteer.save([{ ...somerset, population: null, source: 'test', names }]);
    await analyze(store, 'analysis-2');
    const hubs = await store.gazetteer.hubs({ host: null, place: null, limit: 10 });
    expect(hubs).toMatchObject([
      {
        url: `${site.origin}/sport/somerset`,
        placeSlug: 'somerset',
        placeKind: 'region',
        topicSlug: 'sport',
        topicLabel: 'Sport',
        topicKind: 'section',
        status: 'validated',
        evidence: { reason: 'nav-or-hub', topic: { slug: 'sport', kind: 'section' } },
      },
    ]);
    const [place] = await store.gazetteer.named(['somerset']);
    expect(await store.gazetteer.hubs({ host: null, place: place!.place.id, limit: 10 })).toEqual(hubs);
    // What pages mention is found when they are analysed again.
    const again = await analyze(store, 'analysis-3', 2);
    expect(again?.summary).toMatchObject({ steps: { pages: { placesInserted: 1 } } });
    expect(await store.gazetteer.pagesMentioning(place!.place.id, 10)).toMatchObject([
      { url: `${site.origin}/sport/somerset`, mentions: 1 },
    ]);
    expect(await store.gazetteer.counts()).toMatchObject({ hubs: 1 });
    expect(await store.analysis.hubs(run.version, 50)).not.toEqual([]);
    expect(await store.verify()).toEqual([]);
  });

  test('a global news site is understood once the hubs of almost all countries are validated', async () => {
    const states = builtInPlaces('countries').filter(({ countryCode }) => !NO_STATES.has(countryCode ?? ''));
    expect(states).toHaveLength(195);
    const hubPaths = states.map(({ names }) => `/world/${placeSlug(names[0]?.name ?? '')}`);
    const stories = Array.from(
      { length: 60 },
      (__, i) => `/2026/10/${String((i % 28) + 1).padStart(2, '0')}/story-${i}`,
    );
    const paths: Record<string, PageResponse> = { '/': page('News', [...hubPaths, ...stories]) };
    for (const path of hubPaths.slice(3)) paths[path] = page(`News about ${path}`, hubPaths.slice(3, 15));
    for (const path of stories) paths[path] = page(`Story ${path}`, [], 'A long report of what had happened there. ');
    const { store, run, site } = await crawl(paths);
    await store.gazetteer.save(builtInPlaces('countries'));
    await analyze(store, 'analysis-1');
    const host = new URL(site.origin).host;
    const [analysis] = await store.analysis.hostsOf(run.version);
    expect(analysis).toMatchObject({ host, analysis: { kind: 'news', global: true } });
    const query = { job: null, kind: 'full-understanding', scope: null, before: null, after: null, limit: 10 };
    expect(await store.journal.listMilestones(query)).toMatchObject([
      {
        job: 'analysis-run',
        scope: host,
        message: 'Country hubs validated',
        details: { countriesCovered: 192, missing: 3, missingList: ['afghanistan', 'andorra', 'united-arab-emirates'] },
      },
    ]);
  });
});
