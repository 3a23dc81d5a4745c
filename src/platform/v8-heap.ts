// Bounds the memory of V8: the young generation, the growth of the heap, and what is held after a peak.

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MEGABYTE = 2 ** 20;
/** Enough allocation to make the space grow once; a bound in case it never does. */
const MAX_ROUNDS = 100;

/**
 * Caps each semi-space at `megabytes` in this thread, and at `threadMegabytes` in threads that start later. Left alone, the
 * young generation grows to 128 MB in every long command, most of it garbage that may hold buffers outside of the heap.
 * Scavenging a small space costs no more: what dies young is never copied. The limit itself can be set only before a process
 * starts; the growth factor can be set at any time, so the space grows once, to the target size, and then no more. Call it
 * early: it never shrinks the space.
 */
export function limitSemiSpace(megabytes: number, threadMegabytes: number): void {
  const targetBytes = megabytes * MEGABYTE;
  // The space available for objects is slightly less than the whole.
  const factor = Math.round(targetBytes / semiSpaceBytes());
  if (factor > 1) {
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    const survivors: object[][] = [];
    for (let round = 0; round < MAX_ROUNDS && semiSpaceBytes() < targetBytes / 2; round += 1)
      survivors.push(Array.from({ length: 5000 }, () => ({})));
  }
  setFlagsFromString('--semi-space-growth-factor=1');
  // Both flags apply to the whole process: a thread that starts later would never grow, so it starts at its limit.
  setFlagsFromString(`--min-semi-space-size=${threadMegabytes}`);
}

/** Size of one semi-space. New objects are allocated in one; survivors are copied to the other. */
export function semiSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space === undefined ? Number.POSITIVE_INFINITY : space.space_used_size + space.space_available_size;
}

/** At this growth a full collection still frees enough to be worth its time. */
export const HEAP_GROWTH_PERCENT = 45;

/**
 * Limits how much the heap may grow over what survived the last full collection, in this process and its threads. Left
 * alone it may grow to several times that, and a long command then holds mostly garbage.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

type Gc = (options: { readonly type: string; readonly execution?: 'sync'; readonly flavor?: 'last-resort' }) => void;

let gc: Gc | null = null;

function exposedGc(): Gc {
  if (gc === null) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as Gc;
    setFlagsFromString('--no-expose-gc');
  }
  return gc;
}

/**
 * Frees young objects that have just died, with the buffers they hold outside of the heap. The engine waits until the young
 * generation is full; where each object holds a large buffer, much memory waits with them.
 */
export function minorGc(): void {
  exposedGc()({ type: 'minor' });
}

/**
 * Returns unused heap pages of this thread to the system. V8 keeps the pages of a heap that shrank for its next growth: after
 * one long page a thread would hold hundreds of megabytes for as long as it lives. A full collection: tens of milliseconds.
 */
export function releaseHeap(): void {
  // Any other flavor keeps the pages.
  exposedGc()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
