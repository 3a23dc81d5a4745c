// node bench/store/bundle-overhead.ts NAME=FOLDER [NAME=FOLDER …]: what the compact bundle of a folder adds to the texts of its chunks, in
// tokens as the product estimates them (characters divided by four) and in bytes. Any folders with documentation will do.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { createGrammarLoader } from '../../src/core/chunk/code/grammar-loader.ts';
import { createChunkers } from '../../src/core/chunk/chunkers.ts';
import { exportBundle } from '../../src/core/export/bundle/export-bundle.ts';
import type { ExportedPage } from '../../src/core/export/bundle/bundle.ts';
import { readZip } from '../../src/core/extract/archive/read-zip.ts';
import { extractors } from '../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../src/core/extract/extractor-registry.ts';
import { fileUrl, displayPath } from '../../src/core/files/file-url.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { createNodeGrammarFiles } from '../../src/parse/node-grammar-files.ts';
import { writeResult } from '../support/write-result.ts';

const registry = createExtractorRegistry(extractors);
const chunkers = createChunkers(createGrammarLoader(createNodeGrammarFiles()));

function pageOf(folder: string, file: string): ExportedPage | null {
  const body = readFileSync(file);
  const path = displayPath(relative(folder, file));
  const { document } = registry.extract({ url: fileUrl(path), mediaType: null, body });
  const { chunks } = chunkers.chunk(document, bundleLimits);
  if (chunks.length === 0) return null;
  const { title, description, language } = document;
  const facts = { path, title, description, language, mediaType: 'text/markdown', assetPath: null, warnings: [] };
  return { ...facts, hash: sha256Hex(body), chunks };
}

function measure(argument: string): Record<string, unknown> {
  const [name = '', folder = ''] = argument.split('=');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file));
  const pages = files.map((file) => pageOf(folder, join(folder, file))).filter((page) => page !== null);
  const texts = pages.flatMap(({ chunks }) => chunks.map(({ text }) => text));
  const { zip } = exportBundle({ name, version: '', origin: null }, pages, 'compact');
  let characters = 0;
  for (const item of readZip(zip, folder)) {
    if (item.kind === 'file') characters += new TextDecoder().decode(item.body).length;
  }
  const ofTexts = texts.reduce((total, text) => total + text.length, 0);
  const share = (100 * (characters - ofTexts)) / ofTexts;
  return {
    name,
    files: pages.length,
    chunks: texts.length,
    tokensOfTexts: Math.ceil(ofTexts / 4),
    tokensOfBundle: Math.ceil(characters / 4),
    addedPercent: Number(share.toFixed(2)),
  };
}

writeResult('bundle-overhead', { measured: process.argv.slice(2).map(measure) });
