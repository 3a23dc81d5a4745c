// Pages as files, as lines of JSON and as one text: every page once, the same bytes twice and on either engine, and nothing that a site wrote
// leaves its place.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { exportSource } from '../../../src/actions/export-source.ts';
import { createDocsFiles } from '../../../src/library/docs-files.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { Outcome } from '../../../src/store/port/frontier.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { actionDeps } from '../../support/run-worker.ts';
import { createLocalFolder } from '../../support/local-folder.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';

const HOSTILE = 'Title"\n---\nurl: "https://evil.dev"\n--- # <b>\u202E\u0007';
const URLS = [
  'https://x.dev/',
  'https://x.dev/guide',
  'https://x.dev/guide/',
  'https://x.dev/Guide',
  'https://x.dev/guide.html',
  'https://x.dev/a?x=1',
  'https://x.dev/a?x=2',
  'https://x.dev/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'https://x.dev/.git/hooks/post-checkout',
  `https://x.dev/${'deep/'.repeat(40)}end`,
  'https://api.x.dev/v1/caf%C3%A9',
];

let stores: Record<'sqlite' | 'postgres', { opened: TestStore; source: Source }>;

beforeAll(async () => {
  stores = { sqlite: await fill(openTestSqlite), postgres: await fill(openTestPostgres) };
});

afterAll(async () => {
  for (const { opened } of Object.values(stores ?? {})) await opened.close();
});

async function fill(open: typeof openTestSqlite): Promise<{ opened: TestStore; source: Source }> {
  const opened = await open();
  const added = await opened.store.sources.add(
    { name: 'x', kind: 'web', startUrl: 'https://x.dev/', settings: {} },
    '2.0',
  );
  const { source } = await createRunFixture(opened.store, URLS, added);
  for (const claim of await claimAll(opened.store))
    await opened.store.frontier.settle([createSettlement(claim, pageAt(claim.url))]);
  return { opened, source };
}

function pageAt(url: PageUrl): Outcome {
  const outcome = indexedOutcome(url, `# ${url}`, `Text of ${url} and [a link](/guide).`) as Extract<
    Outcome,
    { kind: 'indexed' }
  >;
  return { ...outcome, page: { ...outcome.page, title: url.endsWith('guide') ? HOSTILE : `Title of ${url}` } };
}

type Options = Partial<Parameters<typeof exportSource.run>[0]>;

async function exported(engine: 'sqlite' | 'postgres', options: Options, out = join(createLocalFolder({}), 'out')) {
  const input = exportSource.input.parse({ source: 'x', out, ...options });
  return { ...(await exportSource.run(input, actionDeps(stores[engine].opened.store))), out };
}

async function bytesOf(engine: 'sqlite' | 'postgres', options: Options): Promise<Buffer> {
  const file = join(createLocalFolder({}), 'out.zip');
  return readFileSync((await exported(engine, options, file)).out);
}

function frontMatter(text: string): Record<string, unknown> {
  return parseYaml(/^---\n(.*?)\n---\n\n/s.exec(text)?.[1] ?? '') as Record<string, unknown>;
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('[E6] every page is one Markdown file, under front matter that is only ours (finding T4.2)', async () => {
    const files = Object.entries(unzipSync(await bytesOf(engine, { format: 'pages' }))).map(
      ([path, data]) => [path, Buffer.from(data).toString()] as const,
    );
    expect(files.map(([, text]) => String(frontMatter(text)['url'])).toSorted()).toEqual(URLS.toSorted());
    for (const [path, text] of files) {
      expect(path).toMatch(/^[^./][^/]*(?:\/[^./][^/]*)*\.md$/);
      const { url, title, version, checked_at: checkedAt, content_hash: hash } = frontMatter(text);
      expect(String(title)).not.toContain('\n');
      expect({ version, checkedAt: Date.parse(String(checkedAt)) > 0 }).toEqual({ version: '2.0', checkedAt: true });
      expect(hash).toMatch(/^[\da-f]{64}$/);
      expect(text).toContain(`Text of ${String(url)}`);
    }
    expect(files.map(([path]) => path)).toContain('guide/index.md');
    expect(new Set(files.map(([path]) => path.toLowerCase())).size).toBe(URLS.length);
  });

  test('[E6] lines of JSON have every page, or every chunk, once', async () => {
    const lines = async (records: 'pages' | 'chunks'): Promise<ReadonlyArray<Record<string, unknown>>> =>
      (await bytesOf(engine, { format: 'jsonl', records }))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const pages = await lines('pages');
    expect(pages.map((page) => page['source_url'])).toEqual(URLS.toSorted());
    expect(pages[0]).toMatchObject({ library_source: 'x', library_version: '2.0', status_code: 200 });
    const chunks = await lines('chunks');
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(2 * URLS.length);
    expect(chunks.map((chunk) => chunk['chunk_index'])).toEqual(URLS.flatMap(() => [0, 1]));
  });

  test('[E6] the text of all pages is the one that the server offers', async () => {
    const { store } = stores[engine].opened;
    let served = '';
    for await (const part of (await createDocsFiles(store, '').fullText('x')).parts()) served += part;
    expect((await bytesOf(engine, { format: 'llms-full' })).toString()).toBe(served);
  });

  test('[E6] the bytes are the same twice', async () => {
    for (const options of [{ format: 'pages' }, { format: 'jsonl' }, { format: 'llms-full' }] as const)
      expect((await bytesOf(engine, options)).equals(await bytesOf(engine, options))).toBe(true);
  });
});

test('[E6] without times the bytes are the same on either engine', async () => {
  const formats = [
    { format: 'pages' },
    { format: 'jsonl' },
    { format: 'jsonl', records: 'chunks' },
    { format: 'llms-full' },
  ] as const;
  for (const format of formats) {
    const options = { ...format, reproducible: true };
    expect((await bytesOf('sqlite', options)).equals(await bytesOf('postgres', options))).toBe(true);
  }
});

test('[E6] all formats agree on the content', async () => {
  const ids: string[] = [];
  for (const format of ['bundle', 'pages', 'jsonl', 'llms-full'] as const)
    ids.push((await exported('sqlite', { format }, join(createLocalFolder({}), 'out.zip'))).indexId);
  expect(new Set(ids).size).toBe(1);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

test('[E6] pages go to a folder, which is replaced as a whole and only if it is an export', async () => {
  const { out, files } = await exported('sqlite', { format: 'pages' });
  const written = filesIn(out);
  expect(files).toBe(URLS.length);
  expect(written).toHaveLength(URLS.length + 1);
  await expect(exported('sqlite', { format: 'pages' }, out)).rejects.toThrow('--force replaces it');
  writeFileSync(join(out, 'stale.md'), 'of a page that is gone');
  await exported('sqlite', { format: 'pages', force: true }, out);
  expect(filesIn(out)).toEqual(written);
  expect(readdirSync(join(out, '..'))).toEqual(['out']);

  mkdirSync(join(out, '.git'));
  await expect(exported('sqlite', { format: 'pages', force: true }, out)).rejects.toThrow('also has .git');
  const own = createLocalFolder({ 'notes.md': 'mine' });
  await expect(exported('sqlite', { format: 'pages', force: true }, own)).rejects.toThrow('not an export');
  expect(filesIn(own)).toEqual(['notes.md']);
});

test('[E6] options of one format are refused for another', async () => {
  await expect(exported('sqlite', { format: 'pages', records: 'chunks' })).rejects.toThrow('records is for jsonl');
  await expect(exported('sqlite', { format: 'jsonl', vectors: true })).rejects.toThrow('for bundles');
});
