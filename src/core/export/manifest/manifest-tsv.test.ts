import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkId, estimateTokens, type Chunk } from '../../model/chunk.ts';
import { sha256Hex } from '../../model/hash.ts';
import type { ExportedPage } from '../bundle/bundle.ts';
import { createBundleDraft } from '../bundle/bundle-builder.ts';
import { hashOfText, hashText } from '../hash-text.ts';
import { manifestTsv } from './manifest-tsv.ts';
import { readManifestTsv } from '../read-manifest-tsv.ts';

const about = { name: 'docs', version: '2', origin: null };
const word = fc.constantFrom('Install', 'Réglages', 'a\tb', 'back\\slash', 'two\nlines', '=', '-', 'Guide');

const chunkFacts = fc.record({
  kind: fc.constantFrom('prose' as const, 'code' as const, 'table' as const),
  headings: fc.array(word, { maxLength: 4 }),
  anchor: fc.option(fc.constantFrom('install', 'guide', 'x-1')),
  symbol: fc.option(word.filter((text) => text !== '=')),
  address: fc.option(fc.constant('$.paths')),
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
    imageEnding: null,
    chunks,
  };
}

test('every fact of a chunk comes back, whatever its texts hold', () => {
  fc.assert(
    fc.property(fc.array(fc.array(chunkFacts, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (files) => {
      const draft = createBundleDraft(about, { index: false });
      const pages = files.map((facts, nth) => pageOf(`${nth % 2 === 0 ? 'a' : 'a/b'}${nth}/x.md`, facts));
      pages.sort((left, right) => (left.path < right.path ? -1 : 1));
      for (const page of pages) draft.add(page);
      const bundle = draft.finish();
      const read = readManifestTsv([...manifestTsv(bundle)].join(''));
      expect(read?.indexId).toBe(bundle.indexId);
      expect(read?.about).toEqual(about);
      expect(read?.pages.map(({ facts }) => facts)).toEqual([...bundle.pages].map(({ chunks: _, ...facts }) => facts));
      const expected = [...bundle.pages].map(({ chunks }) =>
        chunks.map(({ ref, kind, headings, anchor, symbol, address, lines, textLines }) => {
          const last = lines.last - lines.first + 1 === textLines ? null : lines.last;
          return { ref, stated: null, kind, headings, anchor, symbol, address, lines: { first: lines.first, last } };
        }),
      );
      expect(read?.pages.map(({ chunks }) => chunks)).toEqual(expected);
    }),
  );
});

test('a hash is spelled in 43 characters and comes back', () => {
  for (const text of ['', 'a', 'b']) expect(hashOfText(hashText(sha256Hex(text)))).toBe(sha256Hex(text));
  expect(hashText(sha256Hex('a'))).toHaveLength(43);
  expect(hashOfText('not a hash')).toBeNull();
});

test.each([
  ['another file', 'name\tvalue\n'],
  ['another format', 'llmx_manifest_llm_tsv\t9\tabc\n'],
  ['a chunk before any file', 'llmx_manifest_llm_tsv\t4\tabc\nC\tc0001\t1\n'],
  ['a heading that skips a level', 'llmx_manifest_llm_tsv\t4\tabc\nF\ta.md\tx\t0\nP\t3\tDeep\n'],
  ['a chunk without lines', 'llmx_manifest_llm_tsv\t4\tabc\nF\ta.md\tx\t0\nC\tc0001\n'],
])('%s is not read', (_, text) => {
  expect(readManifestTsv(text)).toBeNull();
});
