// Keeps the space small in which JavaScript makes its objects. Left alone it grows to 128 MB in every long command, most
// of it garbage, and each piece of garbage may hold a buffer outside of it. Scavenging a small space costs no more: what
// dies young is never copied.

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const MEGABYTE = 2 ** 20;
/** Enough to make it grow once; a bound in case it never does. */
const MOST_TURNS = 100;

/**
 * `megabytes` of each of its halves, in this thread and in those that start later. The limit itself can be set only before a process starts, by whoever starts it. How fast the space grows can be set at
 * any time: it grows once, to the wanted size, and then no more. To be called early: it never shrinks the space.
 */
export function limitYoungSpace(megabytes: number, threadMegabytes: number): void {
  const wanted = megabytes * MEGABYTE;
  // What is left for objects is a little less than the whole.
  const factor = Math.round(wanted / halfOfYoungSpace());
  if (factor > 1) {
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    const survivors: object[][] = [];
    for (let turn = 0; turn < MOST_TURNS && halfOfYoungSpace() < wanted / 2; turn += 1)
      survivors.push(Array.from({ length: 5000 }, () => ({})));
  }
  setFlagsFromString('--semi-space-growth-factor=1');
  // Both are flags of the whole process: a thread that starts later would never grow, so it starts with what it may have.
  setFlagsFromString(`--min-semi-space-size=${threadMegabytes}`);
}

/** In bytes. New objects are made in one half; the survivors are copied to the other. */
export function halfOfYoungSpace(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space === undefined ? Number.POSITIVE_INFINITY : space.space_used_size + space.space_available_size;
}
