import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine } from '../../extract/decode/clean-text.ts';
import { chunkId, estimateTokens, type Chunk } from '../../model/chunk.ts';
import { sha256Hex } from '../../model/hash.ts';
import type { ExportedPage } from '../bundle/bundle.ts';
import { createBundleBuilder } from '../bundle/bundle-builder.ts';
import { chunkLabel } from '../bundle/labels.ts';
import { manifestJson, manifestMin, readManifestJson } from './manifest-json.ts';
import { manifestTsv, readManifestTsv } from './manifest-tsv.ts';
import { pinakesJson, readPinakesJson } from './pinakes-json.ts';
import { compareText } from '../../text/compare-text.ts';

const meta = { name: 'docs', version: '2', declaredVersion: null, startUrl: null };
const word = fc.constantFrom('Install', 'Réglages', 'a\tb', 'back\\slash', 'two\nlines', '=', '-', 'Guide');

const chunkFields = fc.record({
  passageKind: fc.constantFrom('prose' as const, 'code' as const, 'table' as const),
  headings: fc.array(word, { maxLength: 4 }),
  anchor: fc.option(fc.constantFrom('install', 'guide', 'x-1')),
  symbol: fc.option(word),
  jsonPath: fc.option(fc.constant('$.paths')),
  text: fc.constantFrom('one', 'one\ntwo', 'three\nlines\nhere'),
});

type ChunkFields = Omit<Chunk, 'id' | 'contentHash' | 'lines' | 'tokens'>;

function pageOf(path: string, fields: readonly ChunkFields[]): ExportedPage {
  const chunks = fields.map((one, nth): Chunk => {
    const contentHash = sha256Hex(one.text);
    const lines = { first: nth * 10 + 1, last: nth * 10 + (nth % 2 === 0 ? 1 : 3) };
    return { ...one, contentHash, lines, id: chunkId(path, contentHash, nth), tokens: estimateTokens(one.text) };
  });
  const about = {
    title: chunks[0]?.headings[0] ?? 'A title',
    description: null,
    language: 'en',
    mediaType: 'text/markdown',
  };
  return { path, ...about, hash: sha256Hex(path), assetPath: null, warnings: [], chunks };
}

test('every field of a chunk survives the round trip through the manifests, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(chunkFields, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (files) => {
      const builder = createBundleBuilder(meta, { index: false });
      const pages = files.map((fields, nth) => pageOf(`${nth % 2 === 0 ? 'a' : 'a/b'}${nth}/x.md`, fields));
      pages.sort((left, right) => compareText(left.path, right.path));
      for (const page of pages) builder.add(page);
      const bundle = builder.finish();
      const chunks = [...bundle.pages].flatMap((page) => page.chunks.map((chunk) => ({ page, chunk })));

      const tsv = readManifestTsv([...manifestTsv(bundle)].join(''));
      expect(tsv?.indexId).toBe(bundle.indexId);
      expect(tsv?.paths).toEqual(pages.map(({ path }) => path));
      expect(tsv?.chunks).toEqual(
        chunks.map(({ page, chunk }) => {
          const { ref, lines, tokens } = chunk;
          return { ref, path: page.path, kind: 'markdown', lines, tokens, label: chunkLabel(chunk) };
        }),
      );

      const own = readPinakesJson([...pinakesJson(bundle)].join(''));
      expect(own?.meta).toEqual(meta);
      expect(own?.chunks).toEqual(
        chunks.map(({ chunk: { ordinal, passageKind, headings, anchor, symbol, jsonPath } }) => {
          // Each is read as one line.
          const line = { headings: headings.map(cleanLine), symbol: symbol && cleanLine(symbol) };
          return { ordinal, passageKind, anchor, jsonPath, ...line };
        }),
      );

      const full = readManifestJson([...manifestJson(bundle)].join(''));
      expect(full?.chunks.map(({ path, id, heading_path: headings }) => [path, id, headings])).toEqual(
        chunks.map(({ page, chunk }) => [page.path, chunk.id, chunk.headings]),
      );
      const minimal = readManifestJson([...manifestMin(bundle)].join(''));
      expect(minimal?.chunks.map(({ ref, heading_last: heading }) => [ref, heading])).toEqual(
        chunks.map(({ chunk }) => [chunk.ref, chunk.headings.at(-1) ?? null]),
      );
    }),
  );
});

const head = `llmx_manifest_llm_tsv\t4\t${'0'.repeat(64)}\n`;
const tables = 'D\t0\t\nP\t0\t0\ta.md\nK\t0\tmarkdown\n';

test('the smallest manifest is read', () => {
  expect(readManifestTsv(`${head}${tables}C\tc0001\t0\t0\t1\t2\t3\tA label\n`)?.chunks).toHaveLength(1);
});

test.each([
  ['another file', 'name\tvalue\n'],
  ['another format', head.replace('\t4\t', '\t9\t')],
  ['a row of a former format', `${head}#\tname\n`],
  ['a path without a directory', `${head}P\t0\t0\ta.md\n`],
  ['a table with a gap', `${head}D\t1\ta/\n`],
  ['a chunk of no file', `${head}${tables}C\tc0001\t7\t0\t1\t2\t3\tx\n`],
  ['a chunk that ends before it begins', `${head}${tables}C\tc0001\t0\t0\t3\t2\t3\tx\n`],
  ['a chunk with a name that leads elsewhere', `${head}${tables}C\t../a\t0\t0\t1\t2\t3\tx\n`],
  ['a chunk without a label', `${head}${tables}C\tc0001\t0\t0\t1\t2\t3\n`],
  ['a last row that is cut off', `${head}${tables}C\tc0001\t0\t0\t1\t2\t3\tx`],
])('%s is rejected', (_, text) => {
  expect(readManifestTsv(text)).toBeNull();
});
