// Polls for a condition, and names it if it does not become true in time.

import { setTimeout as wait } from 'node:timers/promises';

export async function waitUntil(
  what: string,
  holds: () => Promise<boolean> | boolean,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const began = performance.now();
    if (await holds()) return;
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    // A check that takes long, such as one that opens a database, is made less often: what it waits for needs the processor.
    await wait(Math.min(200, Math.max(20, 5 * (performance.now() - began))));
  }
}
