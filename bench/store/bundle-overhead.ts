// node bench/store/bundle-overhead.ts NAME=FOLDER [NAME=FOLDER …]: what the files of a bundle cost in tokens of a real tokenizer, next to the
// texts themselves, with chunks as large as those of files and of pages. Every bundle is read by the specification of its formats, and each ref,
// path, line range and token estimate is compared with the chunks. Any folders with documentation or code will do.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundleLimits, type ChunkLimits } from '../../src/core/chunk/chunker.ts';
import { createGrammarLoader } from '../../src/core/chunk/code/grammar-loader.ts';
import { createChunkers } from '../../src/core/chunk/chunkers.ts';
import { exportBundle } from '../../src/core/export/bundle/export-bundle.ts';
import type { BundleFormat, ExportedPage } from '../../src/core/export/bundle/bundle.ts';
import { readZip } from '../../src/core/extract/archive/read-zip.ts';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { fileMediaType } from '../../src/core/files/file-kind.ts';
import { fileUrl, displayPath } from '../../src/core/files/file-url.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { createNodeGrammarFiles } from '../../src/parse/node-grammar-files.ts';
import { readSpecifiedBundle } from '../../test/feature/export/specified-bundle.ts';
import { countTokens } from '../../test/support/count-tokens.ts';
import { writeResult } from '../support/write-result.ts';

const registry = createExtractorRegistry(extractors);
const chunkers = createChunkers(createGrammarLoader(createNodeGrammarFiles()));
const pageLimits: ChunkLimits = { targetChars: 1200, capChars: 2400, maxChunks: 2000 };
const READABLE = /\.(?:mdx?|html?|json|[cm]?[jt]sx?|txt)$/;
const MAX_FILE_BYTES = 1_000_000;
const MAX_FILES = 400;
/** index.json is many times as large as the texts. */
const READ_ANYTHING = { maxRatio: 1000, maxFileBytes: 1e9, maxTotalBytes: 4e9, maxEntries: 500_000 };

async function pageOf(folder: string, file: string, limits: ChunkLimits): Promise<ExportedPage | null> {
  const body = readFileSync(file);
  const path = displayPath(relative(folder, file));
  const url = fileUrl(path);
  const { document } = registry.extract({ url, mediaType: null, body });
  await chunkers.prepare(document);
  const { chunks } = chunkers.chunk(document, limits);
  if (chunks.length === 0) return null;
  const { title, description, language } = document;
  const mediaType = fileMediaType(document.format, url);
  return {
    path,
    title,
    description,
    language,
    mediaType,
    assetPath: null,
    warnings: [],
    hash: sha256Hex(body),
    chunks,
  };
}

function unpacked(name: string, pages: readonly ExportedPage[], format: BundleFormat): Map<string, Uint8Array> {
  const { bundle, zip } = exportBundle({ name, version: '', startUrl: null }, pages, format);
  const files = new Map<string, Uint8Array>();
  for (const item of readZip(zip, name, READ_ANYTHING)) if (item.kind === 'file') files.set(item.path, item.body);
  const read = readSpecifiedBundle(files, ['pinakes.json']);
  const expected = [...bundle.pages].flatMap(({ path, chunks }) =>
    chunks.map(({ ref, lines, tokens }) => [ref, path, lines.first, lines.last, tokens].join('\t')),
  );
  const found = read.chunks.map(({ ref, path, start, end, tokens }) => [ref, path, start, end, tokens].join('\t'));
  if (found.join('\n') !== expected.join('\n')) throw new Error(`${name}: the bundle differs from its chunks`);
  return files;
}

async function measure(name: string, folder: string, limits: ChunkLimits): Promise<Record<string, unknown>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => READABLE.test(file) && statSync(join(folder, file)).size <= MAX_FILE_BYTES)
    .sort();
  const pages: ExportedPage[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    const page = await pageOf(folder, join(folder, file), limits);
    if (page !== null) pages.push(page);
  }
  const compact = unpacked(name, pages, 'compact');
  const full = unpacked(name, pages, 'full');
  const text = (bundle: Map<string, Uint8Array>, file: string): string => new TextDecoder().decode(bundle.get(file));
  const tokensOf = (file: string): number => countTokens(text(full, file));
  const texts = pages.flatMap(({ chunks }) => chunks.map((chunk) => countTokens(chunk.text)));
  const tokensOfTexts = texts.reduce((total, tokens) => total + tokens, 0);
  const heads = [...compact.keys()]
    .filter((file) => file.startsWith('chunks/'))
    .map((file) => {
      const body = text(compact, file);
      return countTokens(body.slice(0, body.indexOf('\n') + 1));
    });
  const share = (tokens: number): number => Number(((100 * tokens) / tokensOfTexts).toFixed(2));
  const findingTheWay = countTokens(text(compact, 'llm.md')) + countTokens(text(compact, 'manifest.llm.tsv'));
  return {
    name,
    targetChars: limits.targetChars,
    files: pages.length,
    chunks: texts.length,
    tokensOfTexts,
    pointerAndManifestPercent: share(findingTheWay),
    medianTokensOfCompactLine: heads.toSorted((a, b) => a - b)[Math.floor(heads.length / 2)],
    percentOfTexts: {
      'catalog.llm.md': share(tokensOf('catalog.llm.md')),
      'outline.md': share(tokensOf('outline.md')),
      'manifest.json': share(tokensOf('manifest.json')),
      'manifest.min.json': share(tokensOf('manifest.min.json')),
      'pinakes.json': share(tokensOf('pinakes.json')),
    },
  };
}

const measured: Array<Record<string, unknown>> = [];
for (const argument of process.argv.slice(2)) {
  const [name = '', folder = ''] = argument.split('=');
  for (const limits of [bundleLimits, pageLimits]) measured.push(await measure(name, folder, limits));
}
writeResult('bundle-overhead', { measured });
