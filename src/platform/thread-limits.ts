// Watches a worker thread from outside, because a thread in a loop cannot watch itself: the time of a call, and memory outside the heap.

import type { Worker } from 'node:worker_threads';

const MEMORY_CHECK_MS = 100;

/** The engine answers between two instructions of the thread, so a loop does not hide what it allocates. */
export function watchMemory(
  worker: Worker,
  maxMb: number | undefined,
  exceeded: (error: Error) => void,
): { readonly start: () => void; readonly stop: () => void } {
  if (maxMb === undefined) return { start: () => undefined, stop: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    // It rejects for a thread that is gone, or not there yet.
    const { external_memory: bytes } = await worker.getHeapStatistics().catch(() => ({ external_memory: 0 }));
    if (bytes > maxMb * 1_048_576) exceeded(new Error(`more than ${maxMb} MB outside the heap`));
  };
  return {
    start: () => {
      timer ??= setInterval(() => void check(), MEMORY_CHECK_MS).unref();
    },
    stop: () => {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** How many times its limit a call may take on a busy machine, where a thread waits for a processor. */
const MAX_STRETCH = 10;
const CHECKS_PER_LIMIT = 10;

/** Calls `exceeded` once `ms` have passed. Returns what stops it. */
export function limitTime(_worker: Worker, ms: number, exceeded: () => void): () => void {
  const timer = setTimeout(exceeded, ms).unref();
  return () => clearTimeout(timer);
}

/**
 * Calls `exceeded` once the thread has used `ms` of a processor, or ten times `ms` have passed. What it uses until the first check counts
 * as if it had a processor to itself, so that short calls cost nothing. Where the engine does not tell (before Node 22.20), time that
 * passed counts.
 */
export function limitCpuTime(worker: Worker, ms: number, exceeded: () => void): () => void {
  if (!('cpuUsage' in worker)) return limitTime(worker, ms, exceeded);
  const stopClock = limitTime(worker, ms * MAX_STRETCH, exceeded);
  let first: number | null = null;
  let isOver = false;
  const check = async (): Promise<void> => {
    // It rejects for a thread that is gone. One in native code answers later, or meets the limit above.
    const used = await worker.cpuUsage().catch(() => null);
    if (used === null || isOver) return;
    const usedMs = (used.user + used.system) / 1000;
    first ??= usedMs - ms / CHECKS_PER_LIMIT;
    if (usedMs - first >= ms) exceeded();
  };
  const timer = setInterval(() => void check(), ms / CHECKS_PER_LIMIT).unref();
  return () => {
    isOver = true;
    stopClock();
    clearInterval(timer);
  };
}
