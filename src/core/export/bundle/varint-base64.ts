// Integer lists as text: varints (seven bits per byte, low bits first) in base64.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128).fill(255);
for (let at = 0; at < 64; at += 1) VALUES[ALPHABET.charCodeAt(at)] = at;
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));

export interface VarintWriter {
  add(number: number): void;
  /** The text of what was added since the last flush; up to two bytes stay pending. */
  flush(): string;
  pendingBytes(): number;
  /** The text of all pending bytes. */
  end(): string;
}

/** Takes integers of up to 32 bits one by one, so a long list is never held in memory. */
export function createVarintWriter(): VarintWriter {
  let bytes = new Uint8Array(4096);
  let size = 0;
  return {
    add(number) {
      if (size + MAX_VARINT_BYTES > bytes.length) bytes = grow(bytes);
      let rest = number;
      while (rest > 127) {
        bytes[size] = (rest & 127) | 128;
        rest >>>= 7;
        size += 1;
      }
      bytes[size] = rest;
      size += 1;
    },
    flush() {
      const whole = size - (size % 3);
      const text = toBase64(bytes.subarray(0, whole));
      bytes.copyWithin(0, whole, size);
      size -= whole;
      return text;
    },
    pendingBytes: () => size,
    end: () => toBase64(bytes.subarray(0, size)),
  };
}

/** Size of the largest 32-bit integer. */
const MAX_VARINT_BYTES = 5;

function grow(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.ceil(bytes.length * 1.5));
  larger.set(bytes);
  return larger;
}

export function writeVarints(numbers: Uint32Array | readonly number[]): string {
  const writer = createVarintWriter();
  for (const number of numbers) writer.add(number);
  return writer.end();
}

export function readVarints(text: string): Uint32Array {
  const bytes = fromBase64(text);
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let number = 0;
  let shift = 0;
  for (const byte of bytes) {
    number += (byte & 127) * 2 ** shift;
    shift += 7;
    if (byte < 128) {
      numbers[count] = number;
      count += 1;
      number = 0;
      shift = 0;
    }
  }
  return numbers.slice(0, count);
}

/** Without padding. Not `btoa`, which takes a binary string, nor `Uint8Array.toBase64`, which is too new. */
function toBase64(bytes: Uint8Array): string {
  // Collected as bytes: appending to a string one character at a time takes thirty times the memory.
  const letters = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  let size = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const triple = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const count = Math.min(4, bytes.length - at + 1);
    for (let nth = 0; nth < count; nth += 1) letters[size + nth] = CODES[(triple >>> (18 - 6 * nth)) & 63] ?? 0;
    size += count;
  }
  return new TextDecoder().decode(letters);
}

function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  const bits = (at: number): number => VALUES[text.charCodeAt(at)] ?? 0;
  let size = 0;
  for (let at = 0; at < text.length; at += 4) {
    const quad = (bits(at) << 18) | (bits(at + 1) << 12) | (bits(at + 2) << 6) | bits(at + 3);
    for (let shift = 16; shift >= 0 && size < bytes.length; shift -= 8) {
      bytes[size] = (quad >>> shift) & 255;
      size += 1;
    }
  }
  return bytes;
}
