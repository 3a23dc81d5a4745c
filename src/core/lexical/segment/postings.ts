// The postings of one word in one segment as bytes: for each chunk that has it, the step from the chunk before as a
// variable-length integer, then the impact. Two to three bytes a posting.

import { pinakesError } from '../../model/errors.ts';

export interface PostingWriter {
  /** Chunks come in ascending order. */
  add(chunk: number, impact: number): void;
  /** The postings so far. It then begins anew, for another word. */
  take(): { readonly count: number; readonly bytes: Uint8Array };
}

export function createPostingWriter(): PostingWriter {
  let buffer = new Uint8Array(1024);
  let length = 0;
  let last = -1;
  let count = 0;
  return {
    add(chunk, impact) {
      if (length + LONGEST > buffer.length) buffer = grown(buffer);
      let step = chunk - last - 1;
      while (step > 127) {
        buffer[length] = (step & 127) | 128;
        length += 1;
        step >>>= 7;
      }
      buffer[length] = step;
      buffer[length + 1] = impact;
      length += 2;
      last = chunk;
      count += 1;
    },
    take() {
      const taken = { count, bytes: buffer.slice(0, length) };
      length = 0;
      last = -1;
      count = 0;
      return taken;
    },
  };
}

/** Bytes of the longest posting. */
const LONGEST = 6;

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}

export interface Decoded {
  readonly chunks: Uint32Array;
  readonly impacts: Uint8Array;
  /** Postings; the arrays may be longer. */
  readonly count: number;
}

/** Bytes that end in the middle of a posting are damaged: an error, never a wrong answer. */
export function decodePostings(bytes: Uint8Array): Decoded {
  const { length } = bytes;
  const chunks = new Uint32Array(length >>> 1);
  const impacts = new Uint8Array(length >>> 1);
  let chunk = -1;
  let count = 0;
  let at = 0;
  while (at < length) {
    let byte = bytes[at] ?? 0;
    let step = byte & 127;
    at += 1;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at] ?? 0;
      step |= (byte & 127) << shift;
      at += 1;
    }
    if (at >= length) throw pinakesError('internal', { why: 'postings of the search index are damaged' });
    chunk += step + 1;
    chunks[count] = chunk;
    impacts[count] = bytes[at] ?? 0;
    count += 1;
    at += 1;
  }
  return { chunks, impacts, count };
}

export function readPostings(bytes: Uint8Array, each: (chunk: number, impact: number) => void): void {
  const { chunks, impacts, count } = decodePostings(bytes);
  for (let at = 0; at < count; at += 1) each(chunks[at] ?? 0, impacts[at] ?? 0);
}
