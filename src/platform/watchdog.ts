// Notices a main thread that is blocked, reports it and, if configured, ends the process, so that its supervisor starts it again.
// Another thread watches: the main thread answers neither signals nor probes then.

import { Worker } from 'node:worker_threads';
import { threadEntryUrl } from './worker-thread.ts';

export interface WatchdogOptions {
  /** How long the main thread may not respond before it is reported. */
  readonly reportMs?: number;
  /** And before the process ends; 0 never ends it. */
  readonly endMs: number;
}

export interface Watchdog {
  /** From now on the main thread should respond. Before that it starts the program, which may take long on a slow machine. */
  watch(): void;
  /** How often the main thread was blocked. */
  blocks(): number;
  close(): Promise<void>;
}

/** Slots of the shared memory. The first beat begins the watch. */
export const BEAT = 0;
export const BLOCKS = 1;
const SLOTS = 2;

export interface WatchdogData {
  readonly memory: SharedArrayBuffer;
  readonly stepMs: number;
  readonly reportMs: number;
  readonly endMs: number;
}

const REPORT_MS = 10_000;
const MAX_STEP_MS = 1000;

export function startWatchdog({ reportMs = REPORT_MS, endMs }: WatchdogOptions): Watchdog {
  const memory = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  const slots = new Int32Array(memory);
  const stepMs = Math.min(MAX_STEP_MS, reportMs / 10);
  const beat = (): void => void Atomics.add(slots, BEAT, 1);
  let timer: NodeJS.Timeout | undefined;
  const data: WatchdogData = { memory, stepMs, reportMs, endMs };
  const worker = new Worker(threadEntryUrl('watchdog-thread', import.meta.url), {
    name: 'pinakes-watchdog',
    workerData: data,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  worker.unref();
  // The process does not depend on it.
  worker.on('error', () => undefined);
  return {
    watch() {
      beat();
      timer ??= setInterval(beat, stepMs).unref();
    },
    blocks: () => Atomics.load(slots, BLOCKS),
    async close() {
      clearInterval(timer);
      await worker.terminate();
    },
  };
}
