// Blocks the event loop of the main thread with work for FAULT_STALL_MS, whenever SIGUSR2 comes.

import { isMainThread } from 'node:worker_threads';

const stallMs = Number(process.env['FAULT_STALL_MS'] ?? 1000);

function stall(): void {
  const until = performance.now() + stallMs;
  while (performance.now() < until);
}

if (isMainThread) process.on('SIGUSR2', stall);
