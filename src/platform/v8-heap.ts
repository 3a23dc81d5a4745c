// Garbage collections at moments that only the program knows. They need `--expose-gc`, which the program's first file sets;
// without it, in a test or another program, they do nothing.

import { runInNewContext } from 'node:vm';

type Gc = (options: { readonly type: string; readonly execution?: 'sync'; readonly flavor?: 'last-resort' }) => void;

let gc: Gc | null = null;

/** Every context that is created after the flag was set has the function. */
function exposedGc(): Gc {
  gc ??= runInNewContext("typeof gc === 'function' ? gc : () => undefined") as Gc;
  return gc;
}

/**
 * Frees young objects that have just died, with the buffers they hold outside the heap. The engine waits until the young
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
