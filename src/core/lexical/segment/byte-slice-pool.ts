// A pool of growing byte lists, like Lucene's ByteBlockPool. Each list is a chain of slices of increasing size, so hundreds
// of thousands of short lists cost little more than their bytes. Blocks are appended and never copied.

import { growArray } from '../tokenize/grow-array.ts';

export interface ByteSlicePool {
  /** Appends a byte to a list; lists are numbered from 0. */
  write(list: number, byte: number): void;
  /** Seven bits per byte, low bits first. */
  writeVarint(list: number, number: number): void;
  /** Bytes in a list. */
  size(list: number): number;
  /** Returns the bytes of a list one by one; must not be called more often than `size`. */
  reader(list: number): () => number;
}

/** Data bytes of a slice by level, before the four that point to the next slice. */
const SLICE_BYTES: readonly number[] = [5, 12, 28, 60, 124, 252];
const POINTER_BYTES = 4;

/** An offset combines the index of a block and the position inside it. No slice spans two blocks. */
const BLOCK_BITS = 16;
const BLOCK_BYTES = 2 ** BLOCK_BITS;
const BLOCK_MASK = BLOCK_BYTES - 1;

/** The record of a list in one flat array. */
const FIELDS = 5;
const START = 0;
const AT = 1;
const END = 2;
const LEVEL = 3;
const SIZE = 4;

export function createByteSlicePool(): ByteSlicePool {
  const { newSlice, blockAt } = createBlocks();
  let lists = new Uint32Array(1024 * FIELDS);

  function startList(list: number): void {
    while (list + FIELDS > lists.length) lists = growArray(lists);
    if (lists[list + SIZE] !== 0) return;
    const start = newSlice(0);
    lists[list + START] = start;
    lists[list + AT] = start;
    lists[list + END] = start + (SLICE_BYTES[0] ?? 0);
  }

  function nextSlice(list: number, at: number): number {
    const level = Math.min((lists[list + LEVEL] ?? 0) + 1, SLICE_BYTES.length - 1);
    const next = newSlice(level);
    writePointer(blockAt(at), at & BLOCK_MASK, next);
    lists[list + LEVEL] = level;
    lists[list + END] = next + (SLICE_BYTES[level] ?? 0);
    return next;
  }

  function write(number: number, byte: number): void {
    const list = number * FIELDS;
    const size = lists[list + SIZE] ?? 0;
    if (size === 0) startList(list);
    let at = lists[list + AT] ?? 0;
    if (at === lists[list + END]) at = nextSlice(list, at);
    blockAt(at)[at & BLOCK_MASK] = byte;
    lists[list + AT] = at + 1;
    lists[list + SIZE] = size + 1;
  }

  return {
    write,
    writeVarint(list, number) {
      let rest = number;
      while (rest > 127) {
        write(list, (rest & 127) | 128);
        rest >>>= 7;
      }
      write(list, rest);
    },
    size: (number) => lists[number * FIELDS + SIZE] ?? 0,
    reader(number) {
      let at = lists[number * FIELDS + START] ?? 0;
      let block = blockAt(at);
      let level = 0;
      let end = at + (SLICE_BYTES[0] ?? 0);
      return () => {
        if (at === end) {
          at = readPointer(block, at & BLOCK_MASK);
          block = blockAt(at);
          level = Math.min(level + 1, SLICE_BYTES.length - 1);
          end = at + (SLICE_BYTES[level] ?? 0);
        }
        at += 1;
        return block[(at - 1) & BLOCK_MASK] ?? 0;
      };
    },
  };
}

interface Blocks {
  /** Returns the start of a new slice of this level. */
  readonly newSlice: (level: number) => number;
  readonly blockAt: (offset: number) => Uint8Array;
}

function createBlocks(): Blocks {
  const blocks: Uint8Array[] = [new Uint8Array(BLOCK_BYTES)];
  let used = 0;
  return {
    newSlice(level) {
      const size = (SLICE_BYTES[level] ?? 0) + POINTER_BYTES;
      if ((used & BLOCK_MASK) + size > BLOCK_BYTES) used = blocks.length * BLOCK_BYTES;
      const start = used;
      used += size;
      if (start >>> BLOCK_BITS === blocks.length) blocks.push(new Uint8Array(BLOCK_BYTES));
      return start;
    },
    blockAt: (offset) => blocks[offset >>> BLOCK_BITS] ?? NO_BLOCK,
  };
}

const NO_BLOCK = new Uint8Array();

function writePointer(block: Uint8Array, at: number, pointer: number): void {
  for (let nth = 0; nth < POINTER_BYTES; nth += 1) block[at + nth] = pointer >>> (nth * 8);
}

function readPointer(block: Uint8Array, at: number): number {
  let pointer = 0;
  for (let nth = 0; nth < POINTER_BYTES; nth += 1) pointer += (block[at + nth] ?? 0) * 2 ** (nth * 8);
  return pointer;
}
