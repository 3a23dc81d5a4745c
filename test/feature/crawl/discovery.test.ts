// Where a crawl discovers pages, in which order, and what it takes from each source.

import { afterEach, expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { RunId } from '../../../src/core/model/run.ts';
import { startCountingServer } from '../../support/counting-server.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import {
  docMarkdown,
  docPage,
  startDocSite,
  status,
  type PageResponse,
  type DocSite,
} from '../../support/scripted-site.ts';

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

async function open(paths: Readonly<Record<string, PageResponse>>, otherwise?: PageResponse): Promise<DocSite> {
  const site = await startDocSite(paths, otherwise);
  closing.push(site);
  return site;
}

async function newCrawler(): Promise<Crawler> {
  const crawler = await createCrawler();
  closing.push(crawler);
  return crawler;
}

/** The path of each URL of the run that was settled as a page, with the level that found it. */
async function found(crawler: Crawler, run: RunId): Promise<Readonly<Record<string, string>>> {
  const { urls } = await crawler.store.frontier.urls(run, { outcome: 'new', after: null, limit: 1000 });
  return Object.fromEntries(urls.map(({ url, foundBy }) => [new URL(url).pathname, foundBy]));
}

const requested = (site: DocSite): string[] => site.requests.map(({ url }) => url);
const TEXT = 'A page that says in full sentences what one has to know, long enough to be worth keeping. '.repeat(5);
const sitemapOf = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`;

test('[D1] llms.txt next to the start URL takes precedence, and an HTML page is not one', async () => {
  const site = await open({
    '/docs/': docPage('start'),
    '/docs/llms.txt': '<!doctype html><title>Nothing here</title><p>This page does not exist.</p>',
    '/docs/a': docPage('a'),
    '/docs/b': docPage('b'),
    '/llms.txt': '# Site\n\n- [B](/docs/b): the second\n',
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await found(crawler, run.id)).toEqual({ '/docs/': 'seed', '/docs/b': 'llms-txt' });
  expect(requested(site).filter((path) => path.endsWith('llms.txt'))).toEqual(['/docs/llms.txt', '/llms.txt']);

  const nextToStart = await open({
    '/docs/': docPage('start'),
    '/docs/llms.txt': '# Docs\n\n- [A](/docs/a): the first\n',
    '/docs/a': docPage('a'),
    '/llms.txt': '# Site\n\n- [B](/docs/b): the second\n',
  });
  const second = await newCrawler();
  const other = await second.crawl(`${nextToStart.origin}/docs/`);
  expect(await found(second, other.id)).toEqual({ '/docs/': 'seed', '/docs/a': 'llms-txt' });
  expect(requested(nextToStart)).not.toContain('/llms.txt');
});

test('[D1] the URL of llms.txt can be set, and then no other is requested', async () => {
  const site = await open({
    '/docs/': docPage('start'),
    '/docs/a': docPage('a'),
    '/ai/index.txt': '# Docs\n\n- [A](/docs/a): the first\n',
    '/llms.txt': '# Site\n\n- [B](/docs/b): the second\n',
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`, { llmsTxt: `${site.origin}/ai/index.txt` });
  expect(await found(crawler, run.id)).toEqual({ '/docs/': 'seed', '/docs/a': 'llms-txt' });
  expect(requested(site).filter((path) => path.endsWith('llms.txt'))).toEqual([]);
});

const LLMS_FULL_LOCATIONS = {
  'next to llms.txt': { path: '/llms-full.txt', llmsTxt: '# Site\n\n- [A](/a): the first\n- [B](/b): the second\n' },
  'without llms.txt': { path: '/llms-full.txt' },
  'where the source says it is': { path: '/ai/llms-full.txt', named: true },
} satisfies Record<string, { path: string; llmsTxt?: string; named?: boolean }>;

