// Hostile documents are chunked in linear time and within the limits.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bundleLimits, type Chunker, type ChunkResult } from '../../../src/core/chunk/chunker.ts';
import { jsonChunker } from '../../../src/core/chunk/data/json-chunker.ts';
import { yamlChunker } from '../../../src/core/chunk/data/yaml-chunker.ts';
import { joinChunks } from '../../../src/core/chunk/finalize-chunks.ts';
import { extractHtml } from '../../../src/core/extract/html/extract-html.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { markdownChunker } from '../../../src/core/chunk/markdown/markdown-chunker.ts';
import { documentFixture } from '../../support/document-fixture.ts';
import { openFence } from '../../support/open-fence.ts';
import { workMs } from '../../support/work-time.ts';

const Part = z.object({
  lit: z.string().optional(),
  rep: z.string().optional(),
  n: z.int().default(1),
  seq: z.string().default(''),
  from: z.int().default(0),
  to: z.int().default(0),
});
const HostileCases = z.object({
  documents: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['md', 'json', 'html']),
      gen: z.array(Part),
      bytes: z.int().optional(),
    }),
  ),
});
type HostileCase = z.infer<typeof HostileCases>['documents'][number];

const chunkers: Readonly<Record<HostileCase['type'], Chunker>> = {
  md: markdownChunker,
  json: jsonChunker,
  html: markdownChunker,
};

const PAGE = pageUrl('https://docs.example.dev/guide');

const { documents } = HostileCases.parse(JSON.parse(readFileSync('test/data/cases/hostile-chunks.json', 'utf8')));

function build(parts: HostileCase['gen']): string {
  return parts
    .map(({ lit, rep, n, seq, from, to }) => {
      if (lit !== undefined) return lit;
      if (rep !== undefined) return rep.repeat(n);
      return Array.from({ length: to - from + 1 }, (_, at) => seq.replaceAll('{i}', String(from + at))).join('');
    })
    .join('');
}

/** A quadratic chunker takes minutes. */
const BUDGET_MS = 4000;

function withinBudget(chunk: () => ChunkResult): ChunkResult {
  const results: ChunkResult[] = [];
  expect(workMs(() => results.push(chunk()))).toBeLessThan(BUDGET_MS);
  return results[0]!;
}

describe('[C7] every document is chunked within the CPU budget', () => {
  test.each(documents.map((document) => [document.id, document] as const))('%s', (_, { type, gen, bytes }) => {
    const written = build(gen);
    if (bytes !== undefined) expect(Buffer.byteLength(written)).toBe(bytes);
    const text = type === 'html' ? extractHtml({ url: PAGE, html: written }).text : written;
    const limits = { ...bundleLimits, maxChunks: 1_000_000 };
    const document = documentFixture(text, { format: chunkers[type].formats[0]! });
    const result = withinBudget(() => chunkers[type].chunk(document, limits));
    expect(result.chunks.length).toBeGreaterThan(0);
    expect(new Set(result.chunks.map(({ id }) => id)).size).toBe(result.chunks.length);
    for (const chunk of result.chunks) expect(chunk.text.length).toBeLessThanOrEqual(limits.capChars);
    expect(joinChunks(result) === text.replace(/^\n+/, '').replace(/\n+$/, '')).toBe(true);
    if (type === 'md') for (const chunk of result.chunks) expect(openFence(chunk.text.slice(0, 20_000))).toBeNull();
  });
});

test.each([
  ['elements in lines', `[${'1,\n'.repeat(1_500_000)}1]`],
  ['long elements in one line', `[${`"${'a '.repeat(1500)}",`.repeat(4000)}1]`],
])('[C7] JSON of nothing but %s is chunked within the CPU budget', (_, text) => {
  const limits = { ...bundleLimits, maxChunks: 1_000_000 };
  const result = withinBudget(() => jsonChunker.chunk(documentFixture(text, { format: 'json' }), limits));
  expect(joinChunks(result) === text).toBe(true);
});

test.each([
  ['keys', 'a: 1\n'.repeat(200_000)],
  ['nesting', Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  ['lists in a line', '- '.repeat(100_000)],
  ['maps in a line', '{a: '.repeat(100_000)],
  ['documents', '---\n'.repeat(200_000)],
  ['anchors', 'a: &a [*a, *a]\n'.repeat(100_000)],
  ['open quotes', `a: "${'b\n'.repeat(300_000)}`],
])('[C7] YAML of nothing but %s is chunked within the CPU budget', (_, text) => {
  const limits = { ...bundleLimits, maxChunks: 1_000_000 };
  const result = withinBudget(() => yamlChunker.chunk(documentFixture(text, { format: 'yaml' }), limits));
  expect(joinChunks(result) === text.replace(/\n+$/, '')).toBe(true);
});

test('[C6] chunking stops at the chunk limit and reports the line', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `# Part ${at}\n\n${'word '.repeat(900)}\n`).join('\n');
  const { chunks, warnings } = markdownChunker.chunk(documentFixture(text), bundleLimits);
  expect(chunks.length).toBe(2000);
  expect(warnings).toEqual([{ kind: 'too-many-chunks', line: 8001, limit: 2000 }]);
});

test('prototype keys are plain text', () => {
  const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  const { chunks } = jsonChunker.chunk(documentFixture(text, { format: 'json' }), bundleLimits);
  expect(chunks.map(({ jsonPath }) => jsonPath)).toEqual(['$.__proto__', '$.constructor']);
  expect('polluted' in {}).toBe(false);
});
