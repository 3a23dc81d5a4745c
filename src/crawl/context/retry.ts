// Keeps a loop of the worker alive: a database that is away for a while ends no worker.

import { PinakesError } from '../../core/model/errors.ts';
import type { Log } from '../../platform/log.ts';
import { waitFor } from '../../operate/wait-for.ts';

/** What waits for a database that is back goes on within this time. */
const LONGEST_REST_MS = 5_000;

/** Waits, and simply returns when asked to stop. */
export async function restFor(ms: number, signal: AbortSignal): Promise<void> {
  await waitFor(ms, signal).catch(() => undefined);
}

/** A loop ends with the signal, or with a failure that cannot pass, such as a disk that failed. */
export async function persist(
  name: string,
  loop: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    const began = performance.now();
    try {
      await loop(signal);
    } catch (error) {
      if (isFinal(error)) throw error;
      if (performance.now() - began > 2 * LONGEST_REST_MS) failures = 1;
      log.warn('a loop of the worker failed and goes on', { loop: name, error });
      await restFor(restAfter(failures), signal);
    }
  }
}

/** Does it again while the database is away, full or not to be written, and the signal allows it. */
export async function persistently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  tellFirst: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      if (failures === 1) tellFirst(error);
      await restFor(restAfter(failures), signal);
    }
  }
}

/** A failure of the database that is nobody's fault and ends by itself. */
export function mayPass(error: unknown): boolean {
  return error instanceof PinakesError && error.code.startsWith('database.') && error.retryable;
}

function isFinal(error: unknown): boolean {
  return error instanceof PinakesError && error.code === 'database.broken';
}

function restAfter(failures: number): number {
  return Math.min(LONGEST_REST_MS, 100 * 2 ** Math.min(failures, 6));
}
