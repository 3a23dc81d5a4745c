// Problems and milestones of a planned crawl and of an analysis, to the letter, on both databases: as frames of the stream and as pages.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../support/stores.ts';
import { docPage, startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { followJournal, readList, type JournalFrames } from './journal-client.ts';

const PARTS = ['guides', 'api', 'ops'] as const;
const MENU = [
  ...PARTS.flatMap((part) => [`/docs/${part}/`, ...[0, 1, 2].map((i) => `/docs/${part}/p${i}`)]),
  '/docs/world/france',
];

function sitePaths(): Record<string, PageResponse> {
  const nav = `<nav><ul>${MENU.map((href) => `<li><a href="${href}">Part ${href}</a></li>`).join('')}</ul></nav>`;
  const paths: Record<string, PageResponse> = {};
  const html = (path: string, links: readonly string[]): void =>
    void (paths[path] = docPage(`About ${path}`, links).replace('<body>', `<body>${nav}`));
  html('/docs/', MENU);
  for (const part of PARTS) {
    const own = Array.from({ length: 8 }, (_, i) => `/docs/${part}/p${i}`);
    html(`/docs/${part}/`, own);
    for (const path of own) html(path, []);
  }
  return paths;
}

let site: DocSite;
beforeAll(async () => void (site = await startDocSite(sitePaths())));
afterAll(() => site.close());

describe.each(['sqlite', 'postgres'] as const)('the letter of problems and milestones (%s)', (engine) => {
  let server: TestServer;
  let frames: JournalFrames;
  let dropDatabase = async (): Promise<void> => undefined;

  beforeAll(async () => {
    const database = engine === 'postgres' ? await createDatabase() : null;
    if (database !== null) dropDatabase = () => database.drop();
    server = await startTestServer(database === null ? {} : { PINAKES_DATABASE_URL: database.url });
    frames = await followJournal(server.url);
    const body = JSON.stringify({ url: `${site.origin}/docs/`, name: 'manual', preset: 'intelligent' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${server.url}/api/sources`, { method: 'POST', headers, body });
    await waitUntil(
      'the analysis',
      async () => {
        const { items } = (await (await fetch(`${server.url}/api/analysis`)).json()) as {
          items: Array<{ endedAt: unknown }>;
        };
        return items.length > 0 && items.every(({ endedAt }) => endedAt !== null);
      },
      60_000,
    );
  }, 180_000);
  afterAll(async () => {
    frames.close();
    await server.stop();
    await dropDatabase();
  });

  test('a hub that is gone is a warning about its host, with the slug in the details', () => {
    expect(frames.problems.filter(({ kind }) => kind === 'missing-hub')).toMatchObject([
      {
        scope: new URL(site.origin).host,
        target: '/docs/world/france',
        severity: 'warn',
        jobId: '1',
        details: { slug: expect.any(String) },
      },
    ]);
  });

  test('milestones name what was learned, and come before the end, which is none', async () => {
    const kinds = frames.milestones.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['patterns-learned', 'seeds-prepared', 'plan-summary']));
    expect(kinds).not.toContain('done');
    const learned = frames.milestones.find(({ kind }) => kind === 'patterns-learned');
    expect(learned).toMatchObject({
      scope: new URL(site.origin).host,
      message: 'Homepage patterns inferred',
      jobId: '1',
      details: { sections: expect.arrayContaining(['guides', 'api', 'ops']) },
    });
    const awarded = () => frames.milestones.find(({ kind }) => kind === 'depth2-coverage');
    await waitUntil('the frame of the analysis', async () => awarded() !== undefined, 60_000);
    expect(awarded()).toMatchObject({
      jobId: 'analysis-run',
      message: 'Completed analysis of 10 depth-2 pages from the front page',
      details: { depth: 2, pages: 15 },
    });
  });

  test('both have pages with filters, newest first', async () => {
    const host = new URL(site.origin).host;
    const problems = await readList(server.url, `/problems/ssr?kind=missing-hub&scope=${host}`);
    expect(problems).toMatchObject([{ Kind: 'missing-hub', Target: '/docs/world/france' }]);
    expect(await readList(server.url, '/problems/ssr?severity=warn')).toEqual(expect.arrayContaining([...problems]));
    const milestones = await readList(server.url, '/milestones/ssr?job=1');
    expect(milestones.map(({ Kind }) => Kind).at(-1)).toBe('patterns-learned');
    const awarded = await readList(server.url, `/milestones/ssr?job=analysis-run&scope=${host}`);
    expect(awarded.map(({ Kind }) => Kind)).toContain('depth2-coverage');
    expect(await readList(server.url, '/milestones/ssr?kind=none')).toEqual([]);
  });
});
