// Lets a search be cancelled. With SQLite nothing in a search waits, so without a pause its thread would not even receive the
// message that nobody wants the answer any more.

import { setImmediate as nextTick } from 'node:timers/promises';
import type { IndexReader } from '../core/lexical/segment/index-reader.ts';

/** Raises the reason of the signal once that has aborted. */
export type Checkpoint = () => Promise<void>;

/** A search that takes less never pauses: searches that arrive together are answered one after the other. */
const MAX_UNINTERRUPTED_MS = 20;

export function createCheckpoint(signal: AbortSignal | undefined): Checkpoint {
  let pausedAt = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (signal === undefined || performance.now() - pausedAt < MAX_UNINTERRUPTED_MS) return;
    await nextTick();
    pausedAt = performance.now();
    signal.throwIfAborted();
  };
}

/** An index with a checkpoint before each access. */
export function withCheckpoints(index: IndexReader, checkpoint: Checkpoint): IndexReader {
  return {
    async postings(versions, terms) {
      await checkpoint();
      return index.postings(versions, terms);
    },
    async resolve(positions) {
      await checkpoint();
      return index.resolve(positions);
    },
    async passages(places) {
      await checkpoint();
      return index.passages(places);
    },
    async outlines(pages) {
      await checkpoint();
      return index.outlines(pages);
    },
    async areSearched(segmentIds) {
      await checkpoint();
      return index.areSearched(segmentIds);
    },
    async positionsMatching(versions, filter) {
      await checkpoint();
      return index.positionsMatching(versions, filter);
    },
    async termsWithPrefix(versions, prefix, length) {
      await checkpoint();
      return index.termsWithPrefix(versions, prefix, length);
    },
  };
}