test.each(Object.entries(LLMS_FULL_LOCATIONS))(
  '[D2] pages in llms-full.txt are stored under their own URLs without being requested: %s',
  async (_candidate, candidate) => {
    const part = (title: string, path: string): string => `# ${title}\nSource: ORIGIN${path}\n\n${title}: ${TEXT}\n\n`;
    let origin = '';
    const listed = ['/a', '/b', '/d', '/e', '/f'];
    const site = await open({
      '/': docPage('start', ['/a', '/c']),
      '/c': docPage('c'),
      ...('llmsTxt' in candidate ? { '/llms.txt': candidate.llmsTxt } : {}),
      [candidate.path]: (_, response) => {
        response.setHeader('content-type', 'text/plain');
        response.end(
          listed
            .map((path) => part(path.slice(1).toUpperCase(), path))
            .join('')
            .replaceAll('ORIGIN', origin),
        );
      },
    });
    origin = site.origin;
    const crawler = await newCrawler();
    const run = await crawler.crawl(
      `${site.origin}/`,
      'named' in candidate ? { llmsTxt: `${site.origin}${candidate.path}` } : {},
    );
    expect(await found(crawler, run.id)).toEqual({
      '/': 'seed',
      '/c': 'link',
      ...Object.fromEntries(listed.map((path) => [path, 'llms-full'])),
    });
    // Three of them are requested, to compare their Markdown with their HTML.
    expect(new Set(site.pages().filter((path) => listed.includes(path))).size).toBeLessThanOrEqual(3);
  },
);

test('[D3] [D4] each page records the level that found it; links are followed from every one', async () => {
  const site = await open({
    '/docs/': docPage('start', ['/docs/linked', '/docs/listed']),
    '/docs/llms.txt': '# Docs\n\n- [Listed](/docs/listed): in both\n- [Dead](/docs/dead): not there\n',
    '/docs/listed': docPage('listed', ['/docs/behind-listed']),
    '/docs/behind-listed': docPage('behind listed'),
    '/docs/linked': docPage('linked'),
    '/docs/mapped': docPage('mapped'),
    '/docs/dead': status(500),
    '/sitemap.xml': (_, response) => {
      response.setHeader('content-type', 'application/xml');
      response.end(sitemapOf(`${site.origin}/docs/mapped`, `${site.origin}/docs/listed`));
    },
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await found(crawler, run.id)).toEqual({
    '/docs/': 'seed',
    '/docs/behind-listed': 'link',
    '/docs/linked': 'link',
    '/docs/listed': 'llms-txt',
    '/docs/mapped': 'sitemap',
  });
  expect(run).toMatchObject({ state: 'partial', counts: { failed: 1 } });
});

test('[D5] llms.txt and llms-full.txt are not documents, although pages link to them', async () => {
  const site = await open({
    '/': docPage('start', ['/llms.txt', '/llms-full.txt', '/a']),
    '/a': docPage('a'),
    '/llms.txt': '# Site\n\n- [A](/a): the first\n',
    '/llms-full.txt': `# Nothing that can be told apart\n\n${TEXT}`,
  });
  const crawler = await newCrawler();
  await crawler.crawl(`${site.origin}/`, { include: ['/**'] });
  expect(await crawler.stored()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
});

test('[D6] [D7] Markdown is requested if a site has it, and each page is stored once', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const links = names.map((name) => `/${name}`);
  const site = await open({
    '/': docPage('start', links),
    '/sitemap.xml': (_, response) => {
      response.setHeader('content-type', 'application/xml');
      response.end(sitemapOf(...links.map((path) => `${site.origin}${path}`)));
    },
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`/${name}`, docPage(name)],
        [`/${name}.md`, docMarkdown(name)],
      ]),
    ),
  });
  const crawler = await newCrawler();
  await crawler.crawl(`${site.origin}/`);
  expect(await crawler.stored()).toEqual([`${site.origin}/`, ...links.map((path) => `${site.origin}${path}`)]);
  const [source] = await crawler.store.sources.list();
  const page = await crawler.store.pages.get(source!.versions[0]!.id, pageUrl(`${site.origin}/d`));
  expect(page).toMatchObject({ mediaType: 'text/markdown; charset=utf-8' });
  const accepts = site.requests.filter(({ url }) => url === '/').map(({ headers }) => headers['accept']);
  expect(accepts[0]).toMatch(/^text\/markdown/);
});

