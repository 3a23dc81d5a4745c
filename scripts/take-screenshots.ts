// npm run screenshots -- OUT [NAME=URL …]: takes a picture of every view of the dashboard in light, dark and on a phone, from a real
// server that crawls the given sites, or the project's own docs folder by default. --server URL uses a running server instead;
// --only NAME,NAME takes some of the pictures.

import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = process.env['PINAKES_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
const MAIN = join(import.meta.dirname, '../src/main.ts');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, only: { type: 'string' } },
});
const [out = '.state/screenshots', ...sites] = positionals;
const only = options.only === undefined ? null : new Set(options.only.split(','));
const CHANGING = 'vectors.md';
const isOwn = options.server === undefined;

const VARIANTS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const EMPTY = { engine: 'sqlite', bytes: 0, unindexed: 0, spaces: [], lastSeq: 0, sources: [] };

interface Source {
  readonly source: string;
  readonly start: string;
  readonly run: { readonly run: number } | null;
}

interface Run {
  readonly run: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

/** What the views of one variant are taken of. */
interface Subject {
  readonly page: Page;
  readonly start: string;
  /** Path of the source that was added last. */
  readonly source: string;
  readonly longPage: string;
  readonly changedPage: string | null;
  readonly endedRun: number;
  readonly liveRun: number;
}

interface View {
  readonly name: string;
  readonly path: (subject: Subject) => string;
  readonly prepare?: (subject: Subject) => Promise<unknown>;
}

const data = mkdtempSync(join(tmpdir(), 'pinakes-screenshots-'));
/** The project's docs, without the generated site. */
const docs = join(data, 'docs');
cpSync(join(import.meta.dirname, '../docs'), docs, { recursive: true, filter: (from) => !/docs.site$/.test(from) });
// Something that is not documentation, so that a run has a reason to show.
writeFileSync(join(docs, 'tool.bin'), Buffer.alloc(4096, 7));
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

async function post<T>(path: string, body: unknown): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The view when the server responds to some request in another way. */
function withResponse(name: string, url: string, response: { status: number; json: unknown }): View {
  return {
    name,
    path: () => '/',
    async prepare({ page }) {
      await page.route(url, (route) => route.fulfill(response));
      await page.reload();
      await page.waitForTimeout(1500);
      await page.unrouteAll();
    },
  };
}

function tab(name: string, path: View['path'], label: string, shows = 'h1'): View {
  return {
    name,
    path,
    async prepare({ page }) {
      await page.click(`role=tab[name=/^${label}/]`);
      await page.waitForSelector(shows);
    },
  };
}

/** The plots of a library with this number of runs: a real run, varied. */
function plots(runs: number): View {
  return {
    name: `history-${runs}-runs`,
    path: () => '/history',
    async prepare({ page, liveRun }) {
      const { runs: stored } = await request<{ runs: Run[] }>(`/runs?before=${liveRun}&limit=1`);
      const all = Array.from({ length: runs }, (_, at) => varied(stored[0]!, at + 1)).toReversed();
      await page.route(/\/api\/runs\?/, (route) =>
        route.fulfill({ json: { runs: all, problems: [], cursors: { nextBefore: null } } }),
      );
      await page.reload();
      await page.waitForSelector('.bar-plot');
      await page.unrouteAll();
    },
  };
}

function varied(run: Run, nth: number): Run {
  const share = (factor: number): number => ((nth * factor) % 17) / 17;
  const endedAt = Date.now() - (400 - nth) * 86_400_000;
  const found = Math.round(900 + nth * 2 + 80 * share(5));
  const changed = Math.round(60 * share(7) ** 2);
  const failed = nth % 9 === 0 ? Math.round(20 * share(11)) : 0;
  return {
    ...run,
    run: nth,
    startedAt: new Date(endedAt - 60_000 - 90_000 * share(3)).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    counts: {
      ...run.counts,
      found,
      new: nth === 1 ? found : Math.round(12 * share(13)),
      changed,
      failed,
      gone: nth % 12 === 0 ? 6 : 0,
      unchanged: nth === 1 ? 0 : found - changed - failed,
      queued: 0,
      dropped: 0,
      bytes: Math.round(2e7 * (0.3 + share(7))),
    },
  };
}

const sourcePath = ({ source }: Subject): string => `/sources/${source}`;
const pagePath = ({ source, longPage }: Subject): string =>
  `/sources/${source}/page?url=${encodeURIComponent(longPage)}`;
const runPath = ({ liveRun }: Subject): string => `/runs/${liveRun}`;
const endedRunPath = ({ endedRun }: Subject): string => `/runs/${endedRun}`;

const VIEWS: readonly View[] = [
  { name: 'sources', path: () => '/', prepare: ({ page }) => page.waitForSelector('.source') },
  {
    name: 'add',
    path: () => '/add',
    async prepare({ page, start }) {
      await page.fill('input[type=url]', start.startsWith('http') ? start : 'https://docs.example.dev/');
      await page.waitForTimeout(4000);
    },
  },
  {
    name: 'add-impossible',
    path: () => '/add',
    async prepare({ page }) {
      await page.fill('input[type=url]', 'http://nosuchhost.invalid/');
      await page.waitForSelector('.notice', { timeout: 20_000 });
    },
  },
  {
    name: 'edit',
    path: (subject) => `${sourcePath(subject)}/edit`,
    async prepare({ page }) {
      await page.waitForSelector('.field, .notice');
      if (await page.isVisible('textarea')) await page.fill('textarea >> nth=1', '/**/api/**');
      await page.waitForTimeout(4000);
    },
  },
  {
    name: 'all-settings',
    path: (subject) => `${sourcePath(subject)}/edit`,
    async prepare({ page }) {
      await page.click('.more-settings > summary');
      await page.locator('.more-settings > summary').evaluate((summary) => summary.scrollIntoView());
    },
  },
  { name: 'recrawl', path: (subject) => `${sourcePath(subject)}/recrawl` },
  {
    name: 'remove',
    path: (subject) => `${sourcePath(subject)}/remove`,
    prepare: ({ page }) => page.waitForSelector('.bullets'),
  },
  { name: 'source', path: sourcePath, prepare: ({ page }) => page.waitForSelector('.rows .tr') },
  tab('site-tree', sourcePath, 'Site tree', '.site-tree'),
  tab('source-history', sourcePath, 'History', '.bar-plot'),
  { name: 'page', path: pagePath, prepare: ({ page }) => page.waitForSelector('.markdown') },
  tab('chunks', pagePath, 'Chunks'),
  tab('links', pagePath, 'Links'),
  tab('fetch-details', pagePath, 'Fetch details'),
  {
    name: 'changes',
    path: (subject) => `/sources/pinakes/page?url=${encodeURIComponent(subject.changedPage ?? subject.longPage)}`,
    async prepare({ page, changedPage }) {
      await page.click('role=tab[name=Changes]');
      if (changedPage !== null) await page.waitForSelector('.diff');
    },
  },
  { name: 'runs', path: () => '/runs', prepare: ({ page }) => page.waitForSelector('.rows .tr') },
  tab('run', runPath, 'Queue'),
  tab('run-reasons', runPath, 'Failed and excluded', '.reasons, .muted'),
  tab('run-hosts', runPath, 'Hosts'),
  tab('run-urls', runPath, 'URLs'),
  tab('run-events', runPath, 'Events'),
  tab('run-problems', endedRunPath, 'Problems'),
  tab('run-changes', endedRunPath, 'Changes'),
  tab('ended-hosts', endedRunPath, 'Hosts'),
  { name: 'history', path: () => '/history', prepare: ({ page }) => page.waitForSelector('.bar-plot') },
  {
    name: 'history-by-day',
    path: () => '/history',
    async prepare({ page }) {
      await page.click('text=by day');
      await page.waitForSelector('.bar-plot');
    },
  },
  plots(1),
  plots(30),
  plots(400),
  tab('calendar', () => '/history', 'Next runs'),
  tab('problems', () => '/history', 'Problems'),
  tab('milestones', () => '/history', 'Milestones'),
  tab('log', () => '/history', 'Log', '.rows .tr'),
  {
    name: 'search',
    path: () => '/search?q=how%20do%20I%20schedule%20a%20recrawl',
    prepare: ({ page }) => page.waitForSelector('.hit'),
  },
  {
    name: 'agent',
    path: () => '/search?q=how%20do%20I%20schedule%20a%20recrawl&as=agent',
    async prepare({ page }) {
      await page.waitForSelector('.agent-answer');
      await page.check('input[type=checkbox]');
    },
  },
  {
    name: 'compare',
    path: () => '/search?q=how%20do%20I%20schedule%20a%20recrawl&as=compare',
    prepare: ({ page }) => page.waitForSelector('.agent-answer'),
  },
  {
    name: 'nothing-found',
    path: () => '/search?q=zzyzxqq',
    prepare: ({ page }) => page.waitForTimeout(1500),
  },
  { name: 'library', path: () => '/library', prepare: ({ page }) => page.waitForSelector('.rows .tr') },
  tab('exports', () => '/library', 'Exports'),
  tab('integrity', () => '/library', 'Integrity'),
  tab('settings', () => '/library', 'Settings', '.rows .tr'),
  tab('tokens', () => '/library', 'Tokens'),
  { name: 'not-found', path: () => '/no/such/view' },
  {
    name: 'no-such-page',
    path: (subject) => `${sourcePath(subject)}/page?url=https%3A%2F%2Fnowhere.test%2F`,
    prepare: ({ page }) => page.waitForTimeout(500),
  },
  withResponse('empty', '**/api/library/stats*', { status: 200, json: EMPTY }),
  withResponse('unauthorized', '**/api/library/stats*', {
    status: 401,
    json: { error: { code: 'http.unauthorized', message: 'A valid access token is required' } },
  }),
  { name: 'palette', path: () => '/', prepare: ({ page }) => page.keyboard.press('Control+k') },
  { name: 'keyboard', path: () => '/', prepare: ({ page }) => page.keyboard.press('?') },
  {
    name: 'browser-mode-empty',
    path: () => '/browser-mode',
    prepare: ({ page }) => page.waitForSelector('[data-state=empty]'),
  },
  {
    name: 'browser-mode',
    path: () => '/browser-mode',
    async prepare({ page }) {
      await page.setInputFiles('input[aria-label=Folder]', docs);
      await page.waitForSelector('[data-state=ready]');
      await page.fill('input[type=search]', 'why fencing tokens instead of a job queue');
      await page.waitForSelector('.hit');
    },
  },
];

async function takeAll(from: Browser, { name, colorScheme, viewport }: (typeof VARIANTS)[number]): Promise<void> {
  const context = await from.newContext({ colorScheme, viewport, deviceScaleFactor: 1, reducedMotion: 'reduce' });
  const subject = await subjectOf(await context.newPage());
  const { page } = subject;
  for (const view of VIEWS.filter((one) => only === null || only.has(one.name))) {
    try {
      await page.goto(server.url + view.path(subject));
      await page.waitForSelector('h1');
      await view.prepare?.(subject);
      await page.waitForTimeout(600);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${view.name}-${name}: ${String(error)}\n`);
    }
    await page.screenshot({ path: join(out, `${view.name}-${name}.png`) });
  }
  if (isOwn) await untilIdle();
  await context.close();
}

/** Starts a full crawl, so that there is a live run to show. */
async function subjectOf(page: Page): Promise<Subject> {
  const { sources } = await request<{ sources: Source[] }>('/library/stats');
  const one = sources.at(-1);
  if (one === undefined) throw new Error('there is no source to show');
  const source = encodeURIComponent(one.source);
  const { pages } = await request<{ pages: { url: string; chunks: number }[] }>(`/sources/${source}/pages?limit=1000`);
  const longPage = (pages.toSorted((a, b) => b.chunks - a.chunks)[3] ?? pages[0])?.url ?? '';
  const own = await request<{ pages?: { url: string }[] }>('/sources/pinakes/pages?limit=1000');
  const changedPage = own.pages?.find(({ url }) => url.endsWith(`/${CHANGING}`))?.url ?? null;
  const { runs } = await request<{ runs: Run[] }>('/runs?limit=100');
  const endedRun = runs.find(({ counts }) => (counts['changed'] ?? 0) > 0) ?? runs[0]!;
  const { run } = await post<{ run: number }>(`/sources/${source}/recrawl`, { mode: 'full' });
  return { page, start: one.start, source, longPage, changedPage, endedRun: endedRun.run, liveRun: run };
}

const server = isOwn ? await startServer() : { url: options.server ?? '', end: () => undefined };
const browser = await chromium.launch({ executablePath: CHROMIUM });
try {
  mkdirSync(out, { recursive: true });
  if (isOwn) {
    for (const one of sites) {
      const [name = '', url = ''] = one.split(/=(.*)/s, 2);
      await post('/sources', { url, name, every: '1d' });
    }
    await untilIdle();
  }
  for (const variant of VARIANTS) await takeAll(browser, variant);
} finally {
  await browser.close();
  server.end();
  rmSync(data, { recursive: true, force: true });
}
