// Store contract: what happens to the URLs of a run is told in the order in which it happens.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Run } from '../../src/store/port/runs.ts';
import { claimAll, createRunFixture, createSettlement, frontierEntry, indexedOutcome } from '../support/run-fixture.ts';
import type { OpenTestStore, TestStore } from '../support/stores.ts';

const A = pageUrl('https://x.dev/a');
const OUTSIDE = { url: pageUrl('https://y.dev/'), depth: 1, foundBy: 'link', parent: A } as const;

async function eventsOf(store: Store, run: Run): Promise<readonly unknown[]> {
  const events = await store.journal.after(0, 1000, run.id);
  return events.filter(({ url }) => url !== null).map(({ kind, url, detail }) => [kind, url, detail]);
}

export function queueEventsContract(open: OpenTestStore): void {
  let opened: TestStore;
  const store = (): Store => opened.store;
  beforeEach(async () => {
    opened = await open({ queueEventMaxUrls: 3, maxAttempts: 2 });
  });
  afterEach(async () => {
    expect(await store().verify()).toEqual([]);
    await opened.close();
  });

  test('a URL is enqueued, dequeued, retried, dequeued and settled', async () => {
    const { run } = await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, { kind: 'retry', reason: 'fetch.timeout', inMs: 0 })]);
    const [again] = await claimAll(store());
    await store().frontier.settle([createSettlement(again!, indexedOutcome(A, 'text'))]);
    expect(await eventsOf(store(), run)).toEqual([
      ['enqueued', A, { depth: 0, queueSize: 1 }],
      ['dequeued', A, { depth: 0, queueSize: 1 }],
      ['retry', A, { depth: 0, reason: 'fetch.timeout', inMs: 0, queueSize: 1 }],
      ['dequeued', A, { depth: 0, queueSize: 1 }],
      ['new', A, { chunks: 1 }],
    ]);
  });

  test('a claimed URL that a rule excludes is excluded, and does not count as found', async () => {
    const { run } = await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    const reason = 'robots-disallow: line 2';
    await store().frontier.settle([createSettlement(claim!, { kind: 'excluded', reason })]);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 0, excluded: 1, skipped: 0 });
    expect(await store().frontier.locate(run.version, A)).toMatchObject({ state: 'excluded', outcome: 'excluded' });
    expect((await eventsOf(store(), run)).at(-1)).toEqual([
      'drop',
      A,
      { outcome: 'excluded', depth: 0, reason, queueSize: 0 },
    ]);
  });

  test('a worker that is lost is told as a retry, until no attempt is left', async () => {
    const { run } = await createRunFixture(store(), [A]);
    for (let attempt = 0; attempt < 3; attempt += 1) await claimAll(store(), 1, 0);
    const kinds = (await eventsOf(store(), run)).map((event) => (event as unknown[])[0]);
    expect(kinds).toEqual(['enqueued', 'dequeued', 'retry', 'dequeued', 'failed']);
  });

  test('released claims return to the queue', async () => {
    const { run } = await createRunFixture(store(), [A]);
    await store().frontier.release(await claimAll(store()));
    expect((await eventsOf(store(), run)).at(-1)).toEqual([
      'enqueued',
      A,
      { depth: 0, reason: 'released', queueSize: 1 },
    ]);
  });

  test('excluded and dropped URLs are told once, with their reason', async () => {
    const { run, lease } = await createRunFixture(store(), [A]);
    const exclusion = { ...OUTSIDE, reason: 'out-of-scope: another host' } as const;
    await store().frontier.exclude(run.id, [exclusion]);
    await store().frontier.exclude(run.id, [exclusion]);
    await store().runs.control(run.id, 'stop');
    await store().runs.dropUnfetched(lease, 'stopped');
    expect((await eventsOf(store(), run)).slice(1)).toEqual([
      ['drop', OUTSIDE.url, { outcome: 'excluded', depth: 1, reason: exclusion.reason, queueSize: 1 }],
      ['drop', A, { outcome: 'dropped', depth: 0, reason: 'stopped', queueSize: 0 }],
    ]);
  });

  test('a run with more URLs tells only what became of them', async () => {
    const { run } = await createRunFixture(
      store(),
      ['1', '2', '3', '4'].map((name) => `https://x.dev/${name}`),
    );
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'text'))]);
    const kinds = (await eventsOf(store(), run)).map((event) => (event as unknown[])[0]);
    expect(kinds).toEqual(['new', 'new', 'new', 'new']);
  });

  test('the ways in which links write a URL are recorded, each once', async () => {
    const { run } = await createRunFixture(store());
    const written = (query: string) => frontierEntry(A, { rawUrl: pageUrl(`${A}?${query}`) });
    await store().frontier.enqueue(run.id, [written('utm_source=b')]);
    for (const query of ['utm_source=c', 'utm_source=b', 'utm_source=cd'])
      await store().frontier.enqueue(run.id, [written(query)]);
    expect(await eventsOf(store(), run)).toEqual([
      ['enqueued', A, { depth: 0, rawUrl: `${A}?utm_source=b`, queueSize: 1 }],
    ]);
    const rawUrls = ['b', 'c', 'cd'].map((value) => `${A}?utm_source=${value}`);
    expect(await store().frontier.locate(run.version, A)).toMatchObject({ rawUrls });
  });

  test('rawUrls of a URL are bounded', async () => {
    const { run } = await createRunFixture(store());
    for (let i = 0; i < 100; i += 1)
      await store().frontier.enqueue(run.id, [frontierEntry(A, { rawUrl: pageUrl(`${A}?utm_campaign=name-${i}`) })]);
    const located = await store().frontier.locate(run.version, A);
    expect(located?.rawUrls.length).toBeGreaterThan(5);
    expect(located?.rawUrls.join(' ').length).toBeLessThan(1000);
  });
}
