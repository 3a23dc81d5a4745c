// Control from other processes: commands find the owner of a data directory or start it, and runs obey them.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSiteServer } from '../../support/generated-site.ts';
import { createLibrary, ENGINES, storedUrls, type Library } from '../../support/library.ts';
import { waitUntil } from '../../support/wait-until.ts';

const BACKGROUND = { PINAKES_OWNER_MODE: 'background', PINAKES_OWNER_IDLE_MS: '700' } as const;

interface StatusAnswer {
  readonly runs: ReadonlyArray<{ run: number; state: string; counts: Record<string, number> }>;
}

const status = async (library: Library): Promise<StatusAnswer> => library.json('status', 'almanac');

/** The background process is gone when its lock is free: then the test may start its own worker. */
async function ownerEnds(library: Library): Promise<void> {
  const socket = join(library.settings['PINAKES_DATA_DIR']!, 'owner.sock');
  await waitUntil('the owner in the background ends by itself', () => !existsSync(socket));
}

test(
  '[R1] add starts an owner that keeps crawling after the command exits, and exits when idle',
  { timeout: 120_000 },
  async () => {
    const site = await createSiteServer({ size: 24 });
    // The owner is still at work when the command has ended.
    const release = site.holdSlowPage();
    const library = await createLibrary('sqlite', BACKGROUND);
    const added = await library.run('add', site.start, '--name', 'almanac');
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toMatch(/^Added almanac and started run 1/);
    const socket = join(library.settings['PINAKES_DATA_DIR']!, 'owner.sock');
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    release();

    await waitUntil('the run has ended', async () => (await status(library)).runs[0]?.state === 'completed');
    expect(await storedUrls(library)).toEqual(
      [...site.oracle.stored.keys()].map((path) => site.origin + path).toSorted(),
    );
    await ownerEnds(library);
    await site.close();
    await library.remove();
  },
);

test('[R1] add --wait, recrawl --wait and remove go through one owner', { timeout: 120_000 }, async () => {
  const site = await createSiteServer({ size: 24 });
  const library = await createLibrary('sqlite', BACKGROUND);
  expect(await library.run('add', site.start, '--name', 'almanac', '--wait')).toMatchObject({ code: 0 });
  const again = await library.run('recrawl', 'almanac', '--wait');
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toMatch(/^Run 2 of almanac completed/);
  expect(again.stdout).toContain(' unchanged');
  expect(await library.run('remove', 'almanac')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Removed almanac: \d+ pages with \d+ chunks\.\n$/),
  });
  expect(await library.json('list')).toMatchObject({ sources: [], total: 0 });
  await ownerEnds(library);
  await site.close();
  await library.remove();
});

test('commands that start simultaneously agree on one owner', { timeout: 120_000 }, async () => {
  const sites = await Promise.all([1, 2, 3, 4].map(() => createSiteServer({ size: 6 })));
  const library = await createLibrary('sqlite', BACKGROUND);
  const added = await Promise.all(
    sites.map((site, i) => library.run('add', site.start, '--name', `almanac-${i}`, '--wait')),
  );
  expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  await ownerEnds(library);
  expect(await library.run('verify')).toMatchObject({ code: 0 });
  await Promise.all(sites.map((site) => site.close()));
  await library.remove();
});

test('[R1] a killed owner is replaced by the next command, and the run continues', { timeout: 120_000 }, async () => {
  const site = await createSiteServer({ size: 24 });
  const library = await createLibrary('sqlite', {
    ...BACKGROUND,
    PINAKES_CRAWL_LEASE_MS: '1500',
    PINAKES_CRAWL_RENEW_MS: '400',
  });
  const release = site.holdSlowPage();
  await library.run('add', site.start, '--name', 'almanac');
  await waitUntil('the crawl is under way', () => site.requestCounts().size > 5);
  const [owner] = await library.sql<{ worker: string }>('select worker from runs where worker is not null');
  process.kill(Number(owner?.worker.split(':')[1]), 'SIGKILL');
  release();
  const followed = library.run('resume', 'almanac', '--wait');
  // It was not paused, so there is nothing to resume; the call was enough to start the next owner.
  expect(await followed).toMatchObject({ code: 1 });
  await waitUntil('the run has ended', async () => (await status(library)).runs[0]?.state === 'completed');
  expect(await storedUrls(library)).toEqual(
    [...site.oracle.stored.keys()].map((path) => site.origin + path).toSorted(),
  );
  expect(await library.run('verify')).toMatchObject({ code: 0 });
  await ownerEnds(library);
  await site.close();
  await library.remove();
});

