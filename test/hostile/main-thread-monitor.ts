// Proves that the main thread stayed free while something ran: every few milliseconds it looks how much processor time
// the main thread used since the last look. Processor time, because on a busy machine a thread may wait without working.

export interface MainThreadReport {
  /** The longest stretch of uninterrupted work, in milliseconds of processor time. */
  readonly longestBlockMs: number;
  /** The most that the process grew above its size at the start. */
  readonly growthMb: number;
  /** Processor time of all other threads of the process, collecting garbage and compiling included. */
  readonly workMs: number;
}

export async function watchMainThread<T>(work: () => Promise<T>): Promise<readonly [T, MainThreadReport]> {
  const startedAt = otherThreadsMs();
  const startRss = process.memoryUsage.rss();
  let longest = 0;
  let largest = startRss;
  let last = processorMs();
  const look = (): void => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    largest = Math.max(largest, process.memoryUsage.rss());
    last = now;
  };
  const timer = setInterval(look, 5);
  try {
    const result = await work();
    return [result, report()];
  } finally {
    clearInterval(timer);
  }

  function report(): MainThreadReport {
    look();
    return {
      longestBlockMs: longest,
      growthMb: (largest - startRss) / 1024 / 1024,
      workMs: otherThreadsMs() - startedAt,
    };
  }
}

/** What a document costs, however busy the machine is. */
function otherThreadsMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 - processorMs();
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
