// Many lists of bytes that grow side by side in a few blocks. Each list is a chain of slices that grow as it does, so that
// hundreds of thousands of short lists cost little more than their bytes. A full block is followed by another one: nothing
// is ever copied.

import { grownNumbers } from '../tokenize/grow-array.ts';

export interface ByteChains {
  /** Adds a byte to the end of a list; lists are numbered from 0. */
  write(chain: number, byte: number): void;
  /** Seven bits a byte, low bits first. */
  writeNumber(chain: number, number: number): void;
  /** Bytes in a list. */
  size(chain: number): number;
  /** Gives the bytes of a list one by one; it must not be asked for more than there are. */
  reader(chain: number): () => number;
}

/** Bytes of data in a slice, before the four that point to the next one. */
const SLICE_BYTES: readonly number[] = [5, 12, 28, 60, 124, 252];
const POINTER = 4;

/** An offset is the number of a block and the place in it. No slice lies in two blocks. */
const BLOCK_BITS = 16;
const BLOCK_BYTES = 2 ** BLOCK_BITS;
const IN_BLOCK = BLOCK_BYTES - 1;

/** What is known of a list, side by side in one array. */
const FIELDS = 5;
const START = 0;
const AT = 1;
const END = 2;
const LEVEL = 3;
const SIZE = 4;

export function createByteChains(): ByteChains {
  const { newSlice, blockAt } = createBlocks();
  let chains = new Uint32Array(1024 * FIELDS);

  function begin(chain: number): void {
    while (chain + FIELDS > chains.length) chains = grownNumbers(chains);
    if (chains[chain + SIZE] !== 0) return;
    const start = newSlice(0);
    chains[chain + START] = start;
    chains[chain + AT] = start;
    chains[chain + END] = start + (SLICE_BYTES[0] ?? 0);
  }

  function nextSlice(chain: number, at: number): number {
    const level = Math.min((chains[chain + LEVEL] ?? 0) + 1, SLICE_BYTES.length - 1);
    const next = newSlice(level);
    writePointer(blockAt(at), at & IN_BLOCK, next);
    chains[chain + LEVEL] = level;
    chains[chain + END] = next + (SLICE_BYTES[level] ?? 0);
    return next;
  }

  function write(number: number, byte: number): void {
    const chain = number * FIELDS;
    const size = chains[chain + SIZE] ?? 0;
    if (size === 0) begin(chain);
    let at = chains[chain + AT] ?? 0;
    if (at === chains[chain + END]) at = nextSlice(chain, at);
    blockAt(at)[at & IN_BLOCK] = byte;
    chains[chain + AT] = at + 1;
    chains[chain + SIZE] = size + 1;
  }

  return {
    write,
    writeNumber(chain, number) {
      let rest = number;
      while (rest > 127) {
        write(chain, (rest & 127) | 128);
        rest >>>= 7;
      }
      write(chain, rest);
    },
    size: (number) => chains[number * FIELDS + SIZE] ?? 0,
    reader(number) {
      let at = chains[number * FIELDS + START] ?? 0;
      let block = blockAt(at);
      let level = 0;
      let end = at + (SLICE_BYTES[0] ?? 0);
      return () => {
        if (at === end) {
          at = readPointer(block, at & IN_BLOCK);
          block = blockAt(at);
          level = Math.min(level + 1, SLICE_BYTES.length - 1);
          end = at + (SLICE_BYTES[level] ?? 0);
        }
        at += 1;
        return block[(at - 1) & IN_BLOCK] ?? 0;
      };
    },
  };
}

interface Blocks {
  /** Where a slice of this level begins. */
  readonly newSlice: (level: number) => number;
  readonly blockAt: (offset: number) => Uint8Array;
}

function createBlocks(): Blocks {
  const blocks: Uint8Array[] = [new Uint8Array(BLOCK_BYTES)];
  let used = 0;
  return {
    newSlice(level) {
      const size = (SLICE_BYTES[level] ?? 0) + POINTER;
      if ((used & IN_BLOCK) + size > BLOCK_BYTES) used = blocks.length * BLOCK_BYTES;
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
  for (let nth = 0; nth < POINTER; nth += 1) block[at + nth] = pointer >>> (nth * 8);
}

function readPointer(block: Uint8Array, at: number): number {
  let pointer = 0;
  for (let nth = 0; nth < POINTER; nth += 1) pointer += (block[at + nth] ?? 0) * 2 ** (nth * 8);
  return pointer;
}
