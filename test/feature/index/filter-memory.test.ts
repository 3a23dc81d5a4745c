// Filtered, unfiltered and scoped questions in turn over a library of many sources: what they cache stays small, and none makes the
// next one read everything again.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { encodeFilterColumns } from '../../../src/core/lexical/segment/filter-columns.ts';
import { createPostingWriter } from '../../../src/core/lexical/segment/postings.ts';
import type { SegmentReader } from '../../../src/core/lexical/segment/segment-reader.ts';
import type { Segment } from '../../../src/core/lexical/segment/segment.ts';
import { createSegmentCandidates } from '../../../src/core/lexical/query/segment-candidates.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { VersionId } from '../../../src/core/model/run.ts';

const SOURCES = 1000;
const SEGMENTS_PER_SOURCE = 5;
const PAGES = 4;
const QUESTIONS = 90;
const MAX_GROWTH_MB = 50;

const versions = Array.from({ length: SOURCES }, (_, at) => (at + 1) as VersionId);
const bases = versions.map((version) => `site-${version}.example/documentation/of/the/project/`);
const versionOf = (segment: number): VersionId => Math.ceil(segment / SEGMENTS_PER_SOURCE) as VersionId;
const urlOf = (segment: number, page: number): PageUrl =>
  `https://site-${versionOf(segment)}.example/documentation/of/the/project/guide-${page}/${segment}` as PageUrl;

function segmentsOf(version: VersionId): Segment[] {
  const first = (version - 1) * SEGMENTS_PER_SOURCE + 1;
  return Array.from({ length: SEGMENTS_PER_SOURCE }, (_, at) => ({
    id: first + at,
    chunks: PAGES,
    pageStarts: Uint32Array.from({ length: PAGES + 1 }, (_unused, page) => page),
  }));
}

function columnsOf(segment: Segment): ReturnType<typeof encodeFilterColumns> {
  const pages = Array.from({ length: PAGES }, (_, page) => {
    const chunks = [{ passageKind: 'prose' as const }];
    return [page, { url: urlOf(segment.id, page), pageKind: null, mediaType: 'text/html', chunks }] as const;
  });
  return encodeFilterColumns(segment, new Map(pages));
}

/** Each page has one chunk, with both words. */
function createReader(): SegmentReader & { reads: number } {
  const columns = new Map(versions.flatMap(segmentsOf).map((segment) => [segment.id, columnsOf(segment)]));
  const writer = createPostingWriter();
  const bytesOf = (): Uint8Array => {
    for (let page = 0; page < PAGES; page += 1) writer.add(page, 100);
    return writer.flush().bytes;
  };
  return {
    reads: 0,
    segments: async (ids) => ids.flatMap(segmentsOf),
    async postings(pairs) {
      this.reads += pairs.length;
      return pairs.map((pair) => ({ ...pair, bytes: bytesOf() }));
    },
    pagesAt: async (positions) =>
      positions.map(({ segment, pageIndex }) => {
        return { segment, pageIndex, version: versionOf(segment), url: urlOf(segment, pageIndex) };
      }),
    countSearched: async (ids) => ids.length,
    filterColumns: async (ids, fields) =>
      ids.flatMap((id) =>
        fields.map((field) => ({ segment: id, field, bytes: columns.get(id)?.get(field) ?? new Uint8Array() })),
      ),
    positionsMatching: () => Promise.reject(new Error('rows are read')),
    chunksMatching: () => Promise.reject(new Error('rows are read')),
    termsWithPrefix: async () => [],
  };
}

function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

test('questions over 1,000 sources keep the heap flat, and read postings once (findings D3 and D8)', async () => {
  const reader = createReader();
  const index = createSegmentCandidates(reader);
  const terms = ['zebra', 'lion'].map((term) => ({ term, weight: 1 }));
  const limits = { pages: 60, chunksPerPage: 32 };
  const everything = { versions, terms, ...limits };
  await index.candidates(everything);
  const before = collectGarbage();
  for (let nth = 0; nth < QUESTIONS; nth += 1) {
    if (nth % 3 === 0) {
      // A new filter each time, whose paths may be below the start of any source.
      const filter = { pathPrefix: `guide-${nth % PAGES}/${nth}`, pathBases: bases };
      await index.candidates({ ...everything, filter });
    } else if (nth % 3 === 1) expect(await index.candidates(everything)).toHaveLength(60);
    else expect(await index.candidates({ versions: [versions[nth]!], terms, ...limits })).toHaveLength(20);
  }
  expect(collectGarbage() - before).toBeLessThan(MAX_GROWTH_MB);
  expect(reader.reads).toBe(2 * SOURCES * SEGMENTS_PER_SOURCE);
  const found = await index.candidates({ ...everything, filter: { pathPrefix: 'guide-1/7', pathBases: bases } });
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ url }) => url.includes('/guide-1/7'))).toBe(true);
});