for (const engine of ENGINES) {
  test(
    `[R1] [R3] ${engine}: a run is paused, resumed and stopped from another process`,
    { timeout: 120_000 },
    async () => {
      const site = await createSiteServer({ size: 150, answerMs: 150 });
      const library = await createLibrary(engine, { ...BACKGROUND, PINAKES_CRAWL_CONCURRENCY: '2' });
      const worker = library.start('worker');
      await waitUntil('the worker has opened the library', async () => (await library.run('list')).code === 0);
      expect(await library.run('add', site.start, '--name', 'almanac')).toMatchObject({ code: 0 });
      await waitUntil('the crawl is under way', () => site.requestCounts().size > 8);
      const { hosts } = (await library.json('hosts', 'almanac')) as { hosts: object[] };
      expect(hosts).toMatchObject([{ host: new URL(site.origin).host, breaker: 'closed' }]);

      expect(await library.run('pause', 'almanac')).toMatchObject({ code: 0, stdout: 'Run 1 is paused.\n' });
      await wait(1000);
      const rested = site.requests.length;
      await wait(1000);
      expect(site.requests.length).toBe(rested);
      expect(await library.run('pause', 'almanac')).toMatchObject({ code: 1 });

      expect(await library.run('resume', '1')).toMatchObject({ code: 0 });
      await waitUntil('the run goes on', () => site.requests.length > rested);
      expect(await library.run('stop', 'almanac')).toMatchObject({ code: 0 });
      await waitUntil('the run has stopped', async () => (await status(library)).runs[0]?.state === 'stopped');
      worker.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
      expect(await library.run('verify')).toMatchObject({ code: 0 });
      await site.close();
      await library.remove();
    },
  );
}

test('[D9] plan shows what would be accepted and excluded, and stores nothing', async () => {
  const site = await createSiteServer({ size: 24 });
  const library = await createLibrary('sqlite', BACKGROUND);
  const plan: { accepted: number; excluded: { rule: string }[]; foundBy: Record<string, number> } = await library.json(
    'plan',
    site.start,
  );
  expect(plan.accepted).toBeGreaterThan(1);
  expect(plan.excluded.length).toBeGreaterThan(0);
  expect(Object.values(plan.foundBy).reduce((sum, n) => sum + n, 0)).toBe(plan.accepted);
  expect(await library.json('list')).toMatchObject({ sources: [], total: 0 });
  await site.close();
  await library.remove();
});

test('[R4] URLs and events are listed newest first, page by page', async () => {
  const site = await createSiteServer({ size: 12 });
  const library = await createLibrary('sqlite');
  await library.run('add', site.start, '--name', 'almanac', '--wait');
  const first: { events: { seq: number; kind: string }[] } = await library.json('events', 'almanac', '--limit', '5');
  expect(first.events[0]?.kind).toBe('run-ended');
  const last = first.events.at(-1)!.seq;
  const second: typeof first = await library.json('events', 'almanac', '--limit', '5', '--before', String(last));
  expect(second.events[0]!.seq).toBeLessThan(last);
  const excluded: { urls: { outcome: string; reason: string }[] } = await library.json(
    'urls',
    'almanac',
    '--outcome',
    'excluded',
  );
  expect(excluded.urls.length).toBeGreaterThan(0);
  expect(excluded.urls.every(({ outcome, reason }) => outcome === 'excluded' && reason !== '')).toBe(true);
  await site.close();
  await library.remove();
});
