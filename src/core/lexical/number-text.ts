// Lists of whole numbers as text: seven bits a byte, low bits first, in base64.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128).fill(255);
for (let at = 0; at < 64; at += 1) VALUES[ALPHABET.charCodeAt(at)] = at;
/** Characters joined at a time; a multiple of four. */
const BLOCK = 32_768;

export function writeNumbers(numbers: Uint32Array | readonly number[]): string {
  const bytes = new Uint8Array(numbers.length * 5);
  let size = 0;
  for (const number of numbers) {
    let rest = number;
    while (rest > 127) {
      bytes[size] = (rest & 127) | 128;
      rest >>>= 7;
      size += 1;
    }
    bytes[size] = rest;
    size += 1;
  }
  return toBase64(bytes.subarray(0, size));
}

export function readNumbers(text: string): Uint32Array {
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

/** Without padding. Not `btoa`: it takes a string of bytes, and `Uint8Array.toBase64` is too new. */
function toBase64(bytes: Uint8Array): string {
  const blocks: string[] = [];
  let block = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const triple = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    block += ALPHABET.charAt(triple >>> 18) + ALPHABET.charAt((triple >>> 12) & 63);
    if (at + 1 < bytes.length) block += ALPHABET.charAt((triple >>> 6) & 63);
    if (at + 2 < bytes.length) block += ALPHABET.charAt(triple & 63);
    if (block.length < BLOCK) continue;
    blocks.push(block);
    block = '';
  }
  blocks.push(block);
  return blocks.join('');
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
