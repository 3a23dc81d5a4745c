// The routes of analysis runs, to the letter, on both databases: the client was written from the specification.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../support/stores.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createAnalysisClient } from './analysis-client.ts';

let site: SiteServer;
beforeAll(async () => void (site = await createSiteServer({ size: 8 })));
afterAll(() => site.close());

describe.each(['sqlite', 'postgres'] as const)('the letter of analysis runs (%s)', (engine) => {
  let server: TestServer;
  let client: ReturnType<typeof createAnalysisClient>;
  let dropDatabase = async (): Promise<void> => undefined;

  beforeAll(async () => {
    const database = engine === 'postgres' ? await createDatabase() : null;
    if (database !== null) dropDatabase = () => database.drop();
    server = await startTestServer(database === null ? {} : { PINAKES_DATABASE_URL: database.url });
    client = createAnalysisClient(server.url);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await dropDatabase();
  });

  const ended = async (id: string) => {
    await waitUntil(`the end of ${id}`, async () => (await client.show(id)).run.endedAt !== null, 30_000);
    return client.show(id);
  };

  test('lists work before the first run', async () => {
    expect(await client.list()).toEqual({ total: 0, items: [] });
    expect(await client.page('/analysis/ssr')).toContain('<table');
  });

  test('a run begins with db-setup, analyses every page, and ends completed', async () => {
    await crawl(server.url, site.start);
    const { runId } = await client.start();
    const { run, events } = await ended(runId);
    expect(run).toMatchObject({ id: runId, status: 'completed', stage: 'completed', error: null, pageLimit: null });
    const flags = { skipPages: false, skipDomains: false, dryRun: false, verbose: false };
    expect(run).toMatchObject(flags);
    expect(run.durationMs).toBe(Date.parse(run.endedAt ?? '') - Date.parse(run.startedAt));
    const stages = events.map(({ stage }) => stage).toReversed();
    const [first, second] = [stages.indexOf('db-setup'), stages.indexOf('page-analysis')];
    expect(first).toBeGreaterThanOrEqual(0);
    expect(stages.filter((stage) => stage === 'db-setup').length).toBeGreaterThanOrEqual(2);
    expect(stages.lastIndexOf('db-setup')).toBeLessThan(second);
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(events.every((event) => event.runId === runId)).toBe(true);
    const pages = (run.summary as { steps: { pages: { processed: number } } }).steps.pages;
    expect(pages.processed).toBeGreaterThan(5);
  });

  test('a second run finds nothing pending, and skipped steps are stated', async () => {
    const again = await ended((await client.start({})).runId);
    expect(again.run.summary).toMatchObject({ steps: { pages: { processed: 0 } } });
    const { run } = await ended(
      (await client.start({ skipPages: true, skipDomains: true, pageLimit: 3, domainLimit: 1 })).runId,
    );
    expect(run).toMatchObject({ skipPages: true, skipDomains: true, pageLimit: 3, domainLimit: 1 });
    expect(run.summary).toMatchObject({ steps: { pages: { skipped: true }, domains: { skipped: true } } });
  });

  test('limits and versions: at most pageLimit pages, and a higher version analyses all again', async () => {
    const limited = await ended((await client.start({ analysisVersion: 900, pageLimit: 2, verbose: true })).runId);
    expect(limited.run).toMatchObject({ analysisVersion: 900, pageLimit: 2, verbose: true });
    expect(limited.run.summary).toMatchObject({ steps: { pages: { processed: 2 } } });
    const dry = await ended((await client.start({ analysisVersion: 900, pageLimit: 1, dryRun: true })).runId);
    expect(dry.run.summary).toMatchObject({ steps: { pages: { processed: 1, updated: 0 } } });
  });

  test('the list is newest first, in pages by limit and offset', async () => {
    const all = await client.list();
    expect(all.total).toBe(all.items.length);
    const times = all.items.map(({ startedAt }) => startedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const { total, items } = await client.list('?limit=2&offset=1');
    expect([total, items.map(({ id }) => id)]).toEqual([all.total, all.items.slice(1, 3).map(({ id }) => id)]);
    expect(await client.statusOf('/api/analysis?limit=201')).toBe(400);
  });

  test('eventsLimit, and its alias, limit the events', async () => {
    const { items } = await client.list();
    const id = items.at(-1)?.id ?? '';
    expect((await client.show(id, '?eventsLimit=1')).events.length).toBe(1);
    expect((await client.show(id, '?limit=2')).events.length).toBe(2);
    expect(await client.statusOf(`/api/analysis/${id}?eventsLimit=501`)).toBe(400);
  });

  test('a malformed id is 400, an unknown one 404', async () => {
    expect(await client.statusOf('/api/analysis/%20no')).toBe(400);
    expect(await client.statusOf('/api/analysis/analysis-none')).toBe(404);
  });

  test('the pages show runs, stages, counters and events without JavaScript', async () => {
    const { items } = await client.list();
    const [run] = items;
    const list = await client.page('/analysis/ssr');
    for (const { id } of items) expect(list).toContain(`/analysis/${id}/ssr`);
    expect(list).toContain('completed');
    const detail = await client.page(`/analysis/${run?.id}/ssr`);
    for (const text of [run?.id ?? '', 'db-setup', 'awarding-milestones']) expect(detail).toContain(text);
  });
});

async function crawl(server: string, url: string): Promise<void> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, name: 'almanac' }),
  };
  const { run } = (await (await fetch(`${server}/api/sources`, sent)).json()) as { run: number };
  await waitUntil(
    'the end of the crawl',
    async () => {
      const { runs } = (await (await fetch(`${server}/api/runs/${run}`)).json()) as {
        runs: Array<{ endedAt: string | null }>;
      };
      return runs[0]?.endedAt !== null;
    },
    60_000,
  );
}
