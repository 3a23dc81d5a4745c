// The built-in search engine: segments in the database of the store, or in memory.

import { createSegmentCandidates } from '../../core/lexical/query/segment-candidates.ts';
import type { SegmentReader, SegmentTables } from '../../core/lexical/segment/segment-reader.ts';
import { createCheckpoint, type Checkpoint } from '../../platform/checkpoint.ts';
import type { SearchIndex } from '../port.ts';

export function createSegmentIndex(tables: SegmentTables): SearchIndex {
  return {
    candidates: (query, signal) =>
      createSegmentCandidates(withCheckpoints(tables, createCheckpoint(signal))).candidates(query),
    suggest: (versions, word) => createSegmentCandidates(tables).suggest(versions, word),
    index: (limit) => tables.index(limit),
    compact: (budgetMs) => tables.compact(budgetMs),
    reindex: (version) => tables.reindex(version),
    isIndexed: (version) => tables.isIndexed(version),
    async lag(maxPages) {
      const pages = await tables.queueLength(maxPages);
      return { pages, ageMs: pages === 0 ? 0 : await tables.queueAgeMs() };
    },
  };
}

/** Segments with a checkpoint before each access. */
function withCheckpoints(segments: SegmentReader, checkpoint: Checkpoint): SegmentReader {
  return {
    async postings(versions, terms) {
      await checkpoint();
      return segments.postings(versions, terms);
    },
    async pagesAt(positions) {
      await checkpoint();
      return segments.pagesAt(positions);
    },
    async areSearched(segmentIds) {
      await checkpoint();
      return segments.areSearched(segmentIds);
    },
    async positionsMatching(versions, filter) {
      await checkpoint();
      return segments.positionsMatching(versions, filter);
    },
    async termsWithPrefix(versions, prefix, length) {
      await checkpoint();
      return segments.termsWithPrefix(versions, prefix, length);
    },
  };
}
