// Bundles of real sites and folders: a reader written from the specification agrees with the library about each, the bytes are the same
// from every interface and version of Node, and an archive with very many entries is valid for other programs.
//
//   BUNDLE_SITES='postfix=http://127.0.0.1:18120/ …' BUNDLE_NODES='/path/to/node …' npm run test:bundles

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportBundle, type PageWithImage } from '../../src/core/export/bundle/export-bundle.ts';
import { readZip } from '../../src/core/extract/archive/read-zip.ts';
import { chunkId } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { openLibrary } from '../../src/index.ts';
import type { Library } from '../../src/client/library.ts';
import { MAIN } from '../support/program.ts';
import { readSpecifiedBundle } from '../feature/export/specified-bundle.ts';
import { startWebServer } from '../support/dashboard-server.ts';
import { writeResult } from '../support/write-result.ts';
import { needing } from '../support/needs.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SITES = (process.env['BUNDLE_SITES'] ?? '').split(' ').filter((site) => site !== '');
const NODES = (process.env['BUNDLE_NODES'] ?? '').split(' ').filter((node) => node !== '');
const ENTRIES = Number(process.env['BUNDLE_ENTRIES'] ?? 90_000);
const FOLDERS = [
  'docs/guides',
  'docs/decisions',
  'docs/reference',
  'docs/templates',
  'src/core/chunk',
  'src/core/extract',
  'src/store',
  'web/views',
  'test/data/golden/export/input',
  'test/data/corpora',
  'packaging',
  'bench/results',
];
const SOURCES = [
  ...SITES.map((site) => site.split(/=(.*)/s, 2) as [string, string]),
  ...FOLDERS.map((folder): [string, string] => [folder.replaceAll('/', '-'), join(PROJECT, folder)]),
];
/** Sources whose bytes are compared across interfaces and versions of Node. */
const COMPARED = [...SITES.slice(0, 2).map((site) => site.split('=')[0]!), 'docs-guides', 'src-core-chunk'];

const directory = temporaryDirectory();
const dataDir = join(directory, 'library');
const hashes = new Map<string, string>();
const read: { source: string; files: number; chunks: number; tokens: number }[] = [];
const same: string[] = [];
let archive: object | null = null;
let library: Library;

beforeAll(async () => {
  const settings = {
    fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1-65535'] },
    crawl: { minDelayMs: 0, startDelayMs: 10 },
  };
  library = await openLibrary({ dataDir, settings });
  for (const [name, url] of SOURCES) await (await library.add({ url, name })).done();
}, 1_800_000);

afterAll(async () => {
  await library.close();
  rmSync(directory, { recursive: true, force: true });
  if (read.length > 0) writeResult('bundles', { bundles: read.length, read, sameBytes: same, archive });
});

test.each(SOURCES)('the bundles of %s say what the library has', async (source) => {
  const full = unpack(await collect(library.export({ source })));
  const compact = unpack(await collect(library.export({ source, compact: true })));
  hashes.set(source, sha256Hex(await collect(library.export({ source }))));
  const bundle = readSpecifiedBundle(full, ['pinakes.json']);
  const { chunks } = readSpecifiedBundle(compact, ['pinakes.json']);
  expect(chunks).toEqual(bundle.chunks);
  const stored = new Map<string, readonly unknown[]>();
  for await (const { id, lines, tokens, text } of library.chunks(source))
    stored.set(id, [lines.first, lines.last, tokens, text]);
  const exported = bundle.index!.chunks.map(({ id, start_line, end_line, token_estimate, content }) => {
    return [id, [start_line, end_line, token_estimate, content]] as const;
  });
  expect(new Map(exported)).toEqual(stored);
  expect(stored.size).toBeGreaterThan(0);
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  read.push({ source, files: bundle.files.length, chunks: chunks.length, tokens });
});

