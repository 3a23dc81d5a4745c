// Keeps a loop of the worker alive: a database that is away for a while ends no worker.

import type { Log } from '../platform/log.ts';
import { waitFor } from './wait-for.ts';

const LONGEST_REST_MS = 10_000;

/** Waits, and simply returns when asked to stop. */
export async function restFor(ms: number, signal: AbortSignal): Promise<void> {
  await waitFor(ms, signal).catch(() => undefined);
}

export async function persist(
  name: string,
  loop: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      await loop(signal);
    } catch (error) {
      log.warn('a loop of the worker failed and goes on', { loop: name, error });
      await restFor(Math.min(LONGEST_REST_MS, 200 * 2 ** Math.min(failures, 6)), signal);
    }
  }
}
