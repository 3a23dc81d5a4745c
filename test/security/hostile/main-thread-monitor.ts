// Measures how long the main thread was blocked while something ran, by sampling its CPU time every few milliseconds. CPU
// time, because on a busy machine a thread may wait without working.

import { cpuSlowness } from '../../support/work-time.ts';

export interface MainThreadReport {
  /** The longest uninterrupted work, in milliseconds of CPU time. */
  readonly longestBlockMs: number;
  /** Peak growth of the process above its initial size. */
  readonly growthMb: number;
  /** CPU time of all other threads of the process, including garbage collection and compilation. */
  readonly workMs: number;
}

export async function watchMainThread<T>(work: () => Promise<T>): Promise<readonly [T, MainThreadReport]> {
  const startedAt = otherThreadsMs();
  const startRss = process.memoryUsage.rss();
  let longest = 0;
  let largest = startRss;
  let last = processorMs();
  const sample = (): void => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    largest = Math.max(largest, process.memoryUsage.rss());
    last = now;
  };
  const timer = setInterval(sample, 5);
  try {
    const result = await work();
    return [result, report()];
  } finally {
    clearInterval(timer);
  }

  function report(): MainThreadReport {
    sample();
    const workMs = otherThreadsMs() - startedAt;
    const slowness = cpuSlowness();
    return {
      longestBlockMs: longest / slowness,
      growthMb: (largest - startRss) / 1024 / 1024,
      workMs: workMs / slowness,
    };
  }
}

/** CPU time outside the main thread, independent of the load of the machine. */
function otherThreadsMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 - processorMs();
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
