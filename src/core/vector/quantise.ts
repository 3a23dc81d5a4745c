// One bit a dimension: whether the number is positive. 384 dimensions are 48 bytes, so a million vectors fit in memory,
// and the distance of two is a count of bits.

export function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** Writes the bits of `vector` into `words`, from the word `at` on. */
export function quantise(vector: Float32Array, words: Uint32Array, at: number): void {
  for (let word = 0, d = 0; d < vector.length; word += 1) {
    let bits = 0;
    for (let bit = 0; bit < 32 && d < vector.length; bit += 1, d += 1) if ((vector[d] ?? 0) > 0) bits |= 1 << bit;
    words[at + word] = bits;
  }
}

/** How many bits are set. */
export function bitCount(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  const fours = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