test('Markdown that loses tables is not used, and the run reports it (finding T1.17)', async () => {
  const paths = ['/a', '/b', '/c', '/d'];
  const table = '<table><tr><th>Name</th><th>Meaning</th></tr><tr><td>page</td><td>reader</td></tr></table>';
  const site = await open({
    '/': docPage('start', paths),
    '/llms.txt': `# Site\n\n${paths.map((path) => `- [${path}](${path}.md): a page\n`).join('')}`,
    ...Object.fromEntries(
      paths.flatMap((path) => [
        [path, docPage(path.slice(1)).replace('<ul>', `${table}<ul>`)],
        [`${path}.md`, docMarkdown(path.slice(1))],
      ]),
    ),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/`);
  expect(await crawler.stored()).toEqual(['/', ...paths].map((path) => `${site.origin}${path}`));
  const [source] = await crawler.store.sources.list();
  const version = source!.versions[0]!.id;
  const page = await crawler.store.pages.get(version, pageUrl(`${site.origin}/d`));
  expect(page).toMatchObject({
    mediaType: 'text/html; charset=utf-8',
    text: expect.stringContaining('| page | reader |'),
  });
  const [problem] = await crawler.problems(run.id);
  expect(problem).toMatchObject({ kind: 'markdown-poor', severity: 'info' });
  expect(problem?.message).toContain(', 0 of 3 tables of 3 compared pages, so pages are read as HTML');
  expect(await crawler.store.sources.siteProfile(version)).toMatchObject({ ownMarkdown: { isUsed: false, pages: 3 } });

  const before = site.requests.length;
  await crawler.crawl(`${site.origin}/`);
  const again = site.requests.slice(before).filter(({ url }) => paths.includes(url));
  expect(again.length).toBeLessThanOrEqual(paths.length + 1);
});

test('[S6] a query parameter rule decides whether a parameter makes a different page', async () => {
  const site = await open({
    '/docs/': docPage('start', ['/docs/?page=2', '/docs/?page=2&sort=name', '/docs/?view=print', '/docs/?lang=de']),
    '/docs/?page=2': docPage('second'),
  });
  const crawler = await newCrawler();
  const queryParams = ['page=keep', 'sort=drop', 'view=skip', '*=drop'];
  const run = await crawler.crawl(`${site.origin}/docs/`, { queryParams, preset: 'basic' });
  expect(await crawler.stored()).toEqual([`${site.origin}/docs/`, `${site.origin}/docs/?page=2`]);
  const excluded = await crawler.store.frontier.reasons(run.id, 'excluded', 10);
  expect(excluded).toMatchObject([{ count: 1, example: `${site.origin}/docs/?view=print` }]);
  expect(site.pages()).toEqual(['/docs/', '/docs/?page=2']);
});

const xml =
  (text: () => string): PageResponse =>
  (_, response) => {
    response.setHeader('content-type', 'application/xml');
    response.end(text());
  };
const indexOf = (...urls: readonly string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

test('sitemaps are read no further than the page limit needs, and the run says so (finding N5)', async () => {
  const names = ['one', 'two', 'three'];
  const pagesOf = (name: string): string[] =>
    Array.from({ length: 2000 }, (_, nth) => `${site.origin}/docs/${name}-${nth}`);
  const site = await open(
    {
      '/sitemap.xml': xml(() => indexOf(...names.map((name) => `${site.origin}/sitemap-${name}.xml`))),
      ...Object.fromEntries(names.map((name) => [`/sitemap-${name}.xml`, xml(() => sitemapOf(...pagesOf(name)))])),
      '/robots.txt': status(404),
      '/docs/llms.txt': status(404),
      '/llms.txt': status(404),
    },
    (request, response) => {
      if (request.url?.endsWith('.md')) return void response.writeHead(404).end();
      response.setHeader('content-type', 'text/html');
      response.end(docPage(request.url ?? ''));
    },
  );
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`, { maxPages: 3 });
  expect(run).toMatchObject({ counts: { new: 3 } });
  expect(run.counts.excluded).toBeLessThan(2100);
  expect(requested(site)).not.toContain('/sitemap-three.xml');
  // They fill the run, and the start is not left out.
  const [source] = await crawler.store.sources.list();
  expect(await crawler.store.frontier.locate(source!.versions[0]!.id, pageUrl(`${site.origin}/docs/`))).toMatchObject({
    foundBy: 'seed',
  });
  expect(await crawler.problems(run.id)).toMatchObject([{ kind: 'sitemap-unread', target: `${site.origin}/docs/` }]);
});

test('what a sitemap lists outside the scope is recorded up to a limit (finding N5)', async () => {
  const outside = Array.from({ length: 11_000 }, (_, nth) => `https://remote.example/${nth}`);
  const site = await open({
    '/docs/': docPage('start'),
    '/docs/a': docPage('a'),
    '/sitemap.xml': xml(() => sitemapOf(...outside, `${site.origin}/docs/a`)),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await found(crawler, run.id)).toEqual({ '/docs/': 'seed', '/docs/a': 'sitemap' });
  expect(run.counts.excluded).toBe(10_000);
  expect(await crawler.problems(run.id)).toMatchObject([{ kind: 'sitemap-unread', severity: 'info' }]);
});

test('discovery files on another host obey its robots.txt, redirects too (finding N12)', async () => {
  const other = await startCountingServer((request, response) => {
    if (request.url === '/robots.txt') response.end('user-agent: *\ndisallow: /\n');
    else response.end('# Secret\n\n- [A](/a): x\n');
  }, '127.0.0.2');
  closing.push(other);
  const remote = `http://127.0.0.2:${other.port}`;
  const site = await open({
    '/': docPage('start'),
    '/robots.txt': Array.from({ length: 30 }, (_, nth) => `Sitemap: ${remote}/private/act?n=${nth}\n`).join(''),
    '/llms.txt': (_, response) => void response.writeHead(302, { location: `${remote}/llms.txt` }).end(),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/`);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 1 } });
  expect(new Set(other.requests.map(({ url }) => url))).toEqual(new Set(['/robots.txt']));
  expect((await crawler.problems(run.id)).map(({ kind }) => kind)).toContain('sitemap-unread');
});

test('few files of discovery are requested from other sites, whatever they allow (finding N12)', async () => {
  const other = await startCountingServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/xml');
    response.end(sitemapOf(`${site.origin}/from${request.url?.replaceAll(/\W/g, '-')}`));
  }, '127.0.0.2');
  closing.push(other);
  const site = await open(
    {
      '/robots.txt': Array.from(
        { length: 30 },
        (_, nth) => `Sitemap: http://127.0.0.2:${other.port}/act?n=${nth}\n`,
      ).join(''),
    },
    (request, response) => {
      if (/llms|\.md/.test(request.url ?? '')) return void response.writeHead(404).end();
      response.setHeader('content-type', 'text/html');
      response.end(docPage(request.url ?? ''));
    },
  );
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/`);
  expect(other.requests.filter(({ url }) => url !== '/robots.txt')).toHaveLength(5);
  expect(run).toMatchObject({ counts: { new: 6 } });
  const problems = await crawler.problems(run.id);
  expect(problems).toHaveLength(1);
  expect(problems[0]!.message).toContain('another site');
});

test('links that cannot be parsed are recorded as dropped, each once', async () => {
  const site = await open({
    '/docs/': docPage('start', ['http://[bad', '/docs/a', 'mailto:x@example.dev']),
    '/docs/a': docPage('a', ['http://[bad']),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  const dropped = (await crawler.events(run.id)).filter(({ kind }) => kind === 'drop');
  expect(dropped).toMatchObject([{ url: null, detail: { reason: 'bad-url', rawUrl: 'http://[bad', depth: 1 } }]);
});
