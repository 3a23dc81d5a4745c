// The postings of one word in one segment as bytes: for each chunk that has it, the step from the chunk before as a
// variable-length integer, then the impact. Two to three bytes a posting.

import { pinakesError } from '../model/errors.ts';

export interface PostingWriter {
  /** Chunks come in ascending order. */
  add(chunk: number, impact: number): void;
  readonly count: number;
  bytes(): Uint8Array;
}

export function createPostingWriter(): PostingWriter {
  let buffer = new Uint8Array(8);
  let length = 0;
  let last = -1;
  let count = 0;
  const put = (byte: number): void => {
    if (length === buffer.length) {
      const larger = new Uint8Array(length * 2);
      larger.set(buffer);
      buffer = larger;
    }
    buffer[length] = byte;
    length += 1;
  };
  return {
    get count() {
      return count;
    },
    add(chunk, impact) {
      let step = chunk - last - 1;
      while (step > 127) {
        put((step & 127) | 128);
        step >>>= 7;
      }
      put(step);
      put(impact);
      last = chunk;
      count += 1;
    },
    bytes: () => buffer.slice(0, length),
  };
}

/** Bytes that end in the middle of a posting are damaged: an error, never a wrong answer. */
export function readPostings(bytes: Uint8Array, each: (chunk: number, impact: number) => void): void {
  let chunk = -1;
  let at = 0;
  while (at < bytes.length) {
    let byte = bytes[at] ?? 0;
    let step = byte & 127;
    let shift = 7;
    at += 1;
    while (byte > 127) {
      byte = bytes[at] ?? 0;
      step |= (byte & 127) << shift;
      shift += 7;
      at += 1;
    }
    const impact = bytes[at];
    if (impact === undefined) throw pinakesError('internal', { why: 'postings of the search index are damaged' });
    chunk += step + 1;
    at += 1;
    each(chunk, impact);
  }
}
