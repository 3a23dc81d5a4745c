// Polls for a condition, and names it if it does not become true in time.

import { setTimeout as wait } from 'node:timers/promises';

export async function waitUntil(
  what: string,
  holds: () => Promise<boolean> | boolean,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await wait(20);
  }
}
