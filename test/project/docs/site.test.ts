// The site builds, has no broken links, serves agents, and lets Pinakes answer questions about itself.

import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLlmsTxt } from '../../../src/core/discover/llms/llms-txt.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { MAIN } from '../../support/program.ts';
import { buildSite, filesOf, serveSite } from './built-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const scratch = temporaryDirectory();
const site = join(scratch, 'site');
let files: Set<string>;
let pages: string[];
const read = (file: string): string => readFileSync(join(site, file), 'utf8');

beforeAll(() => {
  buildSite(site);
  files = new Set(filesOf(site));
  pages = [...files].filter((file) => file.endsWith('index.html'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('every link, image and fragment of every page exists', () => {
  const ids = new Map(pages.map((page) => [page, new Set(attributes(read(page), 'id'))]));
  const broken = pages.flatMap((page) =>
    [...attributes(read(page), 'href'), ...attributes(read(page), 'src')]
      .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target))
      .filter((target) => !exists(page, target, ids))
      .map((target) => `${page}: ${target}`),
  );
  expect(pages.length).toBeGreaterThan(60);
  expect([...new Set(broken)]).toEqual([]);
});

test('no page loads anything from another host', () => {
  const loaded = pages.flatMap((page) =>
    [...read(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="(https?:[^"]+)"/g)]
      .map(([, url = '']) => `${page}: ${url}`)
      .filter((line) => !line.includes('rel="canonical"')),
  );
  expect(loaded).toEqual([]);
});

test('every page has a Markdown variant, which llms.txt lists and llms-full.txt contains', () => {
  const { links, title } = parseLlmsTxt(read('llms.txt'), pageUrl('https://x.dev/llms.txt'));
  const listed = new Set(links.map(({ url }) => new URL(url).pathname.slice(1)));
  const whole = read('llms-full.txt');
  expect(title).toBe('Pinakes');
  expect(variants().filter((variant) => !files.has(variant) || !listed.has(variant))).toEqual([]);
  expect(variants().filter((variant) => !whole.includes(read(variant).trim()))).toEqual([]);
  expect(pages.filter((page) => !read(page).includes('type="text/markdown"'))).toEqual([]);
});

test('the HTTP API is published as an OpenAPI document', () => {
  expect(JSON.parse(read('openapi.json'))).toMatchObject({ openapi: '3.1.0', info: { title: 'Pinakes' } });
});

const QUESTIONS: ReadonlyArray<readonly [question: string, page: string, answer: string]> = [
  ['how long does a drain take on SIGTERM', 'guides/operating', '25 seconds'],
  ['which setting opens a private address range', 'guides/private-docs', 'PINAKES_FETCH_ALLOW_CIDRS'],
  ['connect Cursor to pinakes', 'guides/assistant', 'pinakes setup cursor'],
  ['what is the index id of a bundle', 'formats', 'SHA-256'],
  ['why fencing tokens instead of a job queue', 'decisions/0004-frontier-with-fencing-tokens', 'fence'],
];

test('[U5] Pinakes crawls the site through its llms.txt and answers five questions about itself', async () => {
  const { url, server } = await serveSite(site);
  const port = new URL(url).port;
  const env = {
    ...process.env,
    PINAKES_DATA_DIR: join(scratch, 'library'),
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: port,
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_LOG_LEVEL: 'error',
  };
  const pinakes = async (...args: string[]): Promise<unknown> => {
    const program = [MAIN, '--in-process', ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, program, { env, maxBuffer: 1e8 });
    return JSON.parse(stdout);
  };
  try {
    const name = `site-${port}`;
    const run = await pinakes('add', url, '--name', name, '--wait');
    expect(run).toMatchObject({ state: 'completed', counts: { failed: 0 } });
    // Each page is stored once, under the URL that people use; its Markdown variant and its part of llms-full.txt are the same page.
    const stored = (await pinakes('pages', name, '--limit', '500')) as { pages: { url: string }[] };
    const paths = stored.pages.map((page) => new URL(page.url).pathname.replace(/^\/$/, '/index').slice(1));
    expect(paths.sort()).toEqual(
      variants()
        .map((variant) => variant.replace('.md', ''))
        .sort(),
    );
    for (const [question, page, answer] of QUESTIONS) {
      const found = (await pinakes('search', question, '--source', name)) as {
        passages: { url: string; text: string }[];
      };
      const [best] = found.passages;
      expect(found.passages.map(({ text }) => text).join('\n'), question).toContain(answer);
      expect(best?.url, question).toContain(page);
    }
  } finally {
    server.close();
  }
});

function variants(): string[] {
  return pages.map((page) => (page === 'index.html' ? 'index.md' : page.replace('/index.html', '.md')));
}

function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&#38;', '&'),
  );
}

function exists(page: string, target: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [path = '', fragment = ''] = target.split('#');
  const from = `/${posix.dirname(page) === '.' ? '' : `${posix.dirname(page)}/`}`;
  const to = path === '' ? page : decodeURI(new URL(path, `http://x${from}`).pathname).slice(1);
  const file = [to, posix.join(to, 'index.html')].find((name) => files.has(name));
  if (file === undefined) return false;
  return fragment === '' || !file.endsWith('.html') || ids.get(file)?.has(decodeURIComponent(fragment)) !== false;
}
