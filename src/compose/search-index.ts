// The search engine that this process uses.

import type { SearchIndex } from '../index/port.ts';
import { createSegmentIndex } from '../index/segments/segment-index.ts';
import type { Store } from '../store/port.ts';

export function openSearchIndex(store: Store): SearchIndex {
  return createSegmentIndex(store.segments);
}
