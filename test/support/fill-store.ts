// A store in which everything has happened at least once: every outcome, every state of a URL, vectors in every state,
// problems, milestones, a duplicate page, a live run, a removed source.

import { seedsPrepared } from '../../src/core/model/milestone.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Claim, Outcome } from '../../src/store/port/frontier.ts';
import type { RunLease } from '../../src/store/port/runs.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { frontierEntry, indexAll, indexedOutcome, createSettlement } from './run-fixture.ts';

/** Longer than every test, so that leases of the filled store never expire. */
const LONG_MS = 3_600_000;
const WORKER = 'filler';

export async function fillStore(store: Store): Promise<void> {
  const docs = await addSource(store, 'docs', 'https://x.dev/');
  await firstRun(store, docs);
  await secondRun(store, docs);
  await embedTexts(store);
  await removedSource(store);
  await indexAll(store);
  await liveRun(store, await addSource(store, 'live', 'https://y.dev/'));
}

async function addSource(store: Store, name: string, startUrl: string): Promise<Source> {
  return store.sources.add({ name, kind: 'web', startUrl, settings: {} }, '');
}

async function startRun(store: Store, source: Source): Promise<RunLease> {
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease(WORKER, LONG_MS);
  if (lease === null) throw new Error('no run to lease');
  return lease;
}

async function claimUrls(store: Store): Promise<readonly Claim[]> {
  return store.frontier.claim({ worker: WORKER, limit: 100, leaseMs: LONG_MS, aheadMs: 1000 });
}

const FIRST_RUN = ['a', 'b', 'c', 'd', 'copy', 'gone', 'absent', 'absent-later', 'flaky'];

async function firstRun(store: Store, source: Source): Promise<void> {
  const lease = await startRun(store, source);
  await store.frontier.enqueue(
    lease.run.id,
    FIRST_RUN.map((name) => frontierEntry(`https://x.dev/${name}`)),
  );
  await store.frontier.exclude(lease.run.id, [
    { url: pageUrl('https://x.dev/private'), depth: 1, foundBy: 'link', reason: 'robots-disallow', parent: null },
  ]);
  const claims = await claimUrls(store);
  await store.frontier.settle(
    claims.map((claim) =>
      createSettlement(claim, indexedOutcome(claim.url, `first of ${claim.url}`, 'a text of many pages')),
    ),
  );
  await store.runs.finish(lease, 'completed', null);
}

/** Outcomes of the second run; pages that are not listed are unchanged. */
const SECOND_RUN: Readonly<Record<string, Outcome>> = {
  'https://x.dev/a': indexedOutcome(pageUrl('https://x.dev/a'), 'second of a', 'a text of many pages', 'a third text'),
  'https://x.dev/gone': { kind: 'not-found', reason: 'status 410' },
  'https://x.dev/absent': { kind: 'missing', reason: 'status 404' },
  'https://x.dev/absent-later': { kind: 'missing', reason: 'status 404' },
  'https://x.dev/flaky': { kind: 'failed', reason: 'fetch.timeout' },
  'https://x.dev/alias': { kind: 'moved', to: pageUrl('https://x.dev/a') },
  'https://x.dev/alias-of-alias': { kind: 'moved', to: pageUrl('https://x.dev/alias') },
  'https://x.dev/login': { kind: 'skipped', reason: 'login' },
};

async function secondRun(store: Store, source: Source): Promise<void> {
  const lease = await startRun(store, source);
  const run = lease.run.id;
  await store.frontier.enqueuePrevious(run, null, 100);
  await store.frontier.enqueue(
    run,
    ['alias', 'alias-of-alias', 'login', 'broken'].map((name) => frontierEntry(`https://x.dev/${name}`)),
  );
  const claims = await claimUrls(store);
  const fetched = claims.filter((claim) => claim.url !== 'https://x.dev/broken');
  await store.frontier.settle(
    fetched.map((claim) =>
      createSettlement(claim, SECOND_RUN[claim.url] ?? { kind: 'unchanged', etag: '"1"', lastModified: null }),
    ),
  );
  await store.frontier.release(claims.filter((claim) => !fetched.includes(claim)));
  await store.pages.applyAliases(lease, [{ url: pageUrl('https://x.dev/copy'), aliasOf: pageUrl('https://x.dev/d') }]);
  await store.frontier.confirmMissing(lease, 2);
  await store.journal.reportProblem({
    run,
    kind: 'needs-rendering',
    severity: 'warning',
    scope: 'page',
    target: 'https://x.dev/login',
    message: 'An empty shell',
    details: {},
  });
  await store.journal.recordMilestone(run, seedsPrepared(pageUrl('https://x.dev/'), 6));
  await store.runs.control(run, 'stop');
  await store.runs.dropUnfetched(lease, 'stopped');
  await store.runs.finish(lease, 'stopped', 'on request');
}

async function embedTexts(store: Store): Promise<void> {
  const space = await store.vectors.openSpace('model/1', 4, {});
  const claims = await store.vectors.claim(space.id, WORKER, 5, LONG_MS);
  const [failed, retried, , ...others] = claims;
  await store.vectors.settle([
    { claim: failed!, outcome: { kind: 'failed', reason: 'too long' } },
    { claim: retried!, outcome: { kind: 'retry', inMs: LONG_MS, reason: 'busy' } },
    ...others.map((claim) => ({
      claim,
      outcome: { kind: 'embedded', vector: new Float32Array([1, 2, 3, 4]) } as const,
    })),
  ]);
}

async function removedSource(store: Store): Promise<void> {
  const source = await addSource(store, 'removed', 'https://z.dev/');
  const lease = await startRun(store, source);
  await store.frontier.enqueue(lease.run.id, [frontierEntry('https://z.dev/a'), frontierEntry('https://z.dev/b')]);
  const [claim] = await claimUrls(store);
  await store.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'soon gone'))]);
  await store.sources.remove(source.id);
}

async function liveRun(store: Store, source: Source): Promise<void> {
  const lease = await startRun(store, source);
  const names = ['page', 'queued', 'claimed', 'waiting'];
  await store.frontier.enqueue(
    lease.run.id,
    names.map((name) => frontierEntry(`https://y.dev/${name}`)),
  );
  const claims = await claimUrls(store);
  const claimOf = (name: string): Claim => claims.find((claim) => claim.url === `https://y.dev/${name}`)!;
  await store.frontier.settle([
    createSettlement(claimOf('page'), indexedOutcome(pageUrl('https://y.dev/page'), 'a live page')),
    createSettlement(claimOf('waiting'), { kind: 'retry', reason: 'fetch.timeout', inMs: LONG_MS }),
  ]);
  await store.frontier.release([claimOf('queued')]);
}
