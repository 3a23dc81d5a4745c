// Lets long work on a thread be cancelled. With SQLite nothing in a search waits, so without a pause its thread would not even
// receive the message that the answer is no longer wanted.

import { monotonicMs, yieldToEventLoop } from './clock.ts';

/** Raises the reason of the signal once that has aborted. */
export type Checkpoint = () => Promise<void>;

/** Work that takes less never pauses: searches that arrive together are answered one after the other. */
const MAX_UNINTERRUPTED_MS = 20;

export function createCheckpoint(signal: AbortSignal | undefined): Checkpoint {
  let pausedAt = monotonicMs();
  return async () => {
    signal?.throwIfAborted();
    if (signal === undefined || monotonicMs() - pausedAt < MAX_UNINTERRUPTED_MS) return;
    await yieldToEventLoop();
    pausedAt = monotonicMs();
    signal.throwIfAborted();
  };
}
