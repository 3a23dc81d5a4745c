// Waits that an abort ends, and turns for the rest of the thread.

import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';

/** Rejects when aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal });
}

/** Sleeps, and returns early when aborted. */
export async function sleepOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}

/** Lets everything else in the thread take a turn, in the middle of long work. */
export async function yieldToEventLoop(signal: AbortSignal): Promise<void> {
  await immediate(undefined, { signal });
}
