// Nearest-neighbour search over binary-quantized vectors; its results are compared exactly afterwards.
//
// Two steps. The Hamming distance of every admitted row is fast and coarse. The best rows are scored again with the query's
// full numbers against the rows' bits, which restores the magnitudes that quantizing the query loses. What is left is read
// from disk and compared exactly.

export interface BitRows {
  /** Row after row, `wordsPerVector(dimensions)` each. */
  readonly words: Uint32Array;
  readonly rows: number;
  readonly dimensions: number;
}

export interface ScanLimits {
  /** Rows that are rescored. */
  readonly coarse: number;
  /** Rows that are returned. */
  readonly fine: number;
}

/** `admitted[row]` is 0 for an excluded row; null admits all. Best rows first. */
export function scanBits(
  bits: BitRows,
  query: Float32Array,
  admitted: Uint8Array | null,
  limits: ScanLimits,
): Uint32Array {
  const nearest = nearestByBits(bits, query, admitted, limits.coarse);
  const scores = scoreBits(bits, query, nearest);
  const best = topIndexes(scores, limits.fine);
  best.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return best.subarray(0, limits.fine).map((at) => nearest[at] ?? 0);
}

/** Indexes of the best scores, and a few more in case of ties. Cheaper than sorting thousands with a comparator. */
function topIndexes(scores: Float32Array, limit: number): Uint32Array {
  const threshold = scores.length <= limit ? -Infinity : (scores.toSorted()[scores.length - limit] ?? -Infinity);
  const indexes: number[] = [];
  scores.forEach((score, at) => score >= threshold && indexes.push(at));
  return Uint32Array.from(indexes);
}

const NOT_ADMITTED = 0xffff;

/** All rows within the distance that about `limit` rows have; more in case of ties. */
function nearestByBits(
  { words, rows, dimensions }: BitRows,
  query: Float32Array,
  admitted: Uint8Array | null,
  limit: number,
): Uint32Array {
  const width = wordsPerVector(dimensions);
  const queryBits = new Uint32Array(width);
  quantize(query, queryBits, 0);
  // Signed 32-bit integers stay small integers in every engine; unsigned ones above 2^31 do not.
  const stored = new Int32Array(words.buffer, words.byteOffset, rows * width);
  const signedQuery = new Int32Array(queryBits.buffer);
  const distances = new Uint16Array(rows);
  const histogram = new Uint32Array(dimensions + 1);
  for (let row = 0, at = 0; row < rows; row += 1, at += width) {
    if (admitted !== null && admitted[row] === 0) {
      distances[row] = NOT_ADMITTED;
      continue;
    }
    let distance = 0;
    for (let word = 0; word < width; word += 1)
      distance += bitCount((stored[at + word] ?? 0) ^ (signedQuery[word] ?? 0));
    distances[row] = distance;
    histogram[distance] = (histogram[distance] ?? 0) + 1;
  }
  return rowsWithin(distances, histogram, limit);
}

function rowsWithin(distances: Uint16Array, histogram: Uint32Array, limit: number): Uint32Array {
  let maxDistance = 0;
  let count = histogram[0] ?? 0;
  while (count < limit && maxDistance < histogram.length - 1) {
    maxDistance += 1;
    count += histogram[maxDistance] ?? 0;
  }
  const found = new Uint32Array(count);
  for (let row = 0, at = 0; row < distances.length && at < count; row += 1)
    if ((distances[row] ?? NOT_ADMITTED) <= maxDistance) {
      found[at] = row;
      at += 1;
    }
  return found;
}

/** The sum of the query's numbers at set bits: twice that, minus the sum of all, is the dot product. */
function scoreBits({ words, dimensions }: BitRows, query: Float32Array, rows: Uint32Array): Float32Array {
  const width = wordsPerVector(dimensions);
  const bytes = width * 4;
  const sums = byteSums(query, bytes);
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

/** For each byte of a row and each of its 256 values, the sum of the query's numbers at its set bits. */
function byteSums(query: Float32Array, bytes: number): Float32Array {
  const sums = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte += 1) {
    for (let value = 1; value < 256; value += 1) {
      const rest = value & (value - 1);
      const bit = 31 - Math.clz32(value ^ rest);
      sums[byte * 256 + value] = (sums[byte * 256 + rest] ?? 0) + (query[byte * 8 + bit] ?? 0);
    }
  }
  return sums;
}

/** 32-bit words that hold the bits of a vector. */
export function wordsPerVector(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/**
 * Binary quantization, one bit per dimension: whether the number is positive. 384 dimensions take 48 bytes, so a million
 * vectors fit in memory, and the distance of two is a bit count. Writes into `words`, from the word `at` on.
 */
export function quantize(vector: Float32Array, words: Uint32Array, at: number): void {
  for (let word = 0, d = 0; d < vector.length; word += 1) {
    let bits = 0;
    for (let bit = 0; bit < 32 && d < vector.length; bit += 1, d += 1) if ((vector[d] ?? 0) > 0) bits |= 1 << bit;
    words[at + word] = bits;
  }
}

/** Number of set bits. */
export function bitCount(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  const fours = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
