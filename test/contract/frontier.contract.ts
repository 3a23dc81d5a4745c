// Store contract: the frontier.

import { expect, test } from 'vitest';
import { hostOf, pageUrl } from '../../src/core/model/page-url.ts';
import { frontierEntry, createRunFixture, claimAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import { TEST_SETTINGS } from '../support/stores.ts';
import type { Store } from '../../src/store/port.ts';

export function frontierContract(store: () => Store): void {
  test('a URL that waits for a retry is not work', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    expect(await store().frontier.hasWork(run.id)).toBe(true);
    const [claim] = await claimAll(store());
    expect(await store().frontier.hasWork(run.id)).toBe(true);
    await store().frontier.settle([createSettlement(claim!, { kind: 'retry', reason: 'fetch.timeout', inMs: 60_000 })]);
    expect(await store().frontier.hasWork(run.id)).toBe(false);
    expect(await store().frontier.isDrained(run.id)).toBe(false);
  });

  test('a URL that is retried comes after those that were not tried yet (finding B9)', async () => {
    const urls = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];
    const { run } = await createRunFixture(store(), urls);
    const [first] = await claimAll(store(), 1);
    await store().frontier.settle([createSettlement(first!, { kind: 'retry', reason: 'fetch.throttled', inMs: 0 })]);
    const claimed = await claimAll(store());
    expect(claimed).toHaveLength(3);
    expect(claimed.at(-1)?.url).toBe(first!.url);
    expect(await store().frontier.queueByDepth(run.id, 10)).toEqual([]);
  });

  test('claims respect the maximum per host and skip excluded hosts', async () => {
    const urls = ['x', 'y'].flatMap((host) => [1, 2, 3, 4].map((page) => `https://${host}.dev/${page}`));
    await createRunFixture(store(), urls);
    for (const host of ['x.dev', 'y.dev']) await store().hosts.adjust(host, (state) => ({ ...state, delayMs: 10 }));
    const request = { worker: 'w', limit: 10, leaseMs: 60_000, aheadMs: 1000 };
    const first = await store().frontier.claim({ ...request, maxPerHost: 2, excludedHosts: ['y.dev'] });
    expect(first.map(({ url }) => new URL(url).host)).toEqual(['x.dev', 'x.dev']);
    const second = await store().frontier.claim({ ...request, excludedHosts: ['x.dev'] });
    expect(second.map(({ url }) => new URL(url).host)).toEqual(Array.from({ length: 4 }, () => 'y.dev'));
  });

  test('enqueueing a URL again changes nothing', async () => {
    const { run } = await createRunFixture(store());
    const entries = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/a'].map((url) => frontierEntry(url));
    expect(await store().frontier.enqueue(run.id, entries)).toBe(2);
    expect(await store().frontier.enqueue(run.id, entries)).toBe(0);
    expect((await store().runs.byId(run.id))?.counts.found).toBe(2);
  });

  test('a URL enqueued twice in one batch keeps its first origin', async () => {
    const { run } = await createRunFixture(store());
    const twice = [
      frontierEntry('https://x.dev/a', { foundBy: 'llms-full' }),
      frontierEntry('https://x.dev/a', { foundBy: 'sitemap' }),
    ];
    await store().frontier.enqueue(run.id, twice);
    expect((await claimAll(store()))[0]?.foundBy).toBe('llms-full');
  });

  test('a URL is claimed by one worker at a time', async () => {
    await createRunFixture(
      store(),
      Array.from({ length: 30 }, (_, i) => `https://x.dev/${i}`),
    );
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((worker) => store().frontier.claim({ worker, limit: 10, leaseMs: 60_000, aheadMs: 1000 })),
    );
    while (claims.flat().length < 30)
      claims.push(await store().frontier.claim({ worker: 'd', limit: 10, leaseMs: 60_000, aheadMs: 1000 }));
    const urls = claims.flat().map((claim) => claim.url);
    expect(new Set(urls).size).toBe(30);
    expect(await claimAll(store())).toEqual([]);
  });

  test('a lower priority is claimed first', async () => {
    const { run } = await createRunFixture(store());
    await store().frontier.enqueue(run.id, [
      frontierEntry('https://x.dev/late', { priority: 5 }),
      frontierEntry('https://x.dev/early', { priority: 1 }),
    ]);
    expect((await claimAll(store(), 1))[0]?.url).toBe('https://x.dev/early');
  });

  test('a lower rank is claimed first whatever the priority, and a retried URL last', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/retried']);
    const [retried] = await claimAll(store());
    await store().frontier.settle([createSettlement(retried!, { kind: 'retry', reason: 'fetch.timeout', inMs: -1 })]);
    await store().frontier.enqueue(run.id, [
      frontierEntry('https://x.dev/usual', { priority: 1 }),
      frontierEntry('https://x.dev/least', { rank: 999 }),
      frontierEntry('https://x.dev/hub', { rank: 0, priority: 7 }),
      frontierEntry('https://x.dev/better', { rank: 499, priority: 3 }),
    ]);
    const claimed: string[] = [];
    for (let i = 0; i < 5; i += 1) claimed.push(...(await claimAll(store(), 1)).map(({ url }) => url));
    expect(claimed.map((url) => new URL(url).pathname)).toEqual(['/hub', '/better', '/usual', '/least', '/retried']);
  });

  test('with a maximum depth, levels take precedence over ranks', async () => {
    const { run, lease } = await createRunFixture(store());
    await store().frontier.advanceDepth(lease);
    await store().frontier.enqueue(run.id, [
      frontierEntry('https://x.dev/hub', { rank: 0, priority: 1, depth: 1 }),
      frontierEntry('https://x.dev/start', {}),
    ]);
    const [first, ...others] = await claimAll(store());
    expect([first?.url, others.length]).toEqual(['https://x.dev/start', 0]);
    await store().frontier.settle([createSettlement(first!, indexedOutcome(first!.url, 'text'))]);
    await store().frontier.advanceDepth(lease);
    expect(await claimAll(store())).toMatchObject([{ url: 'https://x.dev/hub' }]);
  });

  test('a run that was listed before it began has levels (with a maximum depth)', async () => {
    const { run, lease } = await createRunFixture(store());
    await store().frontier.urls(run.id, { outcome: null, reason: null, after: null, limit: 1 });
    await store().frontier.advanceDepth(lease);
    const a = frontierEntry('https://x.dev/a', { depth: 2, priority: 2, foundBy: 'link' });
    await store().frontier.enqueue(run.id, [a]);
    await store().frontier.enqueue(run.id, [{ ...a, depth: 1, priority: 1 }]);
    expect(await store().frontier.locate(run.version, a.url)).toMatchObject({ depth: 1 });
  });

  test('a claim whose lease expires is requeued with a higher fencing token', async () => {
    await createRunFixture(store(), ['https://x.dev/a']);
    const [late] = await claimAll(store(), 1, -1);
    const [current] = await claimAll(store());
    expect(current).toMatchObject({ url: late!.url, fence: late!.fence + 1, attempts: 2, crashes: 1 });
  });

  test('a settlement after a newer claim changes nothing', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [late] = await claimAll(store(), 1, -1);
    const [current] = await claimAll(store());
    expect(
      await store().frontier.settle([
        createSettlement(late!, indexedOutcome(late!.url, 'old'), ['https://x.dev/zombie']),
      ]),
    ).toEqual(['superseded']);
    expect(await store().pages.get(run.version, late!.url)).toBeNull();
    expect(await store().frontier.settle([createSettlement(current!, indexedOutcome(current!.url, 'new'))])).toEqual([
      'settled',
    ]);
    expect((await store().pages.get(run.version, current!.url))?.text).toBe('new\n');
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 1, new: 1 });
  });

  test('the same fencing token in the hands of another worker changes nothing (finding N27)', async () => {
    await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    const doubled = { ...claim!, worker: 'a worker of the server that was lost' };
    const settle = (by: typeof doubled) =>
      store().frontier.settle([createSettlement(by, indexedOutcome(by.url, `by ${by.worker}`))]);
    expect(await store().frontier.renew([doubled], 60_000)).toEqual([]);
    await store().frontier.release([doubled]);
    expect(await settle(doubled)).toEqual(['superseded']);
    expect(await settle(claim!)).toEqual(['settled']);
  });

  test('settling twice is settled once', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    const settlement = createSettlement(claim!, indexedOutcome(claim!.url, 'text'), ['https://x.dev/b']);
    expect(await store().frontier.settle([settlement])).toEqual(['settled']);
    expect(await store().frontier.settle([settlement])).toEqual(['superseded']);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 2, new: 1 });
  });

  test('one batch may contain settled and superseded claims', async () => {
    await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const [late] = await claimAll(store(), 1, -1);
    const claims = await claimAll(store());
    const other = claims.find((claim) => claim.url !== late!.url)!;
    expect(
      await store().frontier.settle([
        createSettlement(late!, indexedOutcome(late!.url, 'x')),
        createSettlement(other, indexedOutcome(other.url, 'y')),
      ]),
    ).toEqual(['superseded', 'settled']);
  });

  test('of two claims of one URL in a batch only the newer is settled, and only once', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [late] = await claimAll(store(), 1, -1);
    const [current] = await claimAll(store());
    const settlement = createSettlement(current!, indexedOutcome(current!.url, 'new'));
    expect(
      await store().frontier.settle([
        createSettlement(late!, indexedOutcome(late!.url, 'old')),
        settlement,
        { ...settlement },
      ]),
    ).toEqual(['superseded', 'settled', 'superseded']);
    expect((await store().pages.get(run.version, current!.url))?.text).toBe('new\n');
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 1, new: 1, bytes: 100 });
  });

  test('renewing extends a claim and reports lost ones', async () => {
    await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store(), 2, -1);
    const renewed = claims[0]!;
    expect(await store().frontier.renew([renewed], 60_000)).toEqual([renewed]);
    const retaken = await claimAll(store());
    expect(retaken.map((claim) => claim.url)).toEqual([claims[1]!.url]);
    expect(await store().frontier.renew(claims, 60_000)).toEqual([renewed]);
  });

  test('asking which claims are held renews none (finding D29)', async () => {
    await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store(), 2, -1);
    expect(await store().frontier.held(claims)).toEqual(claims);
    await store().frontier.release(claims.slice(0, 1));
    expect(await store().frontier.held(claims)).toEqual(claims.slice(1));
    expect(await claimAll(store())).toHaveLength(2);
    expect(await store().frontier.held(claims)).toEqual([]);
  });

  test('an earlier claim of a URL that the same worker has claimed again is not held', async () => {
    await createRunFixture(store(), ['https://x.dev/a']);
    const [earlier] = await claimAll(store());
    await store().frontier.release([earlier!]);
    const [current] = await claimAll(store());
    expect(await store().frontier.renew([earlier!, current!], 60_000)).toEqual([current]);
    expect(await store().frontier.held([earlier!, current!])).toEqual([current]);
  });

  test('a released claim is due immediately and costs no attempt', async () => {
    await createRunFixture(store(), ['https://x.dev/a']);
    await store().frontier.release(await claimAll(store()));
    expect((await claimAll(store()))[0]).toMatchObject({ attempts: 1, crashes: 0 });
  });

  test('a retry waits and is then claimed again', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const [first, second] = await claimAll(store());
    await store().frontier.settle([
      createSettlement(first!, { kind: 'retry', reason: 'fetch.timeout', inMs: 60_000 }),
      createSettlement(second!, { kind: 'retry', reason: 'fetch.timeout', inMs: -1 }),
    ]);
    expect(await store().frontier.isDrained(run.id)).toBe(false);
    const again = await claimAll(store());
    expect(again.map((claim) => [claim.url, claim.attempts, claim.crashes])).toEqual([[second!.url, 2, 0]]);
  });

  test('a URL that loses every worker is settled as failed after the last attempt', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    for (let attempt = 1; attempt <= TEST_SETTINGS.maxAttempts; attempt += 1)
      expect(await claimAll(store(), 1, -1)).toMatchObject([{ attempts: attempt }]);
    expect(await claimAll(store())).toEqual([]);
    expect(await store().frontier.isDrained(run.id)).toBe(true);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 1, failed: 1 });
    const [last] = (await store().journal.after(0, 10)).slice(-1);
    expect(last).toMatchObject({ kind: 'failed', detail: { reason: 'worker-lost' } });
  });

  test('a retry after the last attempt ends as failed, with the reason of the retry', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    for (let attempt = 1; attempt <= TEST_SETTINGS.maxAttempts; attempt += 1) {
      const [claim] = await claimAll(store());
      await store().frontier.settle([createSettlement(claim!, { kind: 'retry', reason: 'fetch.timeout', inMs: -1 })]);
    }
    expect(await claimAll(store())).toEqual([]);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 1, failed: 1 });
    const [last] = (await store().journal.after(0, 100)).slice(-1);
    expect(last).toMatchObject({ kind: 'failed', detail: { reason: 'fetch.timeout' } });
  });

  test('excluded URLs are counted with their rule and never claimed', async () => {
    const { run } = await createRunFixture(store());
    await store().frontier.exclude(run.id, [
      { url: pageUrl('https://x.dev/private'), depth: 1, foundBy: 'link', reason: 'robots-disallow', parent: null },
    ]);
    expect(await claimAll(store())).toEqual([]);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 0, excluded: 1 });
    expect(await store().frontier.isDrained(run.id)).toBe(true);
    expect(await store().frontier.reasons(run.id, 'excluded', 5)).toEqual([
      { reason: 'robots-disallow', count: 1, example: 'https://x.dev/private' },
    ]);
  });

  test('slots of a host keep its delay, and slots of one batch 10 % more', async () => {
    await createRunFixture(
      store(),
      Array.from({ length: 8 }, (_, i) => `https://x.dev/${i}`),
    );
    await store().hosts.adjust('x.dev', (state) => ({ ...state, delayMs: 200 }));
    const claims = await claimAll(store());
    expect(claims.map((claim) => claim.startsInMs)).toEqual([0, 220, 440, 660, 880]);
    expect(await claimAll(store())).toEqual([]);
  });

  test('nothing is claimed from a paused host while another one is claimed from', async () => {
    await createRunFixture(store(), ['https://x.dev/a', 'https://y.dev/a']);
    await store().hosts.adjust('x.dev', (state) => ({ ...state, pausedForMs: 60_000, breaker: 'open', failures: 5 }));
    expect((await claimAll(store())).map((claim) => hostOf(claim.url))).toEqual(['y.dev']);
    expect(await store().hosts.get('x.dev')).toMatchObject({ breaker: 'open', failures: 5 });
    expect(await store().hosts.countSuspended()).toBe(1);
  });

  test('a half-open host gets one request', async () => {
    await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await store().hosts.adjust('x.dev', (state) => ({ ...state, breaker: 'half-open' }));
    expect(await claimAll(store())).toHaveLength(1);
    expect(await claimAll(store())).toEqual([]);
    await store().hosts.adjust('x.dev', (state) => ({ ...state, breaker: 'closed' }));
    expect(await claimAll(store())).toHaveLength(1);
  });

  test('two runs that share a host are claimed round robin', async () => {
    await createRunFixture(store(), ['https://x.dev/a1', 'https://x.dev/a2']);
    await createRunFixture(store(), ['https://x.dev/b1', 'https://x.dev/b2']);
    const claims = await claimAll(store(), 2);
    expect(new Set(claims.map((claim) => claim.run)).size).toBe(2);
  });

  test('workers that enqueue the same links concurrently do not conflict', async () => {
    const { run } = await createRunFixture(store());
    const links = Array.from({ length: 60 }, (_, i) => `https://x${i % 7}.dev/${i}`);
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        store().frontier.enqueue(
          run.id,
          (i % 2 ? links.toReversed() : links).map((url) => frontierEntry(url)),
        ),
      ),
    );
    expect(added.reduce((sum, n) => sum + n, 0)).toBe(60);
    expect(await claimAll(store())).toHaveLength(60);
  });
}
