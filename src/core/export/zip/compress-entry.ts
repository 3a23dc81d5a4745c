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
  const compressor = createTextCompressor();
  for (const text of data) compressor.add(text);
  return compressor.end();
}

export interface TextCompressor {
  add(text: string): void;
  end(): CompressedEntry;
}

/** Splits the text at fixed lengths, so that the archive does not depend on how the text was generated. */
export function createTextCompressor(): TextCompressor {
  const encoder = new TextEncoder();
  let pending: string[] = [];
  let length = 0;
  let stream: PartCompressor | null = null;
  return {
    add(text) {
      pending.push(text);
      length += text.length;
      if (length <= PART_CHARS) return;
      stream ??= createPartCompressor();
      const whole = pending.join('');
      let at = 0;
      for (let end = partEnd(whole, at); end < whole.length; end = partEnd(whole, at)) {
        stream.add(encoder.encode(whole.slice(at, end)));
        at = end;
      }
      pending = [whole.slice(at)];
      length = whole.length - at;
    },
    end() {
      const rest = encoder.encode(pending.join(''));
      if (stream === null) return compressBytes(rest);
      stream.add(rest);
      return stream.end();
    },
  };
}

function compressBytes(bytes: Uint8Array): CompressedEntry {
  const crc = createCrc32();
  crc.add(bytes);
  const compressed = deflateSync(bytes, { level: LEVEL });
  return { parts: [compressed], compressedSize: compressed.byteLength, size: bytes.byteLength, crc: crc.value() };
}

interface PartCompressor {
  add(bytes: Uint8Array): void;
  end(): CompressedEntry;
}

function createPartCompressor(): PartCompressor {
  const parts: Uint8Array[] = [];
  const crc = createCrc32();
  let compressedSize = 0;
  let size = 0;
  const deflate = new Deflate({ level: LEVEL, mem: 6 }, (part) => {
    compressedSize += part.byteLength;
    parts.push(part);
  });
  return {
    add(bytes) {
      crc.add(bytes);
      size += bytes.byteLength;
      deflate.push(bytes);
    },
    end() {
      deflate.push(new Uint8Array(), true);
      return { parts, compressedSize, size, crc: crc.value() };
    },
  };
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
