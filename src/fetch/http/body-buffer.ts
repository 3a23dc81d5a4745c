// Collects the body of a response as it arrives. A server chooses the size of its HTTP chunks: an object for each of them
// costs more than a hundred bytes, so pieces are copied into a few large blocks, and a body in tiny pieces is refused.

import { Buffer } from 'node:buffer';

export interface BodyBuffer {
  /** False if the server sends the body in pieces that are far too small. */
  add(piece: Uint8Array): boolean;
  /** Everything so far, in memory that it owns, so that it can be transferred to a thread without a copy. Leaves nothing. */
  take(): Uint8Array;
}

const FIRST_BLOCK_BYTES = 16_384;
const MAX_BLOCK_BYTES = 1_048_576;
/** Servers that flush often send lines or parts of lines. Parsing a piece takes about a microsecond, whatever its size. */
const MIN_MEAN_PIECE_BYTES = 16;
/** So many are accepted of any size. */
const MAX_TINY_PIECES = 4096;

export function createBodyBuffer(): BodyBuffer {
  const full: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  let length = 0;
  let pieces = 0;

  /** As large as everything before, so that there are few blocks and little of the last one is wasted. */
  const nextBlock = (): void => {
    if (block.length > 0) full.push(block);
    block = Buffer.allocUnsafeSlow(Math.min(Math.max(length, FIRST_BLOCK_BYTES), MAX_BLOCK_BYTES));
    used = 0;
  };

  return {
    add(piece) {
      pieces += 1;
      for (let at = 0; at < piece.length;) {
        if (used === block.length) nextBlock();
        const part = piece.subarray(at, at + block.length - used);
        block.set(part, used);
        used += part.length;
        length += part.length;
        at += part.length;
      }
      return pieces <= MAX_TINY_PIECES || length >= pieces * MIN_MEAN_PIECE_BYTES;
    },
    take() {
      const whole = Buffer.allocUnsafeSlow(length);
      let at = 0;
      for (const one of full) at += one.copy(whole, at);
      block.copy(whole, at, 0, used);
      full.length = 0;
      block = Buffer.alloc(0);
      used = 0;
      length = 0;
      return whole;
    },
  };
}
