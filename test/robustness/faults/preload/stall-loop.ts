// Blocks the event loop of each thread for FAULT_STALL_MS on SIGUSR2.

import { onSignal } from './on-signal.ts';

const stallMs = Number(process.env['FAULT_STALL_MS'] ?? 1000);

function stall(): void {
  const until = performance.now() + stallMs;
  while (performance.now() < until);
}

onSignal(stall);
