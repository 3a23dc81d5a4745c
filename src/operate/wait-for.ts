// Waits, but not past an abort.

import { setTimeout as sleep } from 'node:timers/promises';

export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal });
}
