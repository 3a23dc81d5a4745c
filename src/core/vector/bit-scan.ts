// Finds rows near a question by their bits alone, for an exact look afterwards.
//
// Two steps. The distance in bits is read for every row that is admitted, which is fast and coarse. The best of them are
// scored again with the question's own numbers against the rows' bits: that keeps the size of each number, which is what
// quantising the question loses. What is left is read from disk and compared exactly.

import { bitCount, quantise, wordsFor } from './quantise.ts';

export interface BitRows {
  /** Row after row, `wordsFor(dimensions)` each. */
  readonly words: Uint32Array;
  readonly rows: number;
  readonly dimensions: number;
}

export interface ScanLimits {
  /** Rows that are scored again. */
  readonly coarse: number;
  /** Rows that are given back. */
  readonly fine: number;
}

/** `admitted[row]` is 0 for a row that must not be found; null admits all. Best rows first. */
export function scanBits(
  bits: BitRows,
  question: Float32Array,
  admitted: Uint8Array | null,
  limits: ScanLimits,
): Uint32Array {
  const near = nearestByBits(bits, question, admitted, limits.coarse);
  const scores = scoreBits(bits, question, near);
  const best = placesOfBest(scores, limits.fine);
  best.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return best.subarray(0, limits.fine).map((at) => near[at] ?? 0);
}

/** Where the best scores stand, and a few more where the last of them are equal. Sorting thousands by a function costs more. */
function placesOfBest(scores: Float32Array, want: number): Uint32Array {
  const least = scores.length <= want ? -Infinity : (scores.toSorted()[scores.length - want] ?? -Infinity);
  const places: number[] = [];
  scores.forEach((score, at) => score >= least && places.push(at));
  return Uint32Array.from(places);
}

const NOT_ADMITTED = 0xffff;

/** All rows within the distance that about `want` rows have; a few more where many have the same distance. */
function nearestByBits(
  { words, rows, dimensions }: BitRows,
  question: Float32Array,
  admitted: Uint8Array | null,
  want: number,
): Uint32Array {
  const width = wordsFor(dimensions);
  const asked = new Uint32Array(width);
  quantise(question, asked, 0);
  // Signed numbers of 32 bits stay whole numbers in every engine; unsigned ones above half of that do not.
  const stored = new Int32Array(words.buffer, words.byteOffset, rows * width);
  const wanted = new Int32Array(asked.buffer);
  const distances = new Uint16Array(rows);
  const having = new Uint32Array(dimensions + 1);
  for (let row = 0, at = 0; row < rows; row += 1, at += width) {
    if (admitted !== null && admitted[row] === 0) {
      distances[row] = NOT_ADMITTED;
      continue;
    }
    let distance = 0;
    for (let word = 0; word < width; word += 1) distance += bitCount((stored[at + word] ?? 0) ^ (wanted[word] ?? 0));
    distances[row] = distance;
    having[distance] = (having[distance] ?? 0) + 1;
  }
  return rowsWithin(distances, having, want);
}

function rowsWithin(distances: Uint16Array, having: Uint32Array, want: number): Uint32Array {
  let farthest = 0;
  let count = having[0] ?? 0;
  while (count < want && farthest < having.length - 1) {
    farthest += 1;
    count += having[farthest] ?? 0;
  }
  const found = new Uint32Array(count);
  for (let row = 0, at = 0; row < distances.length && at < count; row += 1)
    if ((distances[row] ?? NOT_ADMITTED) <= farthest) {
      found[at] = row;
      at += 1;
    }
  return found;
}

/** The sum of the question's numbers where a row's bit is set: twice that, less the sum of all, is their product. */
function scoreBits({ words, dimensions }: BitRows, question: Float32Array, rows: Uint32Array): Float32Array {
  const width = wordsFor(dimensions);
  const bytes = width * 4;
  const sums = byteSums(question, bytes);
  return Float32Array.from(rows, (row) => {
    let score = 0;
    for (let word = 0; word < width; word += 1) {
      const bits = words[row * width + word] ?? 0;
      const table = word * 4 * 256;
      score +=
        (sums[table + (bits & 0xff)] ?? 0) +
        (sums[table + 256 + ((bits >>> 8) & 0xff)] ?? 0) +
        (sums[table + 512 + ((bits >>> 16) & 0xff)] ?? 0) +
        (sums[table + 768 + (bits >>> 24)] ?? 0);
    }
    return score;
  });
}

/** For each byte of a row and each value it can have, the sum of the question's numbers at its set bits. */
function byteSums(question: Float32Array, bytes: number): Float32Array {
  const sums = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte += 1) {
    for (let value = 1; value < 256; value += 1) {
      const rest = value & (value - 1);
      const bit = 31 - Math.clz32(value ^ rest);
      sums[byte * 256 + value] = (sums[byte * 256 + rest] ?? 0) + (question[byte * 8 + bit] ?? 0);
    }
  }
  return sums;
}
