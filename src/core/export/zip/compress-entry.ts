// Compresses the data of one archive entry. A long text is encoded and compressed in parts: as a whole it would be in memory
// four times. Parts have a fixed size, so the result is deterministic.

import { Deflate, deflateSync } from 'fflate';

export interface CompressedEntry {
  readonly parts: readonly Uint8Array[];
  readonly compressedSize: number;
  readonly size: number;
  readonly crc: number;
}

const LEVEL = 6;
const PART_CHARS = 65_536;

/** A text may be given in parts of any size. */
export function compressEntry(data: Uint8Array | Iterable<string>): CompressedEntry {
  if (data instanceof Uint8Array) return compressBytes(data);
  const parts = fixedSizeParts(data);
  const first = parts.next().value ?? '';
  const second = parts.next().value ?? '';
  const encoder = new TextEncoder();
  if (second === '') return compressBytes(encoder.encode(first));
  return compressText([first, second], parts);
}

function compressBytes(bytes: Uint8Array): CompressedEntry {
  const crc = createCrc32();
  crc.add(bytes);
  const compressed = deflateSync(bytes, { level: LEVEL });
  return { parts: [compressed], compressedSize: compressed.byteLength, size: bytes.byteLength, crc: crc.value() };
}

function compressText(first: readonly string[], rest: Iterable<string>): CompressedEntry {
  const parts: Uint8Array[] = [];
  const crc = createCrc32();
  const encoder = new TextEncoder();
  let compressedSize = 0;
  let size = 0;
  const deflate = new Deflate({ level: LEVEL, mem: 6 }, (part) => {
    compressedSize += part.byteLength;
    parts.push(part);
  });
  const add = (text: string): void => {
    const bytes = encoder.encode(text);
    crc.add(bytes);
    size += bytes.byteLength;
    deflate.push(bytes);
  };
  for (const text of first) add(text);
  for (const text of rest) add(text);
  deflate.push(new Uint8Array(), true);
  return { parts, compressedSize, size, crc: crc.value() };
}

/** Splits the text at fixed lengths, so that the archive does not depend on how the text was generated. */
function* fixedSizeParts(texts: Iterable<string>): Generator<string, undefined> {
  let pending: string[] = [];
  let length = 0;
  for (const text of texts) {
    pending.push(text);
    length += text.length;
    if (length <= PART_CHARS) continue;
    const whole = pending.join('');
    let at = 0;
    for (let end = partEnd(whole, at); end < whole.length; end = partEnd(whole, at)) {
      yield whole.slice(at, end);
      at = end;
    }
    pending = [whole.slice(at)];
    length = whole.length - at;
  }
  if (length > 0) yield pending.join('');
}

/** Never splits a surrogate pair. */
function partEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + PART_CHARS);
  const isHalf = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isHalf ? end + 1 : end;
}

/** Table of CRC-32, the checksum of zip archives. */
const TABLE = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

interface Crc32 {
  add(bytes: Uint8Array): void;
  value(): number;
}

function createCrc32(): Crc32 {
  let crc = 0xffffffff;
  return {
    add(bytes) {
      for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 255] ?? 0);
    },
    value: () => (crc ^ 0xffffffff) >>> 0,
  };
}
