// Lets the thread that calls it give way to the other threads of the process.

import { getPriority, setPriority } from 'node:os';

const MOST = 19;

/**
 * `steps` of niceness more, for this thread and those it starts later. Only on Linux: there a priority belongs to a thread;
 * elsewhere it would be that of the whole process.
 */
export function giveWay(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(MOST, getPriority() + steps));
  } catch {
    // A sandbox may forbid it. Then nobody gives way, and nothing else is different.
  }
}
