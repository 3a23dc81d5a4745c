// Postings of all terms in one array of bytes. Each term has a chain of slices that grow as it becomes frequent, and a
// posting is two variable-length numbers: the step from the entry before, and the counts. Three bytes on average, where an
// array of numbers takes twelve.

export interface PostingPool {
  /** Of one term, with ascending entries. */
  add(term: number, entry: number, counts: number): void;
  /** Postings of a term. */
  size(term: number): number;
  /** In the order in which they came: the step from the entry before (the first from 0), and the counts. */
  read(term: number, visit: (step: number, counts: number) => void): void;
}

/** Bytes of data in a slice, before the four that point to the next one. */
const SLICE_BYTES: readonly number[] = [5, 12, 28, 60, 124, 252];
const POINTER = 4;

/** What is known of a term, side by side in one array. */
const FIELDS = 6;
const START = 0;
const AT = 1;
const END = 2;
const LEVEL = 3;
const LAST = 4;
const SIZE = 5;

export function createPostingPool(): PostingPool {
  let bytes = new Uint8Array(65_536);
  let used = 0;
  let terms = new Uint32Array(1024 * FIELDS);

  function newSlice(level: number): number {
    const start = used;
    used += (SLICE_BYTES[level] ?? 0) + POINTER;
    if (used > bytes.length) bytes = grownBytes(bytes, used);
    return start;
  }

  function writeByte(term: number, byte: number): void {
    let at = terms[term + AT] ?? 0;
    if (at === terms[term + END]) {
      const level = Math.min((terms[term + LEVEL] ?? 0) + 1, SLICE_BYTES.length - 1);
      const next = newSlice(level);
      new DataView(bytes.buffer).setUint32(at, next);
      terms[term + LEVEL] = level;
      terms[term + END] = next + (SLICE_BYTES[level] ?? 0);
      at = next;
    }
    bytes[at] = byte;
    terms[term + AT] = at + 1;
  }

  function writeNumber(term: number, number: number): void {
    let rest = number;
    while (rest > 127) {
      writeByte(term, (rest & 127) | 128);
      rest >>>= 7;
    }
    writeByte(term, rest);
  }

  return {
    add(number, entry, counts) {
      const term = number * FIELDS;
      if (term >= terms.length) terms = grownNumbers(terms);
      if (terms[term + SIZE] === 0) {
        const start = newSlice(0);
        terms[term + START] = start;
        terms[term + AT] = start;
        terms[term + END] = start + (SLICE_BYTES[0] ?? 0);
      }
      writeNumber(term, entry - (terms[term + LAST] ?? 0));
      writeNumber(term, counts);
      terms[term + LAST] = entry;
      terms[term + SIZE] = (terms[term + SIZE] ?? 0) + 1;
    },
    size: (number) => terms[number * FIELDS + SIZE] ?? 0,
    read(number, visit) {
      const next = createReader(bytes, terms[number * FIELDS + START] ?? 0);
      for (let left = terms[number * FIELDS + SIZE] ?? 0; left > 0; left -= 1) visit(next(), next());
    },
  };
}

function createReader(bytes: Uint8Array, start: number): () => number {
  const view = new DataView(bytes.buffer);
  let at = start;
  let level = 0;
  let end = start + (SLICE_BYTES[0] ?? 0);
  return () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      if (at === end) {
        at = view.getUint32(at);
        level = Math.min(level + 1, SLICE_BYTES.length - 1);
        end = at + (SLICE_BYTES[level] ?? 0);
      }
      const byte = bytes[at] ?? 0;
      at += 1;
      number += (byte & 127) * 2 ** shift;
      if (byte < 128) return number;
    }
  };
}

/** By half: what is copied is held twice for a moment. */
function grownBytes(array: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}

function grownNumbers(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
