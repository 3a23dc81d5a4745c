// Takes the place of src/platform/clock.ts: install.ts redirects imports of that file to this one.

import type * as clock from '../../../src/platform/clock.ts';
import { atInProcess, currentProcess } from './simulated-process.ts';
import { integer, seededRandom, virtualEpochMs, virtualMs } from './virtual-time.ts';

export function now(): number {
  return virtualEpochMs() + (currentProcess()?.skewMs ?? 0);
}

export function monotonicMs(): number {
  return virtualMs();
}

/** A real timer fires a little late. */
const MAX_LATE_MS = 2;

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > 0) await sleepUntil(virtualMs() + ms + integer(0, MAX_LATE_MS), signal);
}

function sleepUntil(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = atInProcess(time, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

export async function sleepOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}

export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await sleepUntil(virtualMs(), signal);
}

function timerOf(cancel: () => void): clock.Timer {
  const timer: clock.Timer = { cancel, unref: () => timer };
  return timer;
}

export function after(ms: number, run: () => void): clock.Timer {
  return timerOf(atInProcess(virtualMs() + ms, run));
}

export function every(ms: number, run: () => void): clock.Timer {
  const repeat = (): void => {
    cancel = atInProcess(virtualMs() + Math.max(1, ms), repeat);
    run();
  };
  let cancel = atInProcess(virtualMs() + Math.max(1, ms), repeat);
  return timerOf(() => cancel());
}

export function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  atInProcess(virtualMs() + ms, () => controller.abort(new DOMException('too late', 'TimeoutError')));
  return controller.signal;
}

export function random(): number {
  return seededRandom();
}

export function uuid(): string {
  const hex = randomHex(16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function randomHex(bytes: number): string {
  return Array.from({ length: bytes }, () => integer(0, 255).toString(16).padStart(2, '0')).join('');
}

export function secretBytes(bytes: number): Buffer {
  return Buffer.from(randomHex(bytes), 'hex');
}

const _complete: typeof clock = {
  now,
  monotonicMs,
  sleep,
  sleepOrAbort,
  yieldToEventLoop,
  after,
  every,
  deadline,
  random,
  uuid,
  randomHex,
  secretBytes,
};
