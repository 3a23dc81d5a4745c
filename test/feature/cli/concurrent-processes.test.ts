// Several processes on one library: readers during a crawl, a second writer, workers that stop and workers that share.

import { expect, test } from 'vitest';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createLibrary, ENGINES, claimedRows, storedUrls, type Library } from '../../support/library.ts';
import { start } from '../../support/program.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { wallSlowness } from '../../support/work-time.ts';

const QUICK = { PINAKES_CRAWL_LEASE_MS: '5000', PINAKES_CRAWL_RENEW_MS: '1000' } as const;

interface StatusAnswer {
  readonly runs: ReadonlyArray<{ readonly state: string; readonly counts: Readonly<Record<string, number>> }>;
}

const expectedUrls = (site: SiteServer): readonly string[] =>
  [...site.oracle.stored.keys()].map((path) => `${site.origin}${path}`).toSorted();

async function isEnded(library: Library): Promise<boolean> {
  return library.read(async (store) => (await store.runs.list(10)).every(({ endedAt }) => endedAt !== null));
}

for (const engine of ENGINES) {
  test(`${engine}: status, list and search work while another process crawls`, { timeout: 180_000 }, async () => {
    const site = await createSiteServer({ size: 12 });
    const library = await createLibrary(engine, QUICK);
    const release = site.holdSlowPage();
    const crawl = library.start('add', site.start, '--name', 'almanac', '--wait');
    await waitUntil(
      'every page but the slow one is fetched',
      () => site.requestCounts().size >= site.oracle.stored.size + 3,
    );

    const status: StatusAnswer = await library.json('status');
    expect(status.runs).toMatchObject([{ state: 'running' }]);
    expect(status.runs[0]?.counts['queued']).toBeGreaterThan(0);
    expect((await library.run('status')).stdout).toContain('almanac running');
    expect(await library.run('list')).toMatchObject({ code: 0 });
    expect(await library.run('verify')).toMatchObject({ code: 0 });
    await waitUntil('settled pages are found', async () => {
      const found: { passages: unknown[] } = await library.json('search', 'almanac documentation');
      return found.passages.length > 0;
    });

    release();
    expect(await crawl.ended).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(expectedUrls(site));
    await site.close();
    await library.remove();
  });

  test(`[R8] ${engine}: a worker that is stopped exits 0 and holds no claims`, { timeout: 180_000 }, async () => {
    const site = await createSiteServer({ size: 40, answerMs: 20 });
    const library = await createLibrary(engine, QUICK);
    expect(await library.run('add', site.start)).toMatchObject({ code: 0 });
    const release = site.holdSlowPage();
    const worker = library.start('worker');
    await waitUntil('the crawl is under way', () => site.requestCounts().size > 10);

    const requested = performance.now();
    worker.kill('SIGTERM');
    const ended = await worker.ended;
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(performance.now() - requested).toBeLessThan(25_000);
    expect(await claimedRows(library)).toEqual({ urls: 0, runs: 0 });
    expect(await library.run('verify')).toMatchObject({ code: 0 });

    release();
    const next = library.start('worker');
    await waitUntil('the next worker finishes the run', () => isEnded(library));
    next.kill('SIGTERM');
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(expectedUrls(site));
    await site.close();
    await library.remove();
  });
}

test(
  '[R8] a user who stops waiting leaves nothing claimed and is told how to continue the run',
  { timeout: 180_000 },
  async () => {
    const site = await createSiteServer({ size: 40, answerMs: 20 });
    const library = await createLibrary('sqlite');
    site.holdSlowPage();
    const waiting = library.start('add', site.start, '--wait');
    await waitUntil('the crawl is under way', () => site.requestCounts().size > 10);
    waiting.kill('SIGINT');
    const ended = await waiting.ended;
    expect(ended.code).toBe(130);
    expect(ended.stdout).toContain('Continue it: pinakes worker');
    expect(await claimedRows(library)).toEqual({ urls: 0, runs: 0 });
    await site.close();
    await library.remove();
  },
);

test('a second writer is refused within two seconds, with the name of the first', async () => {
  const library = await createLibrary('sqlite');
  const first = library.start('worker');
  await waitUntil('the first has opened the library', () =>
    library.sql('select 1 from runs').then(
      () => true,
      () => false,
    ),
  );
  const times: number[] = [];
  for (const command of [['worker'], ['add', 'https://docs.example.dev'], ['worker']]) {
    const second = await library.run(...command);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`process ${first.pid} (pinakes worker`);
    expect(second.stderr).toContain('PINAKES_DATA_DIR');
    times.push(second.ms);
  }
  // The fastest of three: starting a process takes long on a busy machine.
  expect(Math.min(...times)).toBeLessThan(2000 * wallSlowness());
  first.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  await library.remove();
});

test('postgres: two workers share a crawl and fetch each page once', { timeout: 180_000 }, async () => {
  const site = await createSiteServer({ size: 120, answerMs: 40 });
  const library = await createLibrary('postgres', { ...QUICK, PINAKES_CRAWL_CONCURRENCY: '4' });
  const names = ['first (+https://one.example)', 'second (+https://two.example)'];
  const workers = names.map((name) => start({ ...library.settings, PINAKES_FETCH_USER_AGENT: name }, ['worker']));
  await library.run('add', site.start);
  await waitUntil('the run has ended', () => isEnded(library));
  for (const worker of workers) worker.kill('SIGTERM');
  for (const worker of workers) expect(await worker.ended).toMatchObject({ code: 0 });

  expect(await storedUrls(library)).toEqual(expectedUrls(site));
  expect([...site.requestCounts()].filter(([path, times]) => times > 1 + site.oracle.hops(path))).toEqual([]);
  for (const name of names)
    expect(site.requests.filter(({ userAgent }) => userAgent === name).length).toBeGreaterThan(10);
  await site.close();
  await library.remove();
});
