// Limits of a run, and when it aborts.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSecretFor } from '../../../src/platform/secrets.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import {
  docPage,
  startDocSite,
  redirectTo,
  status,
  type PageResponse,
  type DocSite,
} from '../../support/scripted-site.ts';
import { waitUntil } from '../../support/wait-until.ts';

vi.setConfig({ testTimeout: 90_000 });

const SECRET = 'a-secret-that-nobody-may-read';
let crawler: Crawler;
let origins: string[] = [];
const sites: DocSite[] = [];

beforeAll(async () => {
  crawler = await createCrawler({
    workers: 3,
    limits: { maxAttempts: 2, concurrency: 6 },
    // The site of the test is the one that was opened last.
    secretFor: (variable, origin) =>
      createSecretFor(
        origins.map((opened) => `DOCS_TOKEN@${opened}`),
        { DOCS_TOKEN: SECRET },
      )(variable, origin),
  });
});
afterAll(async () => {
  expect(await crawler.store.verify()).toEqual([]);
  await crawler.close();
  await Promise.all(sites.map((site) => site.close()));
});

async function open(paths: Readonly<Record<string, PageResponse>>, otherwise?: PageResponse): Promise<DocSite> {
  const site = await startDocSite(paths, otherwise);
  sites.push(site);
  return site;
}

const many = (size: number): string[] => Array.from({ length: size }, (_, i) => `/docs/page-${i}`);

test('[S3] a page limit counts pages that are stored, and the rest is excluded as overflow', async () => {
  const site = await open(
    {
      '/docs/': docPage('the start', ['/docs/gone', '/docs/alias', ...many(40)]),
      '/docs/alias': redirectTo('/docs/page-1'),
    },
    (request, response) =>
      request.url === '/docs/gone'
        ? void response.writeHead(404).end()
        : void response.setHeader('content-type', 'text/html').end(docPage(request.url ?? '')),
  );
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxPages: 12 });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 12, failed: 0 } });
  expect(run.counts.excluded).toBeGreaterThan(20);
  const [reason] = await crawler.store.frontier.reasons(run.id, 'excluded', 1);
  expect(reason).toMatchObject({ reason: 'overflow: the limit of 12 pages was reached', count: run.counts.excluded });
  const again = await crawler.crawl(`${site.origin}/docs/`);
  expect(again.counts.new + again.counts.changed + again.counts.unchanged).toBe(12);
});

test('a site that links to ever more URLs fills no more than its limit, and its run says so (finding V08)', async () => {
  const site = await open({ '/docs/': docPage('the start', many(3)) }, (request, response) => {
    const page = /page-(\d)$/.exec(request.url ?? '')?.[1];
    if (page === undefined) return void response.writeHead(404).end();
    const links = Array.from({ length: 600 }, (_, i) => `/docs/made-up-${page}-${i}`);
    response.setHeader('content-type', 'text/html').end(docPage(`page ${page}`, links));
  });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxPages: 5 });
  expect(run).toMatchObject({ state: 'partial', counts: { new: 4 } });
  expect(run.reason).toContain('link to more URLs than a run may have');
  // 2 × 5 + 1000, and the links of pages that were settled at the same time.
  expect(run.counts.found).toBeGreaterThanOrEqual(1010);
  expect(run.counts.found).toBeLessThan(1700);
  expect((await crawler.problems(run.id)).map(({ kind }) => kind)).toContain('url-limit');
});

test('one URL that hangs does not keep a run for all its attempts (finding T24)', async () => {
  let requests = 0;
  const site = await open({
    '/docs/': docPage('the start', ['/docs/a', '/docs/hangs']),
    '/docs/a': docPage('a page'),
    '/docs/hangs': () => void (requests += 1),
  });
  const patient = await createCrawler({ workers: 1, limits: { maxAttempts: 8 } });
  const run = await patient.crawl(`${site.origin}/docs/`, { preset: 'basic', requestTimeoutMs: 1000 });
  expect(run).toMatchObject({ state: 'partial', counts: { new: 2, failed: 1 } });
  expect(run.reason).toContain('/docs/hangs (fetch.timeout');
  expect(requests).toBe(3);
  await patient.close();
});

