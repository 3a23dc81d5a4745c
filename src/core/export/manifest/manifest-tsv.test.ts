import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkId, estimateTokens, type Chunk } from '../../model/chunk.ts';
import { sha256Hex } from '../../model/hash.ts';
import type { ExportedPage } from '../bundle/bundle.ts';
import { createBundleBuilder } from '../bundle/bundle-builder.ts';
import { decodeHash, encodeHash } from './manifest.ts';
import { manifestTsv, readManifestTsv } from './manifest-tsv.ts';

const meta = { name: 'docs', version: '2', origin: null };
const word = fc.constantFrom('Install', 'Réglages', 'a\tb', 'back\\slash', 'two\nlines', '=', '-', 'Guide');

const chunkFields = fc.record({
  passageKind: fc.constantFrom('prose' as const, 'code' as const, 'table' as const),
  headings: fc.array(word, { maxLength: 4 }),
  anchor: fc.option(fc.constantFrom('install', 'guide', 'x-1')),
  symbol: fc.option(word.filter((text) => text !== '=')),
  jsonPath: fc.option(fc.constant('$.paths')),
  text: fc.constantFrom('one', 'one\ntwo', 'three\nlines\nhere'),
});

function pageOf(
  path: string,
  facts: ReadonlyArray<Omit<Chunk, 'id' | 'contentHash' | 'lines' | 'tokens'>>,
): ExportedPage {
  const chunks = facts.map((one, nth): Chunk => {
    const contentHash = sha256Hex(one.text);
    const lines = { first: nth * 10 + 1, last: nth * 10 + (nth % 2 === 0 ? 1 : 3) };
    return { ...one, contentHash, lines, id: chunkId(path, contentHash, nth), tokens: estimateTokens(one.text) };
  });
  const title = chunks[0]?.headings[0] ?? 'A title';
  return {
    path,
    title,
    description: null,
    language: 'en',
    mediaType: 'text/markdown',
    hash: sha256Hex(path),
    imageExtension: null,
    chunks,
  };
}

test('every field of a chunk survives the round trip, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(chunkFields, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (files) => {
      const builder = createBundleBuilder(meta, { index: false });
      const pages = files.map((facts, nth) => pageOf(`${nth % 2 === 0 ? 'a' : 'a/b'}${nth}/x.md`, facts));
      pages.sort((left, right) => (left.path < right.path ? -1 : 1));
      for (const page of pages) builder.add(page);
      const bundle = builder.finish();
      const read = readManifestTsv([...manifestTsv(bundle)].join(''));
      expect(read?.indexId).toBe(bundle.indexId);
      expect(read?.meta).toEqual(meta);
      expect(read?.pages.map(({ meta: pageMeta }) => pageMeta)).toEqual(
        [...bundle.pages].map(({ chunks: _, ...pageMeta }) => pageMeta),
      );
      const expected = [...bundle.pages].map(({ chunks }) =>
        chunks.map(({ ref, passageKind, headings, anchor, symbol, jsonPath, lines, textLines }) => {
          const last = lines.last - lines.first + 1 === textLines ? null : lines.last;
          return {
            ref,
            declared: null,
            passageKind,
            headings,
            anchor,
            symbol,
            jsonPath,
            lines: { first: lines.first, last },
          };
        }),
      );
      expect(read?.pages.map(({ chunks }) => chunks)).toEqual(expected);
    }),
  );
});

test('a hash is encoded in 43 characters and decoded again', () => {
  for (const text of ['', 'a', 'b']) expect(decodeHash(encodeHash(sha256Hex(text)))).toBe(sha256Hex(text));
  expect(encodeHash(sha256Hex('a'))).toHaveLength(43);
  expect(decodeHash('not a hash')).toBeNull();
});

test.each([
  ['another file', 'name\tvalue\n'],
  ['another format', 'llmx_manifest_llm_tsv\t9\tabc\n'],
  ['a chunk before any file', 'llmx_manifest_llm_tsv\t4\tabc\nC\tc0001\t1\n'],
  ['a heading that skips a level', 'llmx_manifest_llm_tsv\t4\tabc\nF\ta.md\tx\t0\nP\t3\tDeep\n'],
  ['a chunk without lines', 'llmx_manifest_llm_tsv\t4\tabc\nF\ta.md\tx\t0\nC\tc0001\n'],
])('%s is rejected', (_, text) => {
  expect(readManifestTsv(text)).toBeNull();
});
