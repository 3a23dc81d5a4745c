// Store contract: sources and runs.

import { expect, test } from 'vitest';
import { createRunFixture, claimAll, frontierEntry, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Claim } from '../../src/store/port/frontier.ts';
import type { RunLease, RunQuery } from '../../src/store/port/runs.ts';

const ANY_PROBLEM = { run: null, kind: null, scope: null, severity: null, before: null, after: null } as const;

export function runsContract(store: () => Store): void {
  test('a source is found by its name, and a name in use is rejected', async () => {
    const source = await store().sources.add(
      { name: 'docs', kind: 'web', startUrl: 'https://x.dev/', settings: { depth: 2 } },
      '1.0',
    );
    expect(await store().sources.byName('docs')).toEqual(source);
    expect(source.versions.map((version) => version.label)).toEqual(['1.0']);
    await expect(
      store().sources.add({ name: 'docs', kind: 'web', startUrl: 'https://y.dev/', settings: {} }, ''),
    ).rejects.toMatchObject({ code: 'source.exists' });
  });

  test('a source has one live run at a time', async () => {
    const { source, lease } = await createRunFixture(store());
    await expect(store().runs.start(source.versions[0]!.id, 'full', {})).rejects.toMatchObject({
      code: 'source.busy',
    });
    expect(await store().runs.finish(lease, 'completed', null)).toBe(true);
    expect((await store().runs.start(source.versions[0]!.id, 'full', {})).state).toBe('queued');
  });

  test('a leased run has no second coordinator until its lease expires, and then rejects the first', async () => {
    const { lease } = await createRunFixture(store());
    expect(await store().runs.lease('other', 60_000)).toBeNull();
    await store().runs.renew(lease, -1);
    const second = await store().runs.lease('other', 60_000);
    expect(second?.run.id).toBe(lease.run.id);
    expect(await store().runs.renew(lease, 60_000)).toBe(false);
    expect(await store().runs.finish(lease, 'completed', null)).toBe(false);
    expect(await store().runs.finish(second!, 'completed', null)).toBe(true);
  });

  test('why a run failed is one of its problems, and its source is counted (finding T3)', async () => {
    const { source, lease } = await createRunFixture(store());
    await store().runs.finish(lease, 'failed', 'the start does not exist');
    const all = await store().journal.listProblems({ ...ANY_PROBLEM, limit: 10 });
    const about = {
      run: lease.run.id,
      kind: 'run-failed',
      severity: 'error',
      scope: 'run',
      message: 'the start does not exist',
    };
    expect(all).toEqual([expect.objectContaining(about)]);
    expect(await store().runs.failedSources(1)).toEqual({ count: 1, names: [source.name] });
  });

  test('a problem that ended a run is not reported again as its result (finding T3)', async () => {
    const { lease } = await createRunFixture(store());
    const run = lease.run.id;
    const about = { kind: 'time-limit', severity: 'warning', scope: 'run', target: 'docs', details: {} } as const;
    await store().journal.reportProblem({ run, ...about, message: 'Run ended at its limit. Nothing was removed' });
    await store().runs.finish(lease, 'partial', 'ended at its limit');
    expect((await store().journal.problems(run)).map(({ kind }) => kind)).toEqual(['time-limit']);
    expect(await store().runs.failedSources(1)).toEqual({ count: 0, names: [] });
  });

  test('the time that coordinators worked adds up over their leases', async () => {
    const { lease } = await createRunFixture(store());
    expect(lease.run.workedMs).toBe(0);
    await store().runs.renew(lease, 60_000, 1200.4);
    await store().runs.renew(lease, -1, 300);
    const second = await store().runs.lease('other', 60_000);
    expect(second?.run.workedMs).toBe(1500);
    await store().runs.renew(lease, 60_000, 1000);
    expect(await store().runs.byId(lease.run.id)).toMatchObject({ workedMs: 1500 });
  });

  test('coordinators that are lost are counted until there is progress (finding N5)', async () => {
    const { lease, run } = await createRunFixture(store(), ['https://x.dev/a']);
    expect(lease.crashes).toBe(0);
    const crash = async (held: RunLease): Promise<RunLease> => {
      await store().runs.renew(held, -1);
      return (await store().runs.lease('other', 60_000))!;
    };
    const first = await crash(lease);
    const second = await crash(first);
    expect([first.crashes, second.crashes]).toEqual([1, 2]);
    await store().runs.release(second);
    const released = (await store().runs.lease('other', 60_000))!;
    expect(released.crashes).toBe(2);
    await store().frontier.enqueue(run.id, [frontierEntry('https://x.dev/b')]);
    expect((await crash(released)).crashes).toBe(1);
  });

  test('a source and its first run are stored together or not at all (finding B21)', async () => {
    const definition = { name: 'docs', kind: 'web', startUrl: 'https://x.dev/', settings: {} } as const;
    const { source, run } = await store().sources.addWithRun(definition, '1.0', { afterMs: null });
    expect(run).toMatchObject({ state: 'queued', mode: 'incremental', source: source.id });
    expect((await store().runs.live()).map(({ id }) => id)).toEqual([run.id]);
    await expect(store().sources.addWithRun(definition, '')).rejects.toMatchObject({ code: 'source.exists' });
    expect(await store().runs.list(10)).toHaveLength(1);
  });

  test('runs are numbered within their version, and active ones are counted', async () => {
    const { run, lease } = await createRunFixture(store());
    expect(await store().runs.ordinal(run.id)).toBe(1);
    expect(await store().runs.countActive()).toBe(1);
    await store().runs.finish(lease, 'completed', null);
    const next = await store().runs.start(run.version, 'refresh', {});
    expect(await store().runs.ordinal(next.id)).toBe(2);
    await store().runs.control(next.id, 'pause');
    expect(await store().runs.countActive()).toBe(0);
  });

  test('a released run can be leased immediately', async () => {
    const { lease } = await createRunFixture(store());
    await store().runs.release(lease);
    expect(await store().runs.lease('other', 60_000)).not.toBeNull();
  });

  test('a run that still has work does not finish', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a']);
    expect(await store().frontier.isDrained(run.id)).toBe(false);
    expect(await store().runs.finish(lease, 'completed', null)).toBe(false);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, { kind: 'failed', reason: 'fetch.timeout' })]);
    expect(await store().frontier.isDrained(run.id)).toBe(true);
    expect(await store().runs.finish(lease, 'partial', 'one page failed')).toBe(true);
    expect(await store().runs.byId(run.id)).toMatchObject({ state: 'partial', reason: 'one page failed' });
  });

  test('a stopped run drops unfetched URLs and then ends', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
    const [claim] = await claimAll(store(), 1);
    expect(await store().runs.control(run.id, 'stop')).toBe(true);
    expect(await claimAll(store())).toEqual([]);
    expect(await store().runs.dropUnfetched(lease, 'stopped')).toBe(2);
    expect(await store().runs.finish(lease, 'stopped', 'on request')).toBe(false);
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'text'))]);
    expect(await store().runs.finish(lease, 'stopped', 'on request')).toBe(true);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 3, new: 1, dropped: 2 });
    expect(await store().runs.samples(run.id)).toMatchObject([{ found: 3, queueSize: 0, stored: 1, failed: 0 }]);
  });

  test('a stop with a grace drops what is in flight, and its settlement is superseded', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const [claim, other] = await claimAll(store());
    expect(await store().runs.stopWithin(run.id, 60_000)).toBe(true);
    const { abortsAt, readAt, state } = (await store().runs.byId(run.id))!;
    expect(state).toBe('stopping');
    expect(abortsAt!.getTime() - readAt.getTime()).toBeGreaterThan(30_000);
    expect(await store().runs.stopWithin(run.id, 0), 'a second stop may be sooner').toBe(true);
    const hastened = (await store().runs.byId(run.id))!;
    expect(hastened.abortsAt!.getTime()).toBeLessThanOrEqual(hastened.readAt.getTime());
    await store().runs.stopWithin(run.id, 60_000);
    expect((await store().runs.byId(run.id))!.abortsAt, 'but not later').toEqual(hastened.abortsAt);
    await store().frontier.settle([createSettlement(other!, indexedOutcome(other!.url, 'text'))]);
    expect(await store().runs.dropInFlight({ ...lease, fence: 0 }, 'stopped'), 'without the lease').toBe(0);
    expect(await store().runs.dropInFlight(lease, 'stopped: late')).toBe(1);
    expect(await store().frontier.renew([claim!], 1000)).toEqual([]);
    const late = createSettlement(claim!, indexedOutcome(claim!.url, 'text'));
    expect(await store().frontier.settle([late])).toEqual(['superseded']);
    expect(await store().frontier.reasons(run.id, 'dropped', 9)).toMatchObject([{ reason: 'stopped: late' }]);
    expect(await store().runs.finish(lease, 'stopped', 'on request')).toBe(true);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 2, new: 1, dropped: 1 });
    expect(await store().runs.stopWithin(run.id, 0), 'a run that has ended').toBe(false);
  });

  test('a run that limits its concurrency gives each worker so many URLs at a time', async () => {
    const urls = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c', 'https://y.dev/a', 'https://y.dev/b'];
    const { lease } = await createRunFixture(store(), urls);
    await store().runs.limitConcurrency(lease, 2);
    const held = new Map<string, Claim[]>();
    const claimMore = async (worker: string): Promise<number> => {
      const more = await store().frontier.claim({ worker, limit: 9, leaseMs: 60_000, aheadMs: 1000 });
      held.set(worker, [...(held.get(worker) ?? []), ...more]);
      return held.get(worker)!.length;
    };
    const settles = { timeout: 20_000 };
    await expect.poll(() => claimMore('one'), settles).toBe(2);
    expect(await claimMore('one'), 'over all hosts').toBe(2);
    await expect.poll(() => claimMore('two'), settles).toBe(2);
    await store().frontier.settle([createSettlement(held.get('one')![0]!, { kind: 'failed', reason: 'status 500' })]);
    await expect.poll(() => claimMore('one'), settles).toBe(3);
  });

  test('the runs of a source are listed newest first, and live ones separately', async () => {
    const { run, lease, source } = await createRunFixture(store(), []);
    expect((await store().runs.live()).map(({ id }) => id)).toEqual([run.id]);
    await store().runs.finish(lease, 'completed', null);
    const next = await store().runs.start(run.version, 'refresh', {});
    expect((await store().runs.list(10, source.id)).map(({ id }) => id)).toEqual([next.id, run.id]);
    expect((await store().runs.list(1, source.id)).map(({ id }) => id)).toEqual([next.id]);
    const page = async (query: Partial<RunQuery>) =>
      (await store().runs.listPage({ source: null, state: null, before: null, after: null, limit: 1, ...query })).map(
        ({ id }) => id,
      );
    expect(await page({})).toEqual([next.id]);
    expect(await page({ before: next.id })).toEqual([run.id]);
    expect(await page({ after: run.id, source: source.id })).toEqual([next.id]);
    expect(await page({ state: run.state })).toEqual([]);
    expect((await store().runs.live()).map(({ id }) => id)).toEqual([next.id]);
  });

  test('the URLs of a run are listed with their outcome, page by page', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
    const [claim] = await store().frontier.claim({ worker: 'w', limit: 1, leaseMs: 60_000, aheadMs: 0 });
    await store().frontier.settle([createSettlement(claim!, { kind: 'failed', reason: 'status 500' })]);
    const first = await store().frontier.urls(run.id, { outcome: null, after: null, limit: 2 });
    const rest = await store().frontier.urls(run.id, { outcome: null, after: first.after, limit: 2 });
    const urls = [...first.urls, ...rest.urls];
    expect(rest.after).toBeNull();
    expect(urls.map(({ url }) => url).toSorted()).toEqual(['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
    expect(urls.filter(({ state }) => state === 'queued')).toHaveLength(2);
    const failed = await store().frontier.urls(run.id, { outcome: 'failed', after: null, limit: 10 });
    expect(failed.urls).toMatchObject([{ url: claim!.url, state: 'settled', outcome: 'failed', reason: 'status 500' }]);
  });

  test('nothing is claimed from a paused run until it is resumed', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    expect(await store().runs.control(run.id, 'pause')).toBe(true);
    expect(await claimAll(store())).toEqual([]);
    expect(await store().runs.control(run.id, 'resume')).toBe(true);
    expect(await claimAll(store())).toHaveLength(1);
  });

  test('links that arrive while a run is paused are claimed after it is resumed', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().runs.control(run.id, 'pause');
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'text'), ['https://x.dev/b'])]);
    expect(await claimAll(store())).toEqual([]);
    await store().runs.control(run.id, 'resume');
    expect((await claimAll(store())).map((next) => next.url)).toEqual(['https://x.dev/b']);
  });

  test('a removed source leaves nothing, and its claims are superseded', async () => {
    const { source } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const [first, second] = await claimAll(store());
    await store().frontier.settle([createSettlement(first!, indexedOutcome(first!.url, 'some text'))]);
    await store().segments.index(10);
    await store().sources.remove(source.id);
    expect(await store().sources.list()).toEqual([]);
    expect(await store().frontier.settle([createSettlement(second!, indexedOutcome(second!.url, 'more'))])).toEqual([
      'superseded',
    ]);
    expect(await store().runs.list(10)).toEqual([]);
  });

  test('a run whose source is removed gets no more URLs, and leaves none behind (finding D6)', async () => {
    const { run, source } = await createRunFixture(store(), ['https://removed.dev/a']);
    await store().frontier.exclude(run.id, []);
    await store().sources.remove(source.id);
    expect(await store().frontier.enqueue(run.id, [frontierEntry('https://removed.dev/b')])).toBe(0);
    const excluded = { url: pageUrl('https://removed.dev/c'), depth: 1, foundBy: 'link', parent: null } as const;
    await store().frontier.exclude(run.id, [{ ...excluded, reason: 'robots-disallow' }]);
    expect(await store().frontier.enqueuePrevious(run.id, null, 10)).toBeNull();
    expect(await store().frontier.versionsOf(pageUrl('https://removed.dev/b'))).toEqual([]);
    expect(await store().verify()).toEqual([]);
  });
}
