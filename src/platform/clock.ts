// Time, timers, randomness and ids: the only source of them for crawling, reading, storing and serving, so that a simulation
// which replaces this file controls all of them.

import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';

/** Milliseconds since the Unix epoch, for people and records. May jump. */
export function now(): number {
  return Date.now();
}

/** Milliseconds since an arbitrary moment, for durations. Never goes back. */
export function monotonicMs(): number {
  return performance.now();
}

/** Rejects when aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, signal && { signal });
}

/** Sleeps, and returns early when aborted. */
export async function sleepOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}

/** Lets everything else in the thread take a turn, in the middle of long work. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await immediate(undefined, signal && { signal });
}

export interface Timer {
  /** Does nothing once the timer has fired. */
  cancel(): void;
  /** The process may end before the timer fires. */
  unref(): Timer;
}

/** Calls `run` once. */
export function after(ms: number, run: () => void): Timer {
  const timer = setTimeout(run, ms);
  return timerOf(timer, () => clearTimeout(timer));
}

/** Calls `run` repeatedly. */
export function every(ms: number, run: () => void): Timer {
  const timer = setInterval(run, ms);
  return timerOf(timer, () => clearInterval(timer));
}

function timerOf(timeout: NodeJS.Timeout, cancel: () => void): Timer {
  const timer: Timer = {
    cancel,
    unref: () => {
      timeout.unref();
      return timer;
    },
  };
  return timer;
}

/** Aborts after this time, with a TimeoutError. */
export function deadline(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

/** At least 0, below 1. Never for secrets. */
export function random(): number {
  return Math.random();
}

export function uuid(): string {
  return randomUUID();
}

/** An id that need not have the form of a UUID. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** For secrets. */
export function secretBytes(bytes: number): Buffer {
  return randomBytes(bytes);
}
