// Many lists of bytes that grow side by side, in one array. Each list is a chain of slices that grow as it does, so that
// hundreds of thousands of short lists cost little more than their bytes.

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

/** What is known of a list, side by side in one array. */
const FIELDS = 5;
const START = 0;
const AT = 1;
const END = 2;
const LEVEL = 3;
const SIZE = 4;

export function createByteChains(): ByteChains {
  let bytes = new Uint8Array(65_536);
  let view = new DataView(bytes.buffer);
  let used = 0;
  let chains = new Uint32Array(1024 * FIELDS);

  function newSlice(level: number): number {
    const start = used;
    used += (SLICE_BYTES[level] ?? 0) + POINTER;
    if (used > bytes.length) {
      bytes = grownBytes(bytes, used);
      view = new DataView(bytes.buffer);
    }
    return start;
  }

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
    view.setUint32(at, next);
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
    bytes[at] = byte;
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
      let level = 0;
      let end = at + (SLICE_BYTES[0] ?? 0);
      return () => {
        if (at === end) {
          at = view.getUint32(at);
          level = Math.min(level + 1, SLICE_BYTES.length - 1);
          end = at + (SLICE_BYTES[level] ?? 0);
        }
        at += 1;
        return bytes[at - 1] ?? 0;
      };
    },
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
