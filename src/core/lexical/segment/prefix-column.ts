// A column of texts that are looked up by their beginning: the texts sorted by their bytes, each with the chunks that have it. A
// search compares bytes in place and decodes no text.

import { createPostingWriter, readPostings, type PostingWriter } from './postings.ts';

/** Bytes of a number in the head: how many texts there are, then where each of them ends, then where the runs of each end. */
const NUMBER_BYTES = 4;

/** Chunks in ascending order. */
export function encodePrefixColumn(chunksByText: ReadonlyMap<string, readonly number[]>): Uint8Array {
  const encoder = new TextEncoder();
  const entries = Array.from(chunksByText, ([text, chunks]) => ({ text: encoder.encode(text), chunks }));
  entries.sort((left, right) => compareBytes(left.text, right.text));
  const writer = createPostingWriter();
  const runs = entries.map(({ chunks }) => writeRuns(writer, chunks));
  const headBytes = NUMBER_BYTES * (1 + 2 * entries.length);
  const textBytes = entries.reduce((total, { text }) => total + text.length, 0);
  const runBytes = runs.reduce((total, { length }) => total + length, 0);
  const bytes = new Uint8Array(headBytes + textBytes + runBytes);
  const head = new DataView(bytes.buffer);
  head.setUint32(0, entries.length, true);
  let textEnd = headBytes;
  let runEnd = headBytes + textBytes;
  entries.forEach(({ text }, nth) => {
    bytes.set(text, textEnd);
    bytes.set(runs[nth] ?? NO_BYTES, runEnd);
    textEnd += text.length;
    runEnd += runs[nth]?.length ?? 0;
    head.setUint32(NUMBER_BYTES * (1 + nth), textEnd, true);
    head.setUint32(NUMBER_BYTES * (1 + entries.length + nth), runEnd, true);
  });
  return bytes;
}

const NO_BYTES = new Uint8Array();
/** What a posting has room for. */
const MAX_RUN = 255;

/** Runs of consecutive chunks as postings: the first chunk, and the length instead of an impact. */
function writeRuns(writer: PostingWriter, chunks: readonly number[]): Uint8Array {
  for (let at = 0; at < chunks.length;) {
    const first = chunks[at] ?? 0;
    let size = 1;
    while (size < MAX_RUN && chunks[at + size] === first + size) size += 1;
    writer.add(first, size);
    at += size;
  }
  return writer.flush().bytes;
}

/** Calls with each run of chunks whose text starts with the prefix; runs of different texts may overlap. */
export function chunksStartingWith(
  column: Uint8Array,
  prefix: string,
  onRun: (from: number, to: number) => void,
): void {
  if (column.length === 0) return;
  const head = new DataView(column.buffer, column.byteOffset, column.byteLength);
  const count = head.getUint32(0, true);
  const headBytes = NUMBER_BYTES * (1 + 2 * count);
  const numberAt = (nth: number): number => head.getUint32(NUMBER_BYTES * nth, true);
  const textAt = (nth: number): Uint8Array => column.subarray(nth === 0 ? headBytes : numberAt(nth), numberAt(nth + 1));
  // The runs of the first text start where the last text ends.
  const runsOf = (nth: number): Uint8Array => column.subarray(numberAt(count + nth), numberAt(count + nth + 1));
  const wanted = new TextEncoder().encode(prefix);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(textAt(middle), wanted) < 0) low = middle + 1;
    else high = middle;
  }
  for (let nth = low; nth < count && startsWith(textAt(nth), wanted); nth += 1)
    readPostings(runsOf(nth), (first, size) => onRun(first, first + size));
}

function startsWith(text: Uint8Array, prefix: Uint8Array): boolean {
  return text.length >= prefix.length && compareBytes(text.subarray(0, prefix.length), prefix) === 0;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
