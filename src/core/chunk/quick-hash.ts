// A small hash for choosing cut places. Never an identity: that is SHA-256's work.

/** Enough of a block to tell it from its neighbours; an edit further on then moves no cut. */
const SAMPLE_CHARS = 64;

/** FNV-1a over the first characters of a stretch, with a final mix so that near texts are far apart. */
export function quickHash(text: string, start: number, end: number): number {
  const stop = Math.min(end, start + SAMPLE_CHARS);
  let hash = 0x811c9dc5;
  for (let at = start; at < stop; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}
