// The encoded postings of a term in a segment: for each matching chunk, the gap to the previous one as a varint, then the
// impact. Two to three bytes per posting.

import { pinakesError } from '../../model/errors.ts';

export interface PostingWriter {
  /** Must be called in ascending order of chunks. */
  add(chunk: number, impact: number): void;
  /** Returns the postings so far and resets the writer for the next term. */
  flush(): { readonly count: number; readonly bytes: Uint8Array };
}

export function createPostingWriter(): PostingWriter {
  let buffer = new Uint8Array(1024);
  let length = 0;
  let last = -1;
  let count = 0;
  return {
    add(chunk, impact) {
      if (length + MAX_POSTING_BYTES > buffer.length) buffer = grow(buffer);
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
    flush() {
      const flushed = { count, bytes: buffer.slice(0, length) };
      length = 0;
      last = -1;
      count = 0;
      return flushed;
    },
  };
}

/** Size of the longest posting. */
const MAX_POSTING_BYTES = 6;

function grow(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}

export interface PostingArrays {
  readonly chunks: Uint32Array;
  readonly impacts: Uint8Array;
}

export interface DecodedPostings extends PostingArrays {
  /** Number of postings; the arrays may be longer. */
  readonly count: number;
}

/** A posting is two bytes at least, so there are no more than so many. */
export function maxPostings(bytes: Uint8Array): number {
  return bytes.length >>> 1;
}

/** Throws on truncated bytes: an error, never a wrong result. */
export function decodePostings(bytes: Uint8Array): DecodedPostings {
  const size = maxPostings(bytes);
  const arrays = { chunks: new Uint32Array(size), impacts: new Uint8Array(size) };
  return { ...arrays, count: decodePostingsInto(arrays, 0, bytes) };
}

/** Writes the postings to the arrays from index `first` on; returns the index after the last. */
export function decodePostingsInto({ chunks, impacts }: PostingArrays, first: number, bytes: Uint8Array): number {
  const { length } = bytes;
  let chunk = -1;
  let next = first;
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
    if (at >= length) throw pinakesError('internal', { reason: 'corrupt postings in the search index' });
    chunk += step + 1;
    chunks[next] = chunk;
    impacts[next] = bytes[at] ?? 0;
    next += 1;
    at += 1;
  }
  return next;
}

export function readPostings(bytes: Uint8Array, each: (chunk: number, impact: number) => void): void {
  const { chunks, impacts, count } = decodePostings(bytes);
  for (let at = 0; at < count; at += 1) each(chunks[at] ?? 0, impacts[at] ?? 0);
}