test('depth is unlimited by default', async () => {
  const site = await open({}, (request, response) => {
    const nth = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    response.setHeader('content-type', 'text/html');
    response.end(docPage(`level ${nth}`, nth < 30 ? [`/docs/level-${nth + 1}`] : []));
  });
  expect(await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' })).toMatchObject({ counts: { new: 31 } });
});

test('[F11] a run in which most URLs fail aborts, says so, and removes nothing', async () => {
  // So many that some are left when the failures are noticed, even on a busy machine.
  const PAGES = 500;
  let isIll = false;
  const site = await open({}, (request, response) => {
    if (isIll && request.url !== '/docs/' && request.url !== '/robots.txt') return void response.writeHead(403).end();
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html');
    response.end(docPage(request.url ?? '', request.url === '/docs/' ? many(PAGES) : []));
  });
  const start = `${site.origin}/docs/`;
  expect(await crawler.crawl(start, { preset: 'basic' })).toMatchObject({
    state: 'completed',
    counts: { new: PAGES + 1 },
  });
  isIll = true;
  const run = await crawler.crawl(start);
  expect(run.state).toBe('failed');
  expect(run.reason).toMatch(/^aborted because \d+ of the \d+ URLs processed so far failed$/);
  expect(run.counts.dropped).toBeGreaterThan(0);
  expect(run.counts['not-found']).toBe(0);
  expect((await crawler.stored()).filter((url) => url.startsWith(start))).toHaveLength(PAGES + 1);
  expect(await crawler.problems(run.id)).toMatchObject([
    { kind: 'many-failures', severity: 'error', scope: 'run', target: start },
  ]);
});

test('a run with a time limit ends with what it has stored', async () => {
  const site = await open({}, (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    setTimeout(() => {
      response.setHeader('content-type', 'text/html');
      response.end(docPage(request.url ?? '', [`${request.url}x`, `${request.url}y`]));
    }, 200);
  });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxMinutes: 0.03 });
  expect(run).toMatchObject({
    state: 'partial',
    reason: 'ended at its time limit of 0.03 minutes (maxMinutes of the source)',
  });
  expect(run.counts.new).toBeGreaterThan(3);
});

test('the time limit of a run does not count pauses', async () => {
  const site = await open({}, (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    setTimeout(() => {
      response.setHeader('content-type', 'text/html');
      response.end(docPage(request.url ?? '', request.url === '/docs/' ? ['/docs/a'] : []));
    }, 200);
  });
  const id = await crawler.start(`${site.origin}/docs/`, { preset: 'basic', maxMinutes: 0.1 });
  await waitUntil('the run is running', async () => (await crawler.store.runs.byId(id))?.state === 'running');
  await crawler.store.runs.control(id, 'pause');
  await wait(7000);
  await crawler.store.runs.control(id, 'resume');
  expect(await crawler.ended(id, 30_000)).toMatchObject({ state: 'completed', counts: { new: 2 } });
});

test('a site without end is crawled up to the default limit, which the run names (finding N29)', async () => {
  const site = await open({}, (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const { url = '' } = request;
    response.setHeader('content-type', 'text/html').end(docPage(url, [`${url}x`, `${url}y`]));
  });
  const limited = await createCrawler({ limits: { maxPages: 20, concurrency: 2 } });
  const run = await limited.ended(await limited.start(`${site.origin}/docs/`, { preset: 'basic' }), 30_000);
  expect(run).toMatchObject({ state: 'partial', reason: 'ended at its limit of 20 pages (crawl.maxPages)' });
  expect(run.counts.new).toBeGreaterThanOrEqual(20);
  expect((await limited.problems(run.id)).map(({ kind }) => kind)).toContain('page-limit');
  await limited.close();
});

test('[F10] [R5] a page that is empty without a browser is a problem with a next step', async () => {
  const shell = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
  const site = await open({ '/docs/': shell });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'failed', counts: { new: 0, skipped: 1 } });
  expect(await crawler.problems(run.id)).toMatchObject([
    {
      kind: 'needs-rendering',
      scope: 'host',
      target: site.origin.slice(7),
      message: expect.stringContaining('llms.txt'),
    },
  ]);
});

