// Entry of the thread that watches the main thread. It counts its own steps instead of the time: a machine that slept, or was too busy
// for this thread as well, has blocked nothing.

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEAT, BLOCKS, type WatchdogData } from './watchdog.ts';

const STDERR = 2;

const { memory, stepMs, reportMs, endMs } = workerData as WatchdogData;
const slots = new Int32Array(memory);
/** Nothing notifies it: a wait is a sleep. */
const sleeper = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Directly, because lines of a thread are written by the main thread. */
function report(level: 'warn' | 'error', message: string, fields: object): void {
  const line = { time: new Date().toISOString(), level, message, pid: process.pid, ...fields };
  try {
    writeSync(STDERR, `${JSON.stringify(line)}\n`);
  } catch {
    // The other end is closed.
  }
}

let beat = 0;
let silentMs = 0;
for (;;) {
  Atomics.wait(sleeper, 0, 0, stepMs);
  const now = Atomics.load(slots, BEAT);
  if (now !== beat || now === 0) {
    if (silentMs >= reportMs) report('warn', 'the main thread responds again', { blockedMs: silentMs });
    beat = now;
    silentMs = 0;
    continue;
  }
  const before = silentMs;
  silentMs += stepMs;
  if (before < reportMs && silentMs >= reportMs) {
    Atomics.add(slots, BLOCKS, 1);
    report('error', 'the main thread is blocked: it answers no request and no signal', { blockedMs: silentMs });
  }
  if (endMs > 0 && silentMs >= endMs) {
    report('error', 'the process ends because its main thread stays blocked (serve.maxBlockedMs)', {
      blockedMs: silentMs,
    });
    process.kill(process.pid, 'SIGKILL');
  }
}
