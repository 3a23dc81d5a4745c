// Terms as numbers, which is what the engine's sparse vectors are indexed by.

/**
 * A term as a 32-bit number: FNV-1a over its code units, then the finalizer of MurmurHash3. A hash, not a table: an indexer and
 * a query then agree without a lookup, whichever came first. With n terms in the library a term shares its number with another
 * one with a probability of n / 2 ** 32, 0.1 % at four million; nearly always with one that occurs in a handful of chunks. These
 * become candidates with a score too high, and reranking, which reads their text, puts them where they belong.
 */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
