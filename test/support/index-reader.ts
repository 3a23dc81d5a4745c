// The data that a search reads from a store with the built-in search engine.

import type { IndexReader } from '../../src/core/lexical/query/index-reader.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import type { Store } from '../../src/store/port.ts';

export function indexReaderOf(store: Store): IndexReader {
  return { ...createSegmentIndex(store.segments), ...store.chunks };
}
