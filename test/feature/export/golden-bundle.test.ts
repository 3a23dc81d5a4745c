// A bundle in each format, file by file, and the hash of its archive. A change here is a new format.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGrammarLoader } from '../../../src/core/chunk/code/grammar-loader.ts';
import { createChunkers } from '../../../src/core/chunk/chunkers.ts';
import type { BundleFormat } from '../../../src/core/export/bundle/bundle.ts';
import { exportBundle, type PageWithImage } from '../../../src/core/export/bundle/export-bundle.ts';
import { readBundle } from '../../../src/core/export/bundle/read-bundle.ts';
import { readZip } from '../../../src/core/extract/archive/read-zip.ts';
import { extractors } from '../../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../../src/core/extract/extractor-registry.ts';
import { assetPath } from '../../../src/core/export/pages/page-path.ts';
import { createMemoryIndex, type MemoryPage } from '../../../src/core/lexical/segment/memory-index.ts';
import type { SourceId, VersionId } from '../../../src/core/model/run.ts';
import { retrievePages } from '../../../src/core/rank/lexical-retrieval.ts';
import { fileUrl } from '../../../src/core/files/file-url.ts';
import { chunkId } from '../../../src/core/model/chunk.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { readSpecifiedBundle } from './specified-bundle.ts';
import { createNodeGrammarFiles } from '../../../src/parse/node-grammar-files.ts';

const folder = join(import.meta.dirname, '../../data/golden/export');
const inputs = ['guide.md', 'reference/settings.json', 'reference/retry.ts.txt', 'reference/logo.png'];
const about = { name: 'golden', version: '1.0', declaredVersion: null, startUrl: null };
const limits = { targetChars: 400, capChars: 600, maxChunks: 100 };

const registry = createExtractorRegistry(extractors);
const chunkers = createChunkers(createGrammarLoader(createNodeGrammarFiles()));

function pageOf(path: string): PageWithImage {
  const body = readFileSync(join(folder, 'input', path));
  const { document } = registry.extract({ url: fileUrl(path), mediaType: null, body });
  const { chunks } = chunkers.chunk(document, limits);
  const { title, description, language } = document;
  const isImage = document.format === 'image';
  const fields = { path, title, description, language, mediaType: isImage ? 'image/png' : 'text/plain' };
  const asset = { assetPath: isImage ? assetPath(path) : null, warnings: [] };
  return { ...fields, ...asset, hash: sha256Hex(body), chunks, image: body };
}

const pages = inputs.map(pageOf);

function unpacked(zip: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const items = [...readZip(zip, 'bundle.zip')];
  return new Map(items.map((item) => [item.kind === 'file' ? item.path : '', item.kind === 'file' ? item.body : zip]));
}

const formats: ReadonlyArray<readonly [BundleFormat, string]> = [
  ['full', ''],
  ['compact', ''],
];

test.each(formats)('the %s bundle matches the golden files', async (format) => {
  const files = unpacked(exportBundle(about, pages, format).zip);
  expect([...files.keys()]).toEqual([...files.keys()].sort());
  const shown = [...files].map(([name, bytes]) =>
    name.startsWith('images/')
      ? `=== ${name} ${sha256Hex(bytes)}\n`
      : `=== ${name}\n${new TextDecoder().decode(bytes)}`,
  );
  await expect(shown.join('')).toMatchFileSnapshot(join(folder, `${format}.txt`));
});

