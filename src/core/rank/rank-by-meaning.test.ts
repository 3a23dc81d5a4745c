import { expect, test } from 'vitest';
import { createMemoryIndex } from '../lexical/segment/memory-index.ts';
import { sha256Hex } from '../model/hash.ts';
import { chunkId } from '../model/chunk.ts';
import { pageUrl } from '../model/page-url.ts';
import type { SourceId, VersionId } from '../model/run.ts';
import { encodeWordTable, parseWordTable, WORD_VECTOR_DIMENSIONS } from '../vector/word-vectors.ts';
import { retrievePages } from './lexical-retrieval.ts';

const VERSION = 1 as VersionId;

/** `halt` and `stop` have one vector, all other words another each. */
const words = ['halt', 'stop', 'server', 'paint'];
const values = new Int8Array(words.length * WORD_VECTOR_DIMENSIONS);
words.forEach((_, row) => (values[row * WORD_VECTOR_DIMENSIONS + Math.max(1, row)] = 7));
const table = parseWordTable(encodeWordTable({ words, pieces: [], values, scales: new Float32Array(4).fill(0.01) }));

function indexOf(texts: readonly string[]) {
  const pages = texts.map((text, nth) => {
    const contentHash = sha256Hex(text);
    const lines = { first: 1, last: 1 };
    const chunk = {
      id: chunkId(`${nth}`, contentHash, 0),
      contentHash,
      passageKind: 'prose',
      lines,
      tokens: 1,
    } as const;
    return {
      url: pageUrl(`https://x.dev/${String(nth).padStart(2, '0')}`),
      title: `${nth}`,
      pageKind: null,
      checkedAt: new Date(0),
      chunks: [{ ...chunk, headings: [], anchor: null, symbol: null, jsonPath: null, text }],
    };
  });
  return createMemoryIndex([{ id: VERSION, source: 1 as SourceId, pages }], () => table);
}

async function search(texts: readonly string[], withTable: boolean) {
  const options = { versions: [VERSION], names: new Map(), words: withTable ? table : null };
  return (await retrievePages(indexOf(texts), 'stop the server', options)).pages;
}

test('a page that says it in other words ranks before one that does not', async () => {
  const texts = ['paint the server', 'halt the server'];
  const [first] = await search(texts, true);
  expect(first?.candidate.text).toBe('halt the server');
  expect(first?.signals.meaningBest).toBeGreaterThan(0.9);
  expect(first?.signals.meaningLead).toBeGreaterThan(0.9);
  const [byWords] = await search(texts, false);
  expect([byWords?.candidate.text, byWords?.signals.meaningBest]).toEqual(['paint the server', 0]);
});

test('pages that are not compared stay behind, in their order', async () => {
  const texts = Array.from({ length: 30 }, (_, nth) => `paint ${nth} the server`);
  const byWords = (await search(texts, false)).map(({ candidate }) => candidate.url);
  const byMeaning = (await search(texts, true)).map(({ candidate }) => candidate.url);
  expect(byMeaning).toHaveLength(30);
  expect(byMeaning.slice(20)).toEqual(byWords.slice(20));
});
