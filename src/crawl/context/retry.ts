// Retries of the worker loops: a temporarily unavailable database does not end a worker.

import { PinakesError } from '../../core/model/errors.ts';
import type { Log } from '../../platform/log.ts';
import { monotonicMs, sleepOrAbort } from '../../platform/clock.ts';

/** Once the database is back, waiting work resumes within this time. */
const MAX_BACKOFF_MS = 5_000;

/** A statement that took too long occupies the database, and is likely to take as long again. */
const MAX_TIMEOUTS = 3;
const MAX_TIMEOUT_BACKOFF_MS = 300_000;

/** Restarts a loop until the signal, or until a permanent failure such as a broken disk or a newer schema. */
export async function supervise(
  name: string,
  loop: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    const began = monotonicMs();
    try {
      await loop(signal);
    } catch (error) {
      if (isFinal(error)) throw error;
      const maxMs = isStatementTimeout(error) ? MAX_TIMEOUT_BACKOFF_MS : MAX_BACKOFF_MS;
      if (!isStatementTimeout(error) && monotonicMs() - began > 2 * maxMs) failures = 1;
      log.warn('worker loop failed, restarting it', { loop: name, error });
      await sleepOrAbort(backoffMs(failures, maxMs), signal);
    }
  }
}

/**
 * Retries while the database is unavailable, full or read-only, until the signal. Work that takes the database too long is
 * tried `maxTimeouts` times: then the caller decides what to do instead. The delay grows only while attempts fail sooner
 * than it took to wait for them: one that lasted longer found the database at work.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFirstFailure: (error: unknown) => void = () => undefined,
  maxTimeouts = MAX_TIMEOUTS,
): Promise<T> {
  let waitMs = 0;
  for (let failures = 0, timeouts = 0; ;) {
    const began = monotonicMs();
    try {
      return await work();
    } catch (error) {
      if (isStatementTimeout(error)) timeouts += 1;
      else if (!isTransient(error)) throw error;
      if (signal.aborted || timeouts >= maxTimeouts) throw error;
      if (waitMs === 0) onFirstFailure(error);
      failures = monotonicMs() - began > waitMs ? 1 : failures + 1;
      waitMs = backoffMs(failures, MAX_BACKOFF_MS);
      await sleepOrAbort(waitMs, signal);
    }
  }
}

/** A database failure that is expected to end without intervention. */
export function isTransient(error: unknown): boolean {
  return isDatabaseFailure(error) && error.retryable && !isStatementTimeout(error);
}

export function isDatabaseFailure(error: unknown): error is PinakesError {
  return error instanceof PinakesError && error.code.startsWith('database.');
}

/** The database is there, and took too long. */
export function isStatementTimeout(error: unknown): error is PinakesError {
  return error instanceof PinakesError && error.code === 'database.timeout';
}

/**
 * No further attempt can overcome them: the disk or the file is damaged, a newer version has migrated the database, or it has gone
 * back to an earlier state.
 */
const FINAL_CODES: readonly string[] = [
  'database.io-error',
  'database.corrupt',
  'database.newer',
  'database.rolled-back',
];

function isFinal(error: unknown): boolean {
  return error instanceof PinakesError && FINAL_CODES.includes(error.code);
}

function backoffMs(failures: number, maxMs: number): number {
  return Math.min(maxMs, 100 * 2 ** Math.min(failures, 12));
}
