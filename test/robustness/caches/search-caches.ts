// Caches of the index, of searches and of extraction: users are sources, segments, terms, filters and statements.

import type { CacheCase } from './cache-case.ts';
import { countObjects, createLoadCounter, fake } from './cache-case.ts';
import { flagsOfClass } from '../../../src/core/extract/html/parse/attribute-flags.ts';
import { candidateWeights } from '../../../src/core/lexical/query/generate-candidates.ts';
import { createFilterMasks } from '../../../src/core/lexical/query/filter-masks.ts';
import { createPostingCache } from '../../../src/core/lexical/query/segment-candidates.ts';
import { createPostingWriter } from '../../../src/core/lexical/segment/postings.ts';
import { createMemoryIndex } from '../../../src/core/lexical/segment/memory-index.ts';
import { CACHED_WORDS, createWordLookup, type WordTable } from '../../../src/core/vector/word-vectors.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import { createFrequencies } from '../../../src/index/qdrant/term-frequencies.ts';
import { createPageAnalyzer } from '../../../src/library/analysis/analyze-pages.ts';
import type { PointRecords } from '../../../src/ports/point-records.ts';
import type { Batch } from '../../../src/store/sql/engine/engine.ts';
import { createCompaction } from '../../../src/store/sql/search/compact-segments.ts';
import { packSizes } from '../../../src/store/sql/search/page-sizes.ts';
import { createReadSegments } from '../../../src/store/sql/search/segment-tables.ts';
import { openSqliteEngine } from '../../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../../src/store/sqlite/write-lock.ts';

const { signal } = new AbortController();

/** One segment for each version, with the same number. */
export function openSegments(size: number) {
  const counter = createLoadCounter();
  const each = async ({ sql }: Batch, rows: ReadonlyArray<readonly number[]>) => {
    const ids = rows.map(([id = 0]) => id);
    if (!sql.includes('page_sizes')) return ids.map((id) => ({ id, chunks: id }));
    ids.forEach(counter.note);
    return ids.map((id) => ({ id, page_sizes: packSizes([id % 1000]) }));
  };
  return { counter, segmentsOf: createReadSegments(fake({ each }), size) };
}

