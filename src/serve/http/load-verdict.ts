// Whether one more request may be taken on. A server that takes on more than it can carry dies with all it carries; one that
// says so in time loses nothing: the client comes back.

export interface Load {
  /** Requests whose answers are not sent yet. Streams of events do not count: they wait for nothing. */
  readonly inFlight: number;
  /** Of the heap, and of the buffers that it holds outside. */
  readonly usedBytes: number;
  readonly heapLimitBytes: number;
}

export type LoadVerdict = { readonly take: true } | { readonly take: false; readonly because: 'requests' | 'memory' };

/** What lives and what waits for the collector, of all that old objects may fill. The rest is for what is under way already. */
const FULL_HEAP = 0.75;
/** The limit of the heap counts three halves for young objects, and says nothing of them. */
const YOUNG_BYTES = 3 * 64 * 2 ** 20;

export function loadVerdict({ inFlight, usedBytes, heapLimitBytes }: Load, maxInFlight: number): LoadVerdict {
  if (inFlight >= maxInFlight) return { take: false, because: 'requests' };
  const forOldObjects = Math.max(heapLimitBytes - YOUNG_BYTES, heapLimitBytes / 2);
  if (usedBytes > FULL_HEAP * forOldObjects) return { take: false, because: 'memory' };
  return { take: true };
}