describe('[F8] headers of a private source', () => {
  test('are sent to its origin only, and their secrets appear nowhere', async () => {
    const other = await open({}, docPage('elsewhere'));
    const site = await open({}, (request, response) => {
      if (request.headers.authorization !== `Bearer ${SECRET}` && request.url !== '/robots.txt')
        return void response.writeHead(401).end();
      if (request.url === '/docs/away')
        return void response.writeHead(302, { location: `${other.origin}/docs/a` }).end();
      if (request.url === '/docs/moved') return void response.writeHead(302, { location: '/docs/new' }).end();
      if (request.url === '/robots.txt')
        return void response.writeHead(302, { location: `${other.origin}/robots.txt` }).end();
      response.setHeader('content-type', 'text/html');
      response.end(docPage(request.url ?? '', ['/docs/away', '/docs/moved', `${other.origin}/docs/b`]));
    });
    origins = [site.origin];
    const run = await crawler.crawl(`${site.origin}/docs/`, {
      preset: 'basic',
      headers: ['Authorization: Bearer {DOCS_TOKEN}'],
    });
    expect(run).toMatchObject({ state: 'completed', counts: { new: 2, failed: 0 } });
    expect(other.requests.map(({ url }) => url)).toEqual(['/robots.txt']);
    for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
    const recorded = JSON.stringify([
      await crawler.events(run.id),
      await crawler.problems(run.id),
      crawler.logged,
      run,
    ]);
    expect(recorded).not.toContain(SECRET);
    expect(JSON.stringify(await crawler.store.sources.list())).not.toContain(SECRET);
  });

  test('are not sent if the operator has not allowed them, and the run says what to set', async () => {
    const site = await open({}, docPage('private'));
    origins = ['https://docs.corp.example'];
    const run = await crawler.crawl(`${site.origin}/docs/`, {
      preset: 'basic',
      headers: ['Authorization: Bearer {DOCS_TOKEN}'],
    });
    expect(run.state).toBe('failed');
    expect(run.reason).toContain(`PINAKES_FETCH_SECRETS=DOCS_TOKEN@${site.origin}`);
    for (const { headers } of site.requests) expect(headers.authorization).toBeUndefined();
  });
});

test('a page blocked by the address guard names the setting that opens it', async () => {
  const site = await open({
    '/docs/': docPage('start', ['/docs/in']),
    '/docs/in': redirectTo('http://169.254.169.254/docs/'),
    '/docs/out': status(500),
  });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', scope: 'host' });
  expect(run.counts.excluded).toBe(1);
});

test('[C6] text of a page that had to be torn is a warning of the run', async () => {
  const site = await open({ '/docs/': docPage('start').replace('</p>', ` ${'x'.repeat(20_000)}</p>`) });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(await crawler.problems(run.id)).toMatchObject([
    { kind: 'line-cut', severity: 'warning', target: `${site.origin}/docs/` },
  ]);
});

test('a run has a concurrency, a timeout and a jitter of its own', async () => {
  let [active, most] = [0, 0];
  const site = await open({ '/docs/': docPage('the start', many(8)) }, ({ url = '' }, response) => {
    active += 1;
    most = Math.max(most, active);
    if (url === '/docs/page-7') return; // never answers, and takes one of the two places until its timeout
    setTimeout(() => {
      active -= 1;
      response.setHeader('content-type', 'text/html').end(docPage(url));
    }, 200);
  });
  const alone = await createCrawler({ limits: { maxAttempts: 1, concurrency: 6 } });
  const settings = { preset: 'basic', concurrency: 2, requestTimeoutMs: 5000, requestJitterMinMs: 20 } as const;
  const run = await alone.crawl(`${site.origin}/docs/`, settings);
  expect(most).toBe(2);
  expect(run.counts).toMatchObject({ new: 8, failed: 1 });
  expect((await alone.outcomes(run.id)).get(`${site.origin}/docs/page-7`)).toMatch(/^failed: fetch\.timeout/);
  await alone.close();
});

test('a run that prefers what is stored fetches only what is not', async () => {
  const pages: Record<string, PageResponse> = { '/docs/': docPage('the start', ['/docs/a', '/docs/b']) };
  const site = await open(pages);
  pages['/docs/a'] = docPage('a');
  await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', preferCache: true });
  const before = site.pages().length;
  pages['/docs/b'] = docPage('b');
  pages['/docs/a'] = docPage('a, changed');
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(run.counts).toMatchObject({ unchanged: 2, new: 1, changed: 0 });
  expect(site.pages().slice(before)).toEqual(['/docs/b']);
});
