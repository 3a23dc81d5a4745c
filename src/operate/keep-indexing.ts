// Indexes settled pages as they come, and keeps the segments of the index few.

import type { SearchRows } from '../store/port.ts';
import { restFor } from './persist.ts';

const LOOK_FOR_PAGES_MS = 200;
/**
 * Each step makes a segment, and many small segments cost their merging. So pages are waited for: while they come fast,
 * until they are many; where they come slowly, for a while after each step.
 */
const INDEX_PAGES = 200;
const MANY_PAGES = 150;
const FEW_PAGES = 20;
const GATHER_PAGES_MS = 1000;

export async function keepIndexing(rows: SearchRows, signal: AbortSignal): Promise<void> {
  // The first pages after a rest are what somebody waits for: they do not wait for others.
  let areFirst = true;
  while (!signal.aborted) {
    if (!areFirst) await gatherPages(rows, signal);
    const indexed = await rows.index(INDEX_PAGES);
    areFirst = indexed === 0;
    if (indexed === 0) await restFor(LOOK_FOR_PAGES_MS, signal);
    else if (indexed < FEW_PAGES) await restFor(GATHER_PAGES_MS, signal);
  }
}

/** Returns when pages are many, when no more came since the last look, or after a while. */
async function gatherPages(rows: SearchRows, signal: AbortSignal): Promise<void> {
  let before = 0;
  for (let waitedMs = 0; waitedMs < GATHER_PAGES_MS && !signal.aborted; waitedMs += LOOK_FOR_PAGES_MS) {
    const waiting = await rows.lag();
    if (waiting === before || waiting >= MANY_PAGES) return;
    before = waiting;
    await restFor(LOOK_FOR_PAGES_MS, signal);
  }
}
