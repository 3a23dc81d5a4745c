import { expect, test } from 'vitest';
import { chunkId, estimateTokens, type Chunk } from '../../model/chunk.ts';
import { sha256Hex } from '../../model/hash.ts';
import { tokenize } from '../../lexical/tokenize/tokenize.ts';
import { fieldTexts } from '../../lexical/segment/fields.ts';
import type { ExportedPage } from './bundle.ts';
import { createBundleBuilder } from './bundle-builder.ts';
import { indexJson, readIndexJson } from './index-json.ts';

function pageOf(path: string, texts: readonly string[], symbol: string | null): ExportedPage {
  const chunks = texts.map((text, nth): Chunk => {
    const contentHash = sha256Hex(text);
    const lines = { first: nth + 1, last: nth + 1 };
    const names = { headings: ['Guide', 'Retry'], anchor: null, symbol, jsonPath: null };
    const id = chunkId(path, contentHash, 0);
    return { id, contentHash, passageKind: 'prose', ...names, text, lines, tokens: estimateTokens(text) };
  });
  const about = { title: 'Guide', description: null, language: null, mediaType: 'text/markdown' };
  return { path, ...about, hash: sha256Hex(path), assetPath: null, warnings: ['line 9 was truncated'], chunks };
}

// A term that JavaScript would order or treat in a special way as a key.
const pages = [
  pageOf('a/one.md', ['2024 retry retry "quoted"', '10 9 constructor __proto__ 全文検索'], 'fs.readFileSync'),
  pageOf('b.md', ['retry\nonce'], null),
];

function fileOf(input: readonly ExportedPage[]): string {
  const builder = createBundleBuilder({ name: 'docs', version: '', startUrl: null }, { index: true });
  for (const page of input) builder.add(page);
  const texts = new Map(input.flatMap(({ chunks }) => chunks.map(({ id, text }) => [id, text] as const)));
  const parts = [...indexJson(builder.finish())];
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(texts.get(part.chunk.id)))).join('');
}

test('every chunk of a term is in its postings, with its count and its length', () => {
  const index = readIndexJson(fileOf(pages));
  const counted = new Map<string, Array<{ doc_len: number; ref: string; tf: number }>>();
  const entries = pages.flatMap(({ path, title, chunks }) => chunks.map((chunk) => ({ path, title, chunk })));
  for (const entry of entries) {
    const ref = index.chunk_refs[entry.chunk.id]!;
    const tokens = Object.values(fieldTexts(entry)).flatMap((text) => tokenize(text));
    for (const [term, all] of Map.groupBy(tokens, (token) => token)) {
      counted.set(term, [...(counted.get(term) ?? []), { doc_len: tokens.length, ref, tf: all.length }]);
    }
  }
  const found = new Map(Object.entries(index.inverted_index));
  for (const [term, postings] of counted)
    if (term !== '__proto__') expect([term, found.get(term)]).toEqual([term, postings]);
  expect(counted.get('retry')).toHaveLength(3);
});

test('keys are sorted by code units at every level', () => {
  const text = fileOf(pages);
  expect(text.indexOf('\n')).toBe(text.length - 1);
  const terms = [...text.matchAll(/[{,]("(?:[^"\\]|\\.)+"):\[\{"doc_len"/g)].map(
    ([, key]) => JSON.parse(key!) as string,
  );
  expect(terms.length).toBeGreaterThan(10);
  expect(terms).toEqual(terms.toSorted((a, b) => (a < b ? -1 : 1)));
  const { inverted_index: _terms, chunk_refs: _refs, ...others } = JSON.parse(text) as Record<string, unknown>;
  expectSortedKeys(others);
});

function expectSortedKeys(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(expectSortedKeys);
  if (typeof value !== 'object' || value === null) return;
  expect(Object.keys(value)).toEqual(Object.keys(value).sort());
  Object.values(value).forEach(expectSortedKeys);
}

test('totals, averages and warnings are stated', () => {
  const { stats, warnings } = readIndexJson(fileOf(pages));
  const chars = pages.flatMap(({ chunks }) => chunks).reduce((total, { text }) => total + text.length, 0);
  expect(stats).toMatchObject({ total_files: 2, total_chunks: 3, avg_chunk_chars: chars / 3 });
  expect(warnings).toEqual(pages.map(({ path }) => ({ message: 'line 9 was truncated', path })));
});
