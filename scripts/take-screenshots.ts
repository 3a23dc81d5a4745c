// npm run screenshots -- OUT [NAME=URL …]: takes a picture of every view of the dashboard in light, dark and on a phone, from a real
// server that crawls the given sites, or the project's own docs folder by default. --server URL uses a running server instead.

import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = process.env['PINAKES_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
const MAIN = join(import.meta.dirname, '../src/main.ts');
const [out = '.state/screenshots', ...args] = process.argv.slice(2);
const CHANGING = 'vectors.md';
const isOwn = args[0] !== '--server';

const VARIANTS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const EMPTY = { engine: 'sqlite', bytes: 0, unindexed: 0, spaces: [], lastSeq: 0, sources: [] };

interface Library {
  readonly sources: ReadonlyArray<{ source: string; start: string; run: { run: number } | null }>;
}

const data = mkdtempSync(join(tmpdir(), 'pinakes-screenshots-'));
/** The project's docs, without the generated site. */
const docs = join(data, 'docs');
cpSync(join(import.meta.dirname, '../docs'), docs, { recursive: true, filter: (from) => !/docs.site$/.test(from) });
// Something that is not documentation, so that a run has a reason to show.
writeFileSync(join(docs, 'tool.bin'), Buffer.alloc(4096, 7));
const server = isOwn ? await startServer() : { url: args[1] ?? '', end: () => undefined };
const browser = await chromium.launch({ executablePath: CHROMIUM });
try {
  mkdirSync(out, { recursive: true });
  if (isOwn) {
    for (const one of args) {
      const [name = '', url = ''] = one.split(/=(.*)/s, 2);
      await post('/sources', { url, name });
    }
    await untilIdle();
  }
  for (const variant of VARIANTS) await takeAll(browser, variant);
} finally {
  await browser.close();
  server.end();
  rmSync(data, { recursive: true, force: true });
}

async function startServer(): Promise<{ url: string; end: () => unknown }> {
  const env = {
    ...process.env,
    PINAKES_DATA_DIR: data,
    PINAKES_SERVE_PORT: '0',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_CRAWL_START_DELAY_MS: '40',
  };
  await command(env, ['add', docs, '--name', 'pinakes', '--wait']);
  // One page changes, so that there is a revision to show.
  const changing = join(docs, CHANGING);
  writeFileSync(
    changing,
    readFileSync(changing, 'utf8')
      .replaceAll('source', 'collection')
      .replace(/^## .*$/m, '## What is new'),
  );
  await command(env, ['recrawl', 'pinakes', '--wait']);
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((resolve) => {
    child.stderr?.on('data', (text: Buffer) => {
      const [found] = /http:\/\/\S+/.exec(String(text)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { url, end: () => child.kill('SIGTERM') };
}

async function command(env: NodeJS.ProcessEnv, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: 'inherit' });
  await new Promise((resolve) => child.on('close', resolve));
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await (await fetch(`${server.url}/api${path}`, init)).json()) as T;
}

/** Waits until no run is live. */
async function untilIdle(): Promise<void> {
  for (let times = 0; times < 600; times += 1) {
    const { runs } = await request<{ runs: { endedAt: string | null }[] }>('/runs');
    if (runs.every(({ endedAt }) => endedAt !== null)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function post(path: string, body: unknown): Promise<void> {
  await request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function takeAll(from: Browser, { name, colorScheme, viewport }: (typeof VARIANTS)[number]): Promise<void> {
  const context = await from.newContext({ colorScheme, viewport, deviceScaleFactor: 1, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const take = async (view: string, path: string, prepare?: (page: Page) => Promise<unknown>): Promise<void> => {
    await page.goto(server.url + path);
    await page.waitForSelector('h1');
    await prepare?.(page);
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(out, `${view}-${name}.png`) });
  };
  /** The view when the library is empty, or does not respond. */
  const takeWithout = async (view: string, response: { status: number; json: unknown }): Promise<void> => {
    await page.route('**/api/library*', (route) => route.fulfill(response));
    await take(view, '/', () => page.waitForTimeout(1500));
    await page.unrouteAll();
  };
  const { sources } = await request<Library>('/library');
  const one = sources.at(-1);
  if (one === undefined) throw new Error('there is no source to show');
  const source = encodeURIComponent(one.source);
  const { pages } = await request<{ pages: { url: string; chunks: number }[] }>(`/sources/${source}/pages?limit=1000`);
  const long = pages.toSorted((a, b) => b.chunks - a.chunks)[3] ?? pages[0];
  await take('sources', '/');
  await take('add', '/add', async () => {
    await page.fill('input[type=url]', one.start.startsWith('http') ? one.start : 'https://docs.example.dev/');
    await page.waitForTimeout(4000);
  });
  await take('edit', `/sources/${source}/edit`, async () => {
    await page.waitForSelector('.field, .notice');
    if (await page.isVisible('textarea')) await page.fill('textarea >> nth=1', '/**/api/**');
    await page.waitForTimeout(4000);
  });
  await take('source', `/sources/${source}`, () => page.waitForSelector('.rows .tr'));
  await take('page', `/sources/${source}/page?url=${encodeURIComponent(long?.url ?? '')}`, () =>
    page.waitForSelector('.markdown'),
  );
  await take('chunks', `/sources/${source}/page?url=${encodeURIComponent(long?.url ?? '')}`, () =>
    page.click('role=tab[name=/Chunks/]'),
  );
  await take('links', `/sources/${source}/page?url=${encodeURIComponent(long?.url ?? '')}`, () =>
    page.click('role=tab[name=Links]'),
  );
  await take('fetch-details', `/sources/${source}/page?url=${encodeURIComponent(long?.url ?? '')}`, () =>
    page.click('role=tab[name="Fetch details"]'),
  );
  const { pages: stored } = await request<{ pages?: { url: string }[] }>('/sources/pinakes/pages?limit=1000');
  const changed = stored?.find(({ url }) => url.endsWith(`/${CHANGING}`));
  if (changed !== undefined)
    await take('changes', `/sources/pinakes/page?url=${encodeURIComponent(changed.url)}`, async () => {
      await page.click('role=tab[name=Changes]');
      await page.waitForSelector('.diff');
    });
  await take('runs', '/runs', () => page.waitForSelector('.rows .tr'));
  await post(`/sources/${source}/recrawl`, { mode: 'full' });
  const { runs } = await request<{ runs: { run: number }[] }>('/runs?limit=1');
  await take('run', `/runs/${runs[0]?.run}`, async () => {
    await page.waitForTimeout(5000);
    await page.click('role=tab[name=Queue]');
  });
  await take('reasons', `/runs/${runs[0]?.run}`, async () => {
    await page.click('role=tab[name=/excluded/]');
    await page.waitForSelector('.reasons');
  });
  for (const tab of ['Hosts', 'URLs', 'Events', 'Problems'])
    await take(`run-${tab.toLowerCase()}`, `/runs/${runs[0]?.run}`, () => page.click(`role=tab[name=/${tab}/]`));
  await take('search', '/search?q=how%20do%20I%20configure%20it', () => page.waitForSelector('.hit'));
  await take('agent', '/search?q=how%20do%20I%20configure%20it&as=agent', async () => {
    await page.waitForSelector('.hit');
    await page.check('input[type=checkbox]');
  });
  await take('compare', '/search?q=how%20do%20I%20configure%20it&as=compare', () => page.waitForSelector('.hit'));
  await take('health', '/health', () => page.waitForSelector('.rows .tr'));
  await take('exports', '/health', () => page.click('role=tab[name=Exports]'));
  await take('settings', '/health', () => page.click('role=tab[name=Settings]'));
  await take('tokens', '/health', () => page.click('role=tab[name=Tokens]'));
  await take('nothing-found', '/search?q=zzyzxqq', () => page.waitForTimeout(1500));
  await take('not-found', '/no/such/view');
  await take('no-such-page', `/sources/${source}/page?url=https%3A%2F%2Fnowhere.test%2F`, () =>
    page.waitForTimeout(500),
  );
  await takeWithout('empty', { status: 200, json: EMPTY });
  await takeWithout('unauthorized', {
    status: 401,
    json: { error: { code: 'http.unauthorized', message: 'A valid access token is required' } },
  });
  await take('palette', '/', () => page.keyboard.press('Control+k'));
  await take('local-empty', '/local', () => page.waitForSelector('[data-state=empty]'));
  await take('local', '/local', async () => {
    await page.setInputFiles('input[aria-label=Folder]', docs);
    await page.waitForSelector('[data-state=ready]');
    await page.fill('input[type=search]', 'why fencing tokens instead of a job queue');
    await page.waitForSelector('.hit');
  });
  await page.click('.hit button');
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(out, `local-page-${name}.png`) });
  if (isOwn) await untilIdle();
  await context.close();
}