export const SEARCH_CACHES: readonly CacheCase[] = [
  {
    file: 'store/sql/search/segment-tables.ts',
    users: 'sources',
    size: 100,
    open() {
      const { counter, segmentsOf } = openSegments(100);
      return {
        use: async (user) => (await segmentsOf([user as VersionId])).map(({ id, pageStarts }) => [id, ...pageStarts]),
        answer: (user) => [[user, 0, user % 1000]],
        loads: counter.of,
      };
    },
  },
  {
    file: 'store/sql/search/compact-segments.ts',
    users: 'merges of several indexers',
    size: 16,
    open() {
      const counter = createLoadCounter();
      const compaction = createCompaction();
      return {
        async use(user) {
          const all = async (sql: string, [id]: readonly number[] = []) => {
            if (sql.includes('merge_cursor from')) return [{ id: user, merge_cursor: '' }];
            if (!sql.includes('merge_plan')) return sql.includes('page_sizes') ? [{ page_sizes: packSizes([1]) }] : [];
            counter.note(id ?? 0);
            return [{ merge_plan: JSON.stringify({ parts: [user], pages: [[0]] }) }];
          };
          const read = { all };
          return compaction.step(fake({ read, write: (work: (tx: object) => unknown) => work(read), forUpdate: '' }));
        },
        answer: () => true,
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/lexical/query/segment-candidates.ts',
    users: 'terms',
    size: 100,
    open() {
      const counter = createLoadCounter();
      const segment = { id: 1, chunks: 2, pageStarts: Uint32Array.of(0, 2) };
      const reader = {
        countSearched: async (ids: readonly number[]) => ids.length,
        async postings(pairs: ReadonlyArray<{ readonly segment: number; readonly term: string }>) {
          return pairs.map((pair) => {
            counter.note(pair.term);
            const writer = createPostingWriter();
            writer.add(0, 100);
            return { ...pair, bytes: writer.flush().bytes };
          });
        },
      };
      const postingsOf = createPostingCache(fake(reader), candidateWeights, 100_000);
      return {
        use: async (user) => (await postingsOf([segment], [String(user)])).map(({ ranges }) => [...ranges.keys()]),
        answer: () => [[1]],
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/lexical/query/filter-masks.ts',
    users: 'filters',
    size: 1000,
    open() {
      const counter = createLoadCounter();
      let asking = 0;
      const reader = {
        filterColumns: async () => [],
        async positionsMatching() {
          counter.note(asking);
          return [{ segment: 1, pageIndex: 0, ordinal: asking % 8 }];
        },
      };
      const masksOf = createFilterMasks(fake(reader));
      const segment = { id: 1, chunks: 8, pageStarts: Uint32Array.of(0, 8) };
      return {
        async use(user) {
          asking = user;
          return (await masksOf([segment], { pathPrefix: `/${user}` })).get(1)?.[0];
        },
        answer: (user) => 1 << (user % 8),
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/vector/word-vectors.ts',
    users: 'words',
    size: CACHED_WORDS,
    open() {
      const rowsOf = createWordLookup(['install'], ['er', 's']);
      // Rows of parts are another array whenever they are found.
      return countObjects((user) => rowsOf(user < 2 ? ['installer', 'installs'][user]! : `install${user}er`));
    },
  },
  {
    file: 'core/lexical/segment/memory-index.ts',
    users: 'chunks with word vectors',
    size: 4096,
    open() {
      const counter = createLoadCounter();
      const pages = Array.from({ length: 4100 }, (_, n) => ({
        url: `/${n}`,
        chunks: [{ ordinal: 0, headings: [], text: `word${n}` }],
      }));
      const rowsOf = (word: string) => {
        counter.note(word);
        return [0];
      };
      const table = fake<WordTable>({ rowsOf, rows: 1, values: new Int8Array(64).fill(1), scales: Float32Array.of(1) });
      const index = createMemoryIndex([fake({ id: 1, source: 1, pages, segment: {} })], () => table);
      return {
        use: async (user) => (await index.wordVectors([fake({ version: 1, url: `/${user}`, ordinal: 0 })])).length,
        answer: () => 1,
        loads: (user) => counter.of(`word${user}`),
      };
    },
  },
  {
    file: 'core/extract/html/parse/attribute-flags.ts',
    users: 'values of class',
    size: 5000,
    open: () => ({
      use: (user) => flagsOfClass(user % 2 === 0 ? `toc-${user}` : `nav${user}-tooltip`),
      answer: (user) => flagsOfClass(user % 2 === 0 ? 'toc-other' : 'other-tooltip'),
      loads: () => 1,
    }),
  },
  {
    file: 'index/qdrant/term-frequencies.ts',
    users: 'sources',
    size: 1000,
    open() {
      const counter = createLoadCounter();
      const sample = { chunks: 1, ofChunks: 1, ageMs: 0, revision: 1 };
      const states = Array.from({ length: 1010 }, (_, version) => ({ version, chunks: 1, isChanged: false, sample }));
      const records = fake<PointRecords>({
        sampleStates: async () => [states[0], ...states],
        async sample(version: number) {
          counter.note(version);
          return { chunks: 1, terms: new TextEncoder().encode(`word${version}\t1`) };
        },
      });
      const frequencies = createFrequencies(records);
      return {
        use: async (user) => (await frequencies.suggest([user as VersionId], `word${user}`)).map(({ term }) => term),
        answer: (user) => [`word${user}`],
        loads: counter.of,
      };
    },
  },
  {
    file: 'library/analysis/analyze-pages.ts',
    users: 'sources that are analyzed at the same time',
    size: 16,
    open: () => openAnalyzer(),
  },
  {
    file: 'store/sqlite/sqlite-engine.ts',
    users: 'statements',
    size: 500,
    open() {
      const options = { now: () => 0, writeLock: createWriteLock(), servesRequests: false };
      const engine = openSqliteEngine(':memory:', options);
      return countObjects((user) => engine.writer.prepare(`select ${user} as n`));
    },
  },
];

function openAnalyzer() {
  const counter = createLoadCounter();
  const store = {
    analysis: {
      textOf: async () => null,
      knownUrls: async () => ({ urls: [], after: null }),
      async navigation(version: number) {
        counter.note(version);
        return [];
      },
    },
    gazetteer: { matchable: async () => [] },
    sources: { list: async () => [1, 2].map((id) => ({ startUrl: 'https://x.example/', versions: [{ id }] })) },
  };
  const index = { frequencies: async () => ({ chunks: 1, docFrequencies: [] }) };
  const analyzer = createPageAnalyzer(fake({ store, index }));
  return {
    async use(user: number) {
      const { analyzed } = await analyzer.analyze([fake({ version: user, url: 'https://x.example/' })], 1, signal);
      return analyzed.length;
    },
    answer: () => 0,
    loads: counter.of,
  };
}
