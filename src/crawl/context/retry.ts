// Retries and sleeps of the worker loops: a temporarily unavailable database does not end a worker.

import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { PinakesError } from '../../core/model/errors.ts';
import type { Log } from '../../platform/log.ts';

/** Rejects when aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal });
}

/** Lets everything else in the thread take a turn, in the middle of long work. */
export async function yieldTurn(signal: AbortSignal): Promise<void> {
  await immediate(undefined, { signal });
}

/** Once the database is back, waiting work resumes within this time. */
const MAX_BACKOFF_MS = 5_000;

/** Sleeps, and returns early when aborted. */
export async function sleepOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}

/** Restarts a loop until the signal, or until a permanent failure such as a broken disk. */
export async function supervise(
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
      if (performance.now() - began > 2 * MAX_BACKOFF_MS) failures = 1;
      log.warn('worker loop failed, restarting it', { loop: name, error });
      await sleepOrAbort(backoffMs(failures), signal);
    }
  }
}

/** Retries while the database is unavailable, full or read-only, until the signal. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFirstFailure: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      if (failures === 1) onFirstFailure(error);
      await sleepOrAbort(backoffMs(failures), signal);
    }
  }
}

/** A database failure that is expected to end without intervention. */
export function isTransient(error: unknown): boolean {
  return error instanceof PinakesError && error.code.startsWith('database.') && error.retryable;
}

/** A failure that no further attempt can overcome: the disk or the file of the database is damaged. */
function isFinal(error: unknown): boolean {
  return error instanceof PinakesError && (error.code === 'database.broken' || error.code === 'database.damaged');
}

function backoffMs(failures: number): number {
  return Math.min(MAX_BACKOFF_MS, 100 * 2 ** Math.min(failures, 6));
}