test.each(COMPARED)(
  '%s has the same bytes from the command line, over HTTP and on other versions of Node',
  async (name) => {
    await library.close();
    const out = join(directory, 'bundle.zip');
    const wanted = hashes.get(name);
    for (const node of [process.execPath, ...NODES]) {
      pinakes(node, dataDir, ['export', name, '--out', out, '--force']);
      expect([node, sha256Hex(readFileSync(out))]).toEqual([node, wanted]);
      same.push(`${name}: command line, ${version(node)}`);
    }
    const server = await startWebServer(dataDir);
    const response = await fetch(`${server.url}/api/sources/${name}/export`);
    expect(sha256Hex(new Uint8Array(await response.arrayBuffer()))).toBe(wanted);
    await server.stop();
    same.push(`${name}: HTTP`);
  },
);

test(
  'other versions of Node make the same bundle of a folder in a library of their own',
  needing('other versions of Node in BUNDLE_NODES', NODES.length > 0),
  () => {
    const out = join(directory, 'own.zip');
    for (const [at, node] of NODES.entries())
      for (const folder of ['docs/guides', 'src/core/chunk']) {
        const name = folder.replaceAll('/', '-');
        const own = join(directory, `library-${at}`);
        pinakes(node, own, ['add', join(PROJECT, folder), '--name', name, '--wait']);
        pinakes(node, own, ['export', name, '--out', out, '--force']);
        expect([node, sha256Hex(readFileSync(out))]).toEqual([node, hashes.get(name)]);
        same.push(`${name}: another library, ${version(node)}`);
      }
  },
);

test(`an archive with ${ENTRIES} entries is valid for unzip and Python`, () => {
  const pages = Array.from({ length: ENTRIES / 100 }, (_, at) =>
    pageWithChunks(`page-${String(at).padStart(5, '0')}.md`, 100),
  );
  const { zip } = exportBundle({ name: 'many', version: '', startUrl: null }, pages, 'compact');
  const file = join(directory, 'many.zip');
  writeFileSync(file, zip);
  const tested = execFileSync('unzip', ['-tqq', file], { encoding: 'utf8' });
  const program = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))';
  const [bad, count] = execFileSync('python3', ['-c', program, file], { encoding: 'utf8' }).trim().split(' ');
  expect([tested, bad]).toEqual(['', 'None']);
  expect(Number(count)).toBeGreaterThan(ENTRIES);
  archive = { entries: Number(count), bytes: zip.byteLength, unzip: 'valid', python: 'valid' };
});

function pageWithChunks(path: string, count: number): PageWithImage {
  const chunks = Array.from({ length: count }, (_, at) => {
    const text = `Sentence ${at} of ${path}.`;
    const contentHash = sha256Hex(text);
    const id = chunkId(path, contentHash, 0);
    const lines = { first: 2 * at + 1, last: 2 * at + 1 };
    const location = { headings: [], anchor: null, symbol: null, jsonPath: null };
    return {
      id,
      ordinal: at,
      passageKind: 'prose' as const,
      text,
      contentHash,
      lines,
      tokens: 8,
      language: null,
      ...location,
    };
  });
  const about = { title: path, description: null, language: null, mediaType: 'text/markdown' };
  return { path, hash: sha256Hex(path), ...about, assetPath: null, warnings: [], chunks };
}

function pinakes(node: string, data: string, args: readonly string[]): void {
  const env = { PATH: process.env['PATH'], HOME: directory, PINAKES_DATA_DIR: data, PINAKES_OWNER_MODE: 'in-process' };
  execFileSync(node, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function version(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(parts));
}

/** index.json is as large as everything else together. */
const LIMITS = { maxRatio: 1000, maxFileBytes: 2 ** 30, maxTotalBytes: 2 ** 32, maxEntries: 1_000_000 };

function unpack(zip: Uint8Array): ReadonlyMap<string, Uint8Array> {
  return new Map(
    [...readZip(zip, 'bundle.zip', LIMITS)].map((item) => {
      if (item.kind !== 'file') throw new Error(`refused: ${item.name}`);
      return [item.path, item.body];
    }),
  );
}