test.each(formats)('the %s archive is deterministic, independent of order, time zone and year', (format) => {
  const { zip } = exportBundle(about, pages, format);
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Pacific/Kiritimati';
  try {
    expect(sha256Hex(exportBundle(about, pages.toReversed(), format).zip)).toBe(sha256Hex(zip));
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test.each(formats)('every chunk survives the round trip through the %s bundle', (format) => {
  const { bundle, zip } = exportBundle(about, pages, format);
  const reader = readBundle('bundle.zip', unpacked(zip));
  expect(reader.indexId).toBe(bundle.indexId);
  expect(reader.meta).toEqual(about);
  for (const page of pages) {
    const read = reader.read(page.path);
    expect(read?.chunks).toEqual(page.chunks);
    expect(read).toMatchObject({ title: page.title, language: page.language, hash: page.hash });
    expect(read?.image === null ? null : sha256Hex(read?.image ?? '')).toEqual(page.assetPath && page.hash);
  }
});

test.each(formats)('the %s bundle gives the same results as the pages it was made from', async (format) => {
  const reader = readBundle('bundle.zip', unpacked(exportBundle(about, pages, format).zip));
  const read = reader.pages.map(({ path, title }) => ({ path, title, chunks: reader.read(path)?.chunks ?? [] }));
  const search = async (query: string, of: ReadonlyArray<Pick<PageWithImage, 'path' | 'title' | 'chunks'>>) => {
    const index = createMemoryIndex([{ id: 1 as VersionId, source: 1 as SourceId, pages: of.map(toMemoryPage) }]);
    const found = await retrievePages(index, query, { versions: [1 as VersionId], names: new Map() });
    return found.pages.map(({ candidate, score }) => [candidate.best.chunk.id, score]);
  };
  for (const query of ['retry', 'install the program', 'timeout', 'logo']) {
    const hits = await search(query, read);
    expect(hits).toEqual(await search(query, pages));
    expect(hits.length).toBeGreaterThan(0);
  }
});

test.each(formats)('a reader of the specified formats reads the %s bundle', (format) => {
  const { bundle, zip } = exportBundle(about, pages, format);
  const read = readSpecifiedBundle(unpacked(zip), ['pinakes.json']);
  expect(read.indexId).toBe(bundle.indexId);
  const chunks = [...bundle.pages].flatMap(({ path, chunks: own }) => own.map((chunk) => ({ path, chunk })));
  expect(read.chunks.map(({ ref, path, start, end, tokens }) => ({ ref, path, start, end, tokens }))).toEqual(
    chunks.map(({ path, chunk: { ref, lines, tokens } }) => ({
      ref,
      path,
      start: lines.first,
      end: lines.last,
      tokens,
    })),
  );
});

test('[E1] a bundle without pinakes.json is rejected with a sentence', () => {
  const manifest = new TextEncoder().encode(`llmx_manifest_llm_tsv\t4\t${'0'.repeat(64)}\n#\tdocs\n`);
  expect(() => readBundle('other.zip', new Map([['manifest.llm.tsv', manifest]]))).toThrow(/it has no pinakes\.json/);
});

function toMemoryPage({ path, title, chunks }: Pick<PageWithImage, 'path' | 'title' | 'chunks'>): MemoryPage {
  return { url: fileUrl(path), title, pageKind: null, checkedAt: new Date(0), chunks };
}

test.each([
  ['a changed text', 'chunks/c0001.md', (text: string) => text.replace('boils', 'burns')],
  ['a path that leads out', 'manifest.llm.tsv', (text: string) => text.replace('\tguide.md\n', '\t../guide.md\n')],
  ['another file hash', 'pinakes.json', (text: string) => text.replace(/"[0-9a-f](?=[0-9a-f]{63}",(?:null|"i))/, '"0')],
  ['an image of another path', 'pinakes.json', (text: string) => text.replace('images/', 'images/other/')],
  ['a missing chunk', 'chunks/c0001.md', () => ''],
  ['a manifest that is not JSON', 'manifest.json', () => '{'],
  ['a pinakes.json that is not JSON', 'pinakes.json', () => '{'],
  ['fewer chunks in one manifest', 'manifest.llm.tsv', (text: string) => text.replace(/C\tc0001.*\n/, '')],
])('%s makes the bundle invalid', (_, name, change) => {
  const files = new Map(unpacked(exportBundle(about, pages, 'full').zip));
  files.set(name, new TextEncoder().encode(change(new TextDecoder().decode(files.get(name)))));
  const readAll = (): void => {
    const reader = readBundle('bundle.zip', files);
    for (const { path } of reader.pages) reader.read(path);
  };
  expect(readAll).toThrow(expect.objectContaining({ code: 'bundle.corrupt' }) as Error);
});

test.each(formats)('hidden characters in a %s bundle do not enter the library (finding N11)', (format) => {
  const hidden = '\0\u001B]0;owned\u0007\u202E\u200B\u{E0041}';
  const dirty = (text: string): string => text.slice(0, 1) + hidden + text.slice(1);
  const dirtyPages = pages.map((page) => ({
    ...page,
    title: dirty(page.title),
    chunks: page.chunks.map((chunk) => {
      const text = dirty(chunk.text);
      const contentHash = sha256Hex(text);
      const names = { headings: chunk.headings.map(dirty), symbol: chunk.symbol && dirty(chunk.symbol) };
      return { ...chunk, ...names, text, contentHash, id: chunkId(page.path, contentHash, 0) };
    }),
  }));
  const { zip } = exportBundle({ ...about, name: dirty(about.name) }, dirtyPages, format);
  const reader = readBundle('bundle.zip', unpacked(zip));
  expect(reader.meta).toEqual(about);
  for (const page of pages) {
    const read = reader.read(page.path);
    expect(read?.title).toBe(page.title);
    expect(read?.chunks).toEqual(page.chunks);
  }
});
