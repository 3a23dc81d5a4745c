// Keeps the heap near what lives in it. Left alone it may grow to several times of that before it is looked through again,
// and a long command then holds mostly garbage.

import { setFlagsFromString } from 'node:v8';

/** A full collection finds enough to be worth its time. */
export const HEAP_GROWTH_PERCENT = 45;

/** How much the heap may grow over what survived the last full collection, in this process and its threads. */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
