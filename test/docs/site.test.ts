// The site builds, leads nowhere into nothing, speaks to agents, and teaches Pinakes about itself.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLlmsTxt } from '../../src/core/discover/llms/llms-txt.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { PROJECT } from '../package/project-files.ts';
import { buildSite, filesOf, serveSite } from './built-site.ts';

const place = mkdtempSync(join(tmpdir(), 'pinakes-site-'));
const site = join(place, 'site');
let files: Set<string>;
let pages: string[];
const read = (file: string): string => readFileSync(join(site, file), 'utf8');

beforeAll(() => {
  buildSite(site);
  files = new Set(filesOf(site));
  pages = [...files].filter((file) => file.endsWith('index.html'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('every link, picture and fragment of every page is there', () => {
  const ids = new Map(pages.map((page) => [page, new Set(attributes(read(page), 'id'))]));
  const broken = pages.flatMap((page) =>
    [...attributes(read(page), 'href'), ...attributes(read(page), 'src')]
      .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target))
      .filter((target) => !leadsSomewhere(page, target, ids))
      .map((target) => `${page}: ${target}`),
  );
  expect(pages.length).toBeGreaterThan(60);
  expect([...new Set(broken)]).toEqual([]);
});

test('nothing is asked of other hosts', () => {
  const asked = pages.flatMap((page) =>
    [...read(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="(https?:[^"]+)"/g)]
      .map(([, url = '']) => `${page}: ${url}`)
      .filter((line) => !line.includes('rel="canonical"')),
  );
  expect(asked).toEqual([]);
});

test('every page has a Markdown twin, which llms.txt lists and llms-full.txt holds', () => {
  const { links, title } = parseLlmsTxt(read('llms.txt'), pageUrl('https://x.dev/llms.txt'));
  const listed = new Set(links.map(({ url }) => new URL(url).pathname.slice(1)));
  const whole = read('llms-full.txt');
  expect(title).toBe('Pinakes');
  expect(twins().filter((twin) => !files.has(twin) || !listed.has(twin))).toEqual([]);
  expect(twins().filter((twin) => !whole.includes(read(twin).trim()))).toEqual([]);
  expect(pages.filter((page) => !read(page).includes('type="text/markdown"'))).toEqual([]);
});

test('the HTTP door is there as an OpenAPI document', () => {
  expect(JSON.parse(read('openapi.json'))).toMatchObject({ openapi: '3.1.0', info: { title: 'Pinakes' } });
});

const QUESTIONS: ReadonlyArray<readonly [question: string, page: string, answer: string]> = [
  ['how long does a drain take on SIGTERM', 'guides/operating', '25 seconds'],
  ['which setting opens a private address range', 'guides/private-docs', 'PINAKES_FETCH_ALLOW_CIDRS'],
  ['connect Cursor to pinakes', 'guides/assistant', 'pinakes setup cursor'],
  ['what is the index id of a bundle', 'formats', 'SHA-256'],
  ['why fences instead of a queue', 'decisions/0004-fences-instead-of-a-queue', 'fence'],
];

test('[U5] Pinakes crawls the site through its llms.txt and answers five questions about itself', async () => {
  const { url, server } = await serveSite(site);
  const port = new URL(url).port;
  const env = {
    ...process.env,
    PINAKES_DATA_DIR: join(place, 'library'),
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: port,
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_LOG_LEVEL: 'error',
  };
  const pinakes = async (...args: string[]): Promise<unknown> => {
    const program = [join(PROJECT, 'src/main.ts'), '--in-process', ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, program, { env, maxBuffer: 1e8 });
    return JSON.parse(stdout);
  };
  try {
    const name = `site-${port}`;
    const run = await pinakes('add', url, '--name', name, '--wait');
    expect(run).toMatchObject({ state: 'completed', counts: { failed: 0 } });
    // Each page stands once, under the address that people use; its twin and its part of llms-full.txt are the same page.
    const stored = (await pinakes('pages', name, '--limit', '500')) as { pages: { url: string }[] };
    const kept = stored.pages.map((page) => new URL(page.url).pathname.replace(/^\/$/, '/index').slice(1));
    expect(kept.sort()).toEqual(
      twins()
        .map((twin) => twin.replace('.md', ''))
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

function twins(): string[] {
  return pages.map((page) => (page === 'index.html' ? 'index.md' : page.replace('/index.html', '.md')));
}

function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&#38;', '&'),
  );
}

function leadsSomewhere(page: string, target: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [path = '', fragment = ''] = target.split('#');
  const from = `/${posix.dirname(page) === '.' ? '' : `${posix.dirname(page)}/`}`;
  const to = path === '' ? page : decodeURI(new URL(path, `http://x${from}`).pathname).slice(1);
  const file = [to, posix.join(to, 'index.html')].find((name) => files.has(name));
  if (file === undefined) return false;
  return fragment === '' || !file.endsWith('.html') || ids.get(file)?.has(decodeURIComponent(fragment)) !== false;
}
