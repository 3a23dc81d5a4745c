// Indexes settled pages as they come, and keeps the segments of the index few.

import type { SearchRows } from '../../store/port.ts';
import { restFor } from '../context/retry.ts';

const LOOK_FOR_PAGES_MS = 200;
/**
 * Each step makes a segment, and many small segments cost their merging. So pages are waited for: while they come fast,
 * until they are many; where they come slowly, for a while before and after each step. The first pages after a rest are what
 * somebody waits for: they wait for nobody, the next ones for a moment, and so on.
 */
const INDEX_PAGES = 200;
const MANY_PAGES = 150;
const FEW_PAGES = 20;
const MOST_PATIENCE_MS = 1000;

export async function keepIndexing(rows: SearchRows, signal: AbortSignal): Promise<void> {
  let patienceMs = 0;
  let idleMs = 0;
  while (!signal.aborted) {
    await gatherPages(rows, patienceMs, signal);
    const indexed = await rows.index(INDEX_PAGES);
    idleMs = indexed === 0 ? idleMs + LOOK_FOR_PAGES_MS : 0;
    if (indexed === 0) await restFor(LOOK_FOR_PAGES_MS, signal);
    else if (indexed < FEW_PAGES) await restFor(patienceMs, signal);
    if (indexed > 0) patienceMs = Math.min(MOST_PATIENCE_MS, Math.max(LOOK_FOR_PAGES_MS, 2 * patienceMs));
    else if (idleMs > MOST_PATIENCE_MS) patienceMs = 0;
  }
}

/** Returns when pages are many, when no more came since the last look, or when patience is at its end. */
async function gatherPages(rows: SearchRows, patienceMs: number, signal: AbortSignal): Promise<void> {
  let before = 0;
  for (let waitedMs = 0; waitedMs < patienceMs && !signal.aborted; waitedMs += LOOK_FOR_PAGES_MS) {
    const waiting = await rows.lag();
    if (waiting === before || waiting >= MANY_PAGES) return;
    before = waiting;
    await restFor(LOOK_FOR_PAGES_MS, signal);
  }
}
