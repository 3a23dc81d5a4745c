// Store contract: analysis runs, their leases, and pages that are pending.

import { expect, test } from 'vitest';
import { builtInPlaces } from '../../src/core/gazetteer/built-in-places.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { AnalysisOptions, AnalyzedPage, PendingPage } from '../../src/store/port/analysis.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';

const OPTIONS: AnalysisOptions = {
  analysisVersion: 1,
  pageLimit: null,
  domainLimit: null,
  skipPages: false,
  skipDomains: false,
  dryRun: false,
  verbose: false,
  source: null,
};

const URLS = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];

export function analysisContract(store: () => Store): void {
  const storePages = async (urls: readonly string[] = URLS) => {
    const fixture = await createRunFixture(store(), urls);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`))]);
    return fixture;
  };
  const lease = async (worker = 'a', leaseMs = 60_000) => {
    const taken = await store().analysis.lease(worker, leaseMs);
    if (taken === null) throw new Error('no analysis to lease');
    return taken;
  };
  const analyzed = (page: PendingPage): AnalyzedPage => ({ page, analysis: { kind: 'article' }, mentions: null });

  test('a run is queued, leased, saved step by step, and ends', async () => {
    const { analysis } = store();
    await analysis.start('analysis-1', { ...OPTIONS, pageLimit: 5, verbose: true });
    expect(await analysis.byId('analysis-1')).toMatchObject({ status: 'queued', stage: 'starting', pageLimit: 5 });
    expect(await analysis.isLive()).toBe(true);
    const held = await lease();
    expect(held.run).toMatchObject({ id: 'analysis-1', status: 'running', verbose: true, dryRun: false });
    expect(await analysis.lease('b', 60_000)).toBeNull();
    const events = [{ message: 'Checking', details: { total: 3 } }];
    expect(await analysis.save(held, { stage: 'db-setup', summary: { steps: {} }, events })).toBe(true);
    expect(await analysis.finish(held, 'completed', { summary: { runId: 'analysis-1' }, error: null })).toBe(true);
    const run = await analysis.byId('analysis-1');
    expect(run).toMatchObject({
      status: 'completed',
      stage: 'completed',
      summary: { runId: 'analysis-1' },
      error: null,
    });
    expect(run?.endedAt).not.toBeNull();
    expect(await analysis.isLive()).toBe(false);
    expect(await analysis.events('analysis-1', 10)).toMatchObject([
      { run: 'analysis-1', stage: 'db-setup', message: 'Checking', details: { total: 3 } },
    ]);
    expect(await analysis.byId('none')).toBeNull();
  });

  test('runs take turns, the oldest first, and are listed newest first', async () => {
    const { analysis } = store();
    for (const id of ['analysis-1', 'analysis-2', 'analysis-3']) {
      await analysis.start(id, OPTIONS);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const first = await lease();
    expect(first.run.id).toBe('analysis-1');
    expect(await analysis.lease('b', 60_000)).toBeNull();
    await analysis.finish(first, 'failed', { error: 'page-analysis: no' });
    expect((await lease('b')).run.id).toBe('analysis-2');
    const { total, runs } = await analysis.list({ limit: 2, offset: 0 });
    expect([total, runs.map(({ id }) => id)]).toEqual([3, ['analysis-3', 'analysis-2']]);
    expect((await analysis.list({ limit: 2, offset: 2 })).runs).toMatchObject([{ error: 'page-analysis: no' }]);
  });

  test('a worker that lost its lease writes nothing', async () => {
    await storePages();
    const { analysis } = store();
    await analysis.start('analysis-1', OPTIONS);
    const late = await lease('a', -1);
    const current = await lease('b');
    expect(current).toMatchObject({ fence: late.fence + 1, crashes: 1 });
    const pages = await analysis.pending(OPTIONS, null, 10);
    const events = [{ message: 'late', details: null }];
    expect(await analysis.savePages(late, pages.map(analyzed), { events })).toBe(false);
    expect(await analysis.save(late, { stage: 'failed', events })).toBe(false);
    expect(await analysis.finish(late, 'failed', { error: 'late', events })).toBe(false);
    expect(await analysis.renew(late, 1000)).toBe(false);
    expect(await analysis.countPending(OPTIONS)).toBe(3);
    expect(await analysis.events('analysis-1', 10)).toEqual([]);
    expect(await analysis.renew(current, 60_000)).toBe(true);
    await analysis.release(current);
    expect(await lease('c')).toMatchObject({ fence: current.fence + 1, crashes: 1 });
  });

  test('a page is pending once per version, newest check first, and again when its text changes', async () => {
    const { run } = await storePages();
    const { analysis } = store();
    await analysis.start('analysis-1', OPTIONS);
    const held = await lease();
    const pages = await analysis.pending(OPTIONS, null, 10);
    const times = pages.map(({ checkedAt }) => checkedAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(await analysis.pending(OPTIONS, pages[0] ?? null, 10)).toEqual(pages.slice(1));
    expect(await analysis.textOf(pages[0]!)).toMatchObject({ text: `text of ${pages[0]?.url}\n` });
    expect(await analysis.savePages(held, pages.slice(0, 2).map(analyzed), { summary: { done: 2 } })).toBe(true);
    expect(await analysis.pending(OPTIONS, null, 10)).toEqual(pages.slice(2));
    expect(await analysis.countPending({ ...OPTIONS, analysisVersion: 2 })).toBe(3);
    expect(await analysis.highestVersion()).toBe(1);
    const { pages: stored } = await analysis.analyses(run.version, null, 10);
    expect(stored.map(({ depth, analysis: of }) => [depth, of['kind']])).toEqual([
      [0, 'article'],
      [0, 'article'],
    ]);
    // Its text changed after it was read: what is known about the former text is not stored.
    const stale = { ...pages[2]!, contentHash: pages[0]!.contentHash };
    await analysis.savePages(held, [analyzed(stale)], {});
    expect(await analysis.countPending(OPTIONS)).toBe(1);
  });

  test('only the pages of one source are pending for a run over it', async () => {
    const { source } = await storePages();
    const { analysis } = store();
    expect(await analysis.countPending({ ...OPTIONS, source: source.id })).toBe(3);
    expect(await analysis.countPending({ ...OPTIONS, source: (source.id + 1000) as typeof source.id })).toBe(0);
  });

  test('a run that is stopped ends at once, and its worker writes nothing more', async () => {
    await storePages();
    const { analysis } = store();
    await analysis.start('analysis-1', OPTIONS);
    const held = await lease();
    await analysis.save(held, { stage: 'page-analysis' });
    expect(await analysis.stop('analysis-1')).toBe(true);
    expect(await analysis.stop('analysis-1')).toBe(false);
    expect(await analysis.stop('none')).toBe(false);
    expect(await analysis.save(held, { stage: 'domain-analysis' })).toBe(false);
    expect(await analysis.byId('analysis-1')).toMatchObject({ status: 'stopped', stage: 'page-analysis', error: null });
    expect(await analysis.events('analysis-1', 10)).toMatchObject([{ stage: 'page-analysis', message: 'Stopped' }]);
    expect([await analysis.isLive(), await analysis.lease('b', 60_000)]).toEqual([false, null]);
    await analysis.start('analysis-2', OPTIONS);
    expect(await analysis.stop('analysis-2')).toBe(true);
  });

  test('places of a page are saved with its analysis, which can be read by its URL', async () => {
    const { run } = await storePages();
    const { analysis, gazetteer } = store();
    await gazetteer.save(builtInPlaces('countries'));
    const [france] = (await gazetteer.named(['france'])).map(({ place }) => place.id);
    await analysis.start('analysis-1', OPTIONS);
    const held = await lease();
    const [page] = await analysis.pending(OPTIONS, null, 1);
    const mention = { place: france!, placeKind: 'country', method: 'gazetteer', context: 'in France' } as const;
    const mentions = [{ ...mention, source: 'text', start: 3, end: 9 } as const];
    expect(await analysis.savePages(held, [{ ...analyzed(page!), mentions }], {})).toBe(true);
    expect(await gazetteer.pagesMentioning(france!, 5)).toMatchObject([{ url: page!.url, mentions: 1 }]);
    expect(await analysis.analysisOf(run.version, page!.url)).toEqual({ kind: 'article' });
    expect(await analysis.analysisOf(run.version, pageUrl('https://x.dev/none'))).toBeNull();
  });

  test('what is known about hosts is replaced, and removed with the source', async () => {
    const { source, run } = await storePages();
    const { analysis } = store();
    await analysis.start('analysis-1', OPTIONS);
    const held = await lease();
    const pages = await analysis.pending(OPTIONS, null, 10);
    await analysis.savePages(held, pages.map(analyzed), {});
    for (const score of [0.1, 0.5])
      expect(await analysis.saveHosts(held, run.version, [{ host: 'x.dev', analysis: { score } }], {})).toBe(true);
    expect(await analysis.hostsOf(run.version)).toEqual([{ host: 'x.dev', analysis: { score: 0.5 } }]);
    await store().sources.remove(source.id);
    expect(await analysis.hostsOf(run.version)).toEqual([]);
    expect(await analysis.analyses(run.version, null, 10)).toEqual({ pages: [], after: null });
  });

  test('a milestone that is due is awarded once, with its job, and removed with the source', async () => {
    const { source, run } = await storePages();
    const { analysis, journal } = store();
    const due = { kind: 'downloads-1k', scope: 'x.dev', target: 'x.dev', message: 'Downloaded 1,000 documents' };
    expect(await analysis.award(run.version, { ...due, details: { count: 1000 } }, null)).toBe(true);
    expect(await analysis.award(run.version, { ...due, details: { count: 1001 } }, null)).toBe(false);
    expect(await analysis.reachedOnce(run.version)).toEqual([{ kind: 'downloads-1k', scope: 'x.dev' }]);
    const query = { job: 'analysis-run', kind: null, scope: null, before: null, after: null, limit: 10 };
    expect(await journal.listMilestones(query)).toMatchObject([{ ...due, run: null, job: 'analysis-run' }]);
    const last = (await journal.after(0, 100, run.id)).at(-1);
    expect(last).toMatchObject({ kind: 'milestone', detail: { kind: 'downloads-1k', job: 'analysis-run' } });
    await store().sources.remove(source.id);
    expect(await journal.listMilestones(query)).toEqual([]);
  });

  test('downloads are counted by host over all runs of a version', async () => {
    const { run } = await createRunFixture(store(), [pageUrl('https://x.dev/a')]);
    const [claim] = await claimAll(store());
    const fetch = { status: 200, bytes: 10, mediaType: null, firstByteMs: null, totalMs: null, error: null };
    const settlement = createSettlement(claim!, indexedOutcome(claim!.url, 'text'));
    await store().frontier.settle([{ ...settlement, fetch }]);
    expect(await store().analysis.downloads(run.version)).toEqual(new Map([['x.dev', 1]]));
  });
}
