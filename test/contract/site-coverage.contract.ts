// Store contract: what is known about the URLs of a version, its menus and hubs, and its last measured coverage.

import { expect, test } from 'vitest';
import type { NavigationEntry } from '../../src/core/discover/navigation.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { RecordedHub } from '../../src/store/port/analysis.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import { claimAll, createRunFixture, createSettlement, frontierEntry, indexedOutcome } from '../support/run-fixture.ts';

const [START, GUIDES, GONE] = ['https://x.dev/', 'https://x.dev/guides/', 'https://x.dev/gone'] as const;
const MENU: readonly NavigationEntry[] = [{ url: pageUrl(GUIDES), label: 'Guides', level: 1 }];

const SEEDED: RecordedHub = {
  host: 'x.dev',
  url: pageUrl(GUIDES),
  memberKind: null,
  topicSlug: null,
  topicLabel: null,
  topicKind: null,
  evidence: { by: 'intelligent-plan', reason: 'learned-section-or-country' },
  memberSlug: null,
  title: null,
  navLinksCount: null,
  articleLinksCount: null,
  taxonomy: 'section',
  status: 'expected',
  httpStatus: null,
  expectedBy: ['navigation'],
};

const ANALYZED: RecordedHub = {
  ...SEEDED,
  topicSlug: 'guides',
  topicLabel: 'Guides',
  topicKind: 'section',
  evidence: { reason: 'nav-or-hub' },
  title: 'All guides',
  navLinksCount: 12,
  articleLinksCount: 3,
  status: 'validated',
  httpStatus: 200,
};

export function siteCoverageContract(store: () => Store): void {
  const crawled = async () => {
    const fixture = await createRunFixture(store());
    await store().frontier.enqueue(fixture.run.id, [
      frontierEntry(START),
      frontierEntry(GUIDES, { foundBy: 'sitemap' }),
      frontierEntry(GONE, { foundBy: 'link' }),
    ]);
    await store().frontier.exclude(fixture.run.id, [
      { url: pageUrl('https://x.dev/out'), depth: 1, foundBy: 'link', reason: 'out-of-scope: path', parent: null },
    ]);
    const outcomes: Record<string, (url: ReturnType<typeof pageUrl>) => Outcome> = {
      [START]: (url) => withMenu(indexedOutcome(url, 'start'), MENU),
      [GUIDES]: (url) => withMenu(indexedOutcome(url, 'guides'), undefined),
      [GONE]: () => ({ kind: 'not-found', reason: 'status 404' }),
    };
    const claims = await claimAll(store());
    await store().frontier.settle(claims.map((claim) => createSettlement(claim, outcomes[claim.url]!(claim.url))));
    return fixture;
  };

  test('each URL has who names it, its state, its menu links and its status', async () => {
    const { run } = await crawled();
    const { urls, after } = await store().analysis.knownUrls(run.version, null, 10);
    expect(after).toBeNull();
    const byUrl = new Map<string, (typeof urls)[number]>(urls.map((one) => [one.url, one]));
    expect(byUrl.get(START)).toMatchObject({
      state: 'stored',
      listedBy: null,
      navLinks: 7,
      pageKind: 'hub',
      title: 'Title',
    });
    expect(byUrl.get(GUIDES)).toMatchObject({ state: 'stored', listedBy: 'sitemap', navLinks: 7, words: null });
    expect(byUrl.get(GONE)).toMatchObject({ state: 'gone', status: 404, title: null });
    expect(byUrl.get('https://x.dev/out')).toMatchObject({ state: 'left-out' });
    const first = await store().analysis.knownUrls(run.version, null, 3);
    const rest = await store().analysis.knownUrls(run.version, first.after, 3);
    expect([...first.urls, ...rest.urls].map(({ url }) => url)).toEqual(urls.map(({ url }) => url));
  });

  test('the menus of a page are stored with it, and change although its text does not', async () => {
    const { run, lease, source } = await crawled();
    expect(await store().analysis.navigation(run.version, 10)).toEqual([MENU]);
    await store().runs.finish(lease, 'completed', null);
    await createRunFixture(store(), [START], source);
    const [claim] = await claimAll(store());
    const menu = [{ url: pageUrl('https://x.dev/faq'), label: 'FAQ', level: 2 }];
    const outcome: Outcome = { kind: 'unchanged', etag: null, lastModified: null, navigation: menu };
    await store().frontier.settle([createSettlement(claim!, outcome)]);
    expect(await store().analysis.navigation(run.version, 10)).toEqual([menu]);
  });

  test('what an analysis knows of a hub completes what a plan expected, and a plan takes nothing back', async () => {
    const { run, source } = await crawled();
    const { analysis } = store();
    expect(await analysis.saveHubs(run.version, [SEEDED])).toEqual({ added: 1 });
    expect(await analysis.hubs(run.version, 10)).toEqual([SEEDED]);
    expect(await analysis.saveHubs(run.version, [ANALYZED])).toEqual({ added: 0 });
    expect(await analysis.hubs(run.version, 10)).toEqual([ANALYZED]);
    await analysis.saveHubs(run.version, [SEEDED]);
    expect(await analysis.hubs(run.version, 10)).toEqual([ANALYZED]);
    await store().sources.remove(source.id);
    expect(await analysis.hubs(run.version, 10)).toEqual([]);
  });

  test('a measured coverage is current until a page changes or a run ends', async () => {
    const { run, lease, source } = await crawled();
    const { analysis } = store();
    expect(await analysis.coverage(run.version)).toBeNull();
    // A page was stored while the URLs were read.
    await analysis.saveCoverage(run.version, { promised: 3 }, 60_000);
    expect(await analysis.coverage(run.version)).toMatchObject({ report: { promised: 3 }, isCurrent: false });
    await analysis.saveCoverage(run.version, { promised: 4 }, 0);
    expect(await analysis.coverage(run.version)).toMatchObject({ report: { promised: 4 }, isCurrent: true });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await store().runs.finish(lease, 'completed', null);
    expect(await analysis.coverage(run.version)).toMatchObject({ isCurrent: false });
    await store().sources.remove(source.id);
    expect(await analysis.coverage(run.version)).toBeNull();
  });
}

function withMenu(outcome: Outcome, navigation: readonly NavigationEntry[] | undefined): Outcome {
  if (outcome.kind !== 'indexed') return outcome;
  const page = { ...outcome.page, navLinks: 7, metadata: { pageKind: 'hub' } };
  return { ...outcome, page: navigation === undefined ? page : { ...page, navigation } };
}
