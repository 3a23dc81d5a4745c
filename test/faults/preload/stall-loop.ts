// Blocks the event loop of the main thread with work: after FAULT_STALL_AFTER_MS for FAULT_STALL_MS, again and again.

import { isMainThread } from 'node:worker_threads';

const every = Number(process.env['FAULT_STALL_AFTER_MS'] ?? 1000);
const stallMs = Number(process.env['FAULT_STALL_MS'] ?? 1000);
let left = Number(process.env['FAULT_STALLS'] ?? 1);

function stall(): void {
  const until = performance.now() + stallMs;
  while (performance.now() < until);
  process.stderr.write('stalled\n');
  left -= 1;
  if (left > 0) setTimeout(stall, every).unref();
}

if (isMainThread) setTimeout(stall, every).unref();
