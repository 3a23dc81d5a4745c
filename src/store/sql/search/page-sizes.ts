// Packs the number of chunks of each page of a segment into bytes.

import { pageStartsOf } from '../../../core/lexical/segment/segment.ts';

/** 16 bits per page: no page has more than 2,000 chunks. */
export function packSizes(sizes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(sizes.length * 2);
  sizes.forEach((size, at) => {
    bytes[at * 2] = size & 255;
    bytes[at * 2 + 1] = size >>> 8;
  });
  return bytes;
}

export function unpackSizes(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, at) => (bytes[at * 2] ?? 0) | ((bytes[at * 2 + 1] ?? 0) << 8));
}

export function unpackStarts(bytes: Uint8Array): Uint32Array {
  return pageStartsOf(unpackSizes(bytes));
}
