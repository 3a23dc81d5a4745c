// The index loop: indexes settled pages in batches, so that the index has few segments.

import type { SearchIndex } from '../../index/port.ts';
import type { Wakeups } from '../../store/port/wakeups.ts';
import { isStatementTimeout } from '../context/retry.ts';
import { createIdleSleep } from './idle-sleep.ts';
import { monotonicMs, sleepOrAbort } from '../../platform/clock.ts';

const POLL_PAGES_MS = 200;
/**
 * Each step creates a segment, and many small segments are expensive to merge. So pages are batched: while they arrive
 * fast, until there are many; while they arrive slowly, with a delay before and after each step. The first pages after
 * an idle time are indexed immediately, because a user may be waiting for them; then the delay grows.
 */
const MAX_PAGES_PER_STEP = 200;
const MANY_PAGES = 150;
const FEW_PAGES = 20;
const MAX_BATCH_DELAY_MS = 1000;
/**
 * A page that has waited so long is indexed without another delay. Each step indexes the source that has waited longest, so after many
 * sources were added, a delay after each step would keep the last one for minutes on an idle machine.
 */
const MAX_PAGE_AGE_MS = 2000;
/** Segments are merged so long before new pages get their turn again; a large merge takes many turns. */
const COMPACTION_MS = 1000;
/** An idle indexer checks for work of others so often: segments of a removed source, merges of a process that was killed. */
const RECHECK_MS = 10_000;

export async function indexLoop(searchIndex: SearchIndex, wakeups: Wakeups, signal: AbortSignal): Promise<void> {
  const idle = createIdleSleep(wakeups, 'settled', POLL_PAGES_MS);
  let batchDelayMs = 0;
  let idleMs = 0;
  let isCompact = false;
  let checkedAt = monotonicMs();
  const indexSome = createIndexStep(searchIndex);
  while (!signal.aborted) {
    await awaitPages(searchIndex, batchDelayMs, signal);
    const indexed = await indexSome();
    if (indexed > 0 || monotonicMs() - checkedAt > RECHECK_MS) isCompact = false;
    if (!isCompact) {
      isCompact = await searchIndex.compact(COMPACTION_MS);
      checkedAt = monotonicMs();
    }
    idleMs = indexed === 0 ? idleMs + POLL_PAGES_MS : 0;
    if (indexed === 0 && isCompact) await idle.sleep(signal);
    else if (indexed > 0 && indexed < FEW_PAGES) await whilePagesArrive(searchIndex, batchDelayMs, signal);
    if (indexed > 0) {
      idle.reset();
      batchDelayMs = Math.min(MAX_BATCH_DELAY_MS, Math.max(POLL_PAGES_MS, 2 * batchDelayMs));
    } else if (idleMs > MAX_BATCH_DELAY_MS) batchDelayMs = 0;
  }
}

/** A step that takes the database too long is tried with fewer pages; each success allows more again. */
function createIndexStep(searchIndex: SearchIndex): () => Promise<number> {
  let maxPages = MAX_PAGES_PER_STEP;
  return async () => {
    for (;;) {
      try {
        const indexed = await searchIndex.index(maxPages);
        maxPages = Math.min(MAX_PAGES_PER_STEP, 2 * maxPages);
        return indexed;
      } catch (error) {
        if (!isStatementTimeout(error) || maxPages === 1) throw error;
        maxPages = Math.ceil(maxPages / 4);
      }
    }
  };
}

/** Returns when there are many pages or old ones, when no more arrived since the last poll, or when the delay is over. */
async function awaitPages(searchIndex: SearchIndex, batchDelayMs: number, signal: AbortSignal): Promise<void> {
  let before = 0;
  for (let waitedMs = 0; waitedMs < batchDelayMs && !signal.aborted; waitedMs += POLL_PAGES_MS) {
    const { pages: waiting, ageMs } = await searchIndex.lag(MANY_PAGES);
    if (waiting === before || waiting >= MANY_PAGES || ageMs > MAX_PAGE_AGE_MS) return;
    before = waiting;
    await sleepOrAbort(POLL_PAGES_MS, signal);
  }
}

/**
 * After a small step: with many sources crawled at a time, each has few pages queued, and more come if it waits for a
 * while. Returns when one has waited for long, when none arrived since the last poll, or when the delay is over.
 */
async function whilePagesArrive(searchIndex: SearchIndex, delayMs: number, signal: AbortSignal): Promise<void> {
  let before = -1;
  for (let waitedMs = 0; waitedMs < delayMs && !signal.aborted; waitedMs += POLL_PAGES_MS) {
    const { pages: waiting, ageMs } = await searchIndex.lag();
    if (waiting === before || ageMs > MAX_PAGE_AGE_MS) return;
    before = waiting;
    await sleepOrAbort(POLL_PAGES_MS, signal);
  }
}
