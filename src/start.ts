// Starts the program on a supported Node. V8 flags are set here, before anything else is loaded, and nowhere else: a flag that
// changes while a program runs changes it for all threads.

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const SEMI_SPACE_BYTES = 4 * 2 ** 20;
/** Enough allocation to make the space grow once; a bound in case it never does. */
const MAX_ROUNDS = 100;

/** New objects are allocated in one semi-space; survivors are copied to the other. */
function semiSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space === undefined ? Number.POSITIVE_INFINITY : space.space_used_size + space.space_available_size;
}

/**
 * Without a limit, a semi-space grows to 64 MB in every long command, most of it garbage that may hold buffers outside the heap.
 * Its limit can be set only when a process is started; the growth factor is read whenever it grows. So it grows once, to
 * the target size, and then no more. A thread has its own limit, and starts at it, since its space cannot grow either.
 */
function limitSemiSpace(): void {
  // The space available for objects is slightly less than the whole.
  setFlagsFromString(`--semi-space-growth-factor=${Math.round(SEMI_SPACE_BYTES / semiSpaceBytes())}`);
  const survivors: object[][] = [];
  for (let round = 0; round < MAX_ROUNDS && semiSpaceBytes() < SEMI_SPACE_BYTES / 2; round += 1)
    survivors.push(Array.from({ length: 5000 }, () => ({})));
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=8');
}

limitSemiSpace();
setFlagsFromString('--heap-growing-percent=45');
setFlagsFromString('--expose-gc');

await import('./program.ts');
