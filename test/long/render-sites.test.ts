// npm run test:render-sites: real single-page sites, each with an oracle of its pages, crawled with a real Chromium and without one.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openapiDocument } from '../../src/serve/http/openapi-document.ts';
import { guideNames, installTools, reactSite, vitepressSite } from '../feature/render/built-sites.ts';
import { docsifySite, rapidocSite, redocSite, swaggerSite, type SpaSite } from '../feature/render/spa-sites.ts';
import { storybookSite } from '../feature/render/storybook-site.ts';
import { createTestRenderer, type TestRenderer } from '../feature/render/test-renderer.ts';
import { createCrawler, type Crawler } from '../support/crawl.ts';
import { writeResult } from '../support/write-result.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';

const MIN_RECALL = 0.98;
const MIN_TEXT = 0.97;
const CRAWL_MS = 1_500_000;
/** Of a page on a busy machine: a Storybook runs seven megabytes of scripts for each. */
const LIMITS = {
  timeoutMs: 90_000,
  pageIdleMs: 500,
  readyTimeoutMs: 60_000,
  maxPageBytes: 20_000_000,
  maxBodyBytes: 10_000_000,
};
const OPENAPI = openapiDocument('1.0.0');

const folder = temporaryDirectory();
const results: Record<string, unknown> = {};
const closing: Array<{ close(): Promise<void> }> = [];
let renderer: TestRenderer;

beforeAll(() => {
  installTools(folder);
  renderer = createTestRenderer({ limits: LIMITS });
}, 600_000);
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true });
  writeResult('render-sites', { bars: { recall: MIN_RECALL, text: MIN_TEXT }, sites: results });
});

async function opened<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
  const one = await opening;
  closing.push(one);
  return one;
}

/** Texts by URL of what a crawl stored. */
async function crawlAll(start: string, rendered: boolean): Promise<ReadonlyMap<string, string>> {
  const crawler = await opened(createCrawler(rendered ? { rendering: { mode: 'auto', renderer } } : {}));
  await crawler.ended(await crawler.start(start, { preset: 'basic' }), CRAWL_MS);
  return textsOf(crawler);
}

async function textsOf(crawler: Crawler): Promise<ReadonlyMap<string, string>> {
  const [source] = await crawler.store.sources.list();
  const version = source!.versions[0]!.id;
  const texts = new Map<string, string>();
  for (const url of await crawler.stored())
    texts.set(url, (await crawler.store.pages.get(version, url as never))?.text ?? '');
  return texts;
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Share of the expected words that a text has, each as often as it is expected. */
function shareOf(expected: string, text: string): number {
  const counts = new Map<string, number>();
  for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = words(expected);
  let found = 0;
  for (const word of all) {
    const left = counts.get(word) ?? 0;
    if (left > 0) found += 1;
    counts.set(word, left - 1);
  }
  return all.length === 0 ? 1 : found / all.length;
}

/** Records and judges the pages that were found, and how much of the expected text they have. */
function check(
  name: string,
  site: SpaSite,
  stored: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): void {
  const found = site.pages.filter((url) => stored.has(url)).length;
  const beyond = [...stored.keys()].filter((url) => !site.pages.includes(url));
  const shares = [...expected].map(([url, text]) => ({ url, share: shareOf(text, stored.get(url) ?? '') }));
  const worst = shares.reduce((a, b) => (a.share <= b.share ? a : b));
  const share = shares.reduce((sum, { share: one }) => sum + one, 0) / shares.length;
  results[name] = { pages: site.pages.length, found, beyond, words: round(share), worst: round(worst.share) };
  console.log(name, JSON.stringify(results[name]), worst.url);
  expect(found / site.pages.length, `${name}: pages`).toBeGreaterThanOrEqual(MIN_RECALL);
  expect(beyond, `${name}: what are no pages`).toEqual([]);
  expect(share, `${name}: text`).toBeGreaterThanOrEqual(MIN_TEXT);
}

const round = (number: number): number => Number(number.toFixed(4));

async function expectProblemWithoutBrowser(start: string): Promise<void> {
  const crawler = await opened(createCrawler());
  const run = await crawler.crawl(start, { preset: 'basic' });
  const problems = await crawler.problems(run.id);
  expect(problems.map(({ kind }) => kind)).toContain('needs-rendering');
  expect(problems.find(({ kind }) => kind === 'needs-rendering')?.message).toContain('Set render.browser');
}

const withoutSyntax = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/^\|[-:| ]+\|$/gm, '');

test('docsify', async () => {
  const site = await opened(docsifySite(guideNames));
  const expected = new Map([...site.markdown].map(([url, text]) => [url, withoutSyntax(text)]));
  check('docsify', site, await crawlAll(site.start, true), expected);
  await expectProblemWithoutBrowser(site.start);
});

test('React with React Router', async () => {
  const site = await opened(reactSite(folder));
  const expected = new Map([...site.markdown].map(([url, text]) => [url, withoutSyntax(text)]));
  check('react-router', site, await crawlAll(site.start, true), expected);
  await expectProblemWithoutBrowser(site.start);
});

test('Storybook', async () => {
  const site = await opened(storybookSite(join(folder, 'storybook')));
  const expected = new Map([...site.markdown].map(([url, text]) => [url, withoutSyntax(text)]));
  const stored = await crawlAll(site.start, true);
  const docs = site.docs.filter((url) => stored.has(url)).length;
  expect(docs / site.docs.length, 'storybook: documentation').toBeGreaterThanOrEqual(MIN_RECALL);
  check('storybook', site, stored, expected);
  await expectProblemWithoutBrowser(site.start);
});

test('VitePress without its prerendered pages', async () => {
  const site = await opened(vitepressSite(folder));
  const original = await crawlAll(site.prerendered, false);
  expect(original.size).toBe(site.pages.length);
  const expected = new Map([...original].map(([url, text]) => [url.replace(site.prerendered, site.start), text]));
  check('vitepress', site, await crawlAll(site.start, true), expected);
  await expectProblemWithoutBrowser(site.start);
});

test.each([
  ['swagger-ui', swaggerSite],
  ['redoc', redocSite],
  ['rapidoc', rapidocSite],
] as const)('%s', async (name, open) => {
  const site = await opened(open(OPENAPI));
  const paths = OPENAPI.paths as Record<string, Record<string, { readonly summary?: string }>>;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const summaries = operations.map(({ summary = '' }) => summary).join('\n');
  expect(words(summaries).length).toBeGreaterThan(100);
  check(name, site, await crawlAll(site.start, true), new Map([[site.start, summaries]]));
  await expectProblemWithoutBrowser(site.start);
});
