// The built-in search engine: segments in the database of the store.

import { createSegmentCandidates } from '../../core/lexical/query/segment-candidates.ts';
import type { SegmentTables } from '../../ports/segment-tables.ts';
import { createCheckpoint } from '../../platform/checkpoint.ts';
import type { SearchIndex } from '../port.ts';

/** Keeps decoded postings in memory, so there should be one per store. */
export function createSegmentIndex(tables: SegmentTables, cacheMb?: number): SearchIndex {
  return {
    ...createSegmentCandidates(tables, createCheckpoint, cacheMb),
    nearest: async () => null,
    unsentVectors: async () => 0,
    index: (limit) => tables.index(limit),
    compact: (budgetMs) => tables.compact(budgetMs),
    reindex: (version) => tables.reindex(version),
    isIndexed: (version) => tables.isIndexed(version),
    // Its tables are in the store, whose own checks cover them.
    verify: async () => [],
    problem: async () => null,
    async lag(maxPages) {
      const pages = await tables.queueLength(maxPages);
      return { pages, ageMs: pages === 0 ? 0 : await tables.queueAgeMs() };
    },
  };
}
