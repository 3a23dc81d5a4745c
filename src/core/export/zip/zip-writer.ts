// Writes a zip archive entry by entry. Deterministic: no clock, no time zone, no system names. Sizes precede the data, so that
// any reader can process it as a stream.

import { compressEntry, type CompressedEntry } from './compress-entry.ts';
import { pinakesError } from '../../model/errors.ts';

export interface ZipWriter {
  /** Returns the bytes that come next in the archive. */
  entry(name: string, data: Uint8Array | Iterable<string>): readonly Uint8Array[];
  /** The central directory; nothing can be added after it. */
  end(): Uint8Array;
}

/** Limits of the format without its 64-bit extension, which not every reader supports. */
const MAX_ENTRIES = 0xfffe;
const MAX_ARCHIVE_BYTES = 0xffff_fffe;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the earliest date of the format. */
const DATE = 0x0021;

export function createZipWriter(): ZipWriter {
  // A single growing array: tens of thousands of small arrays would take ten times the memory of their bytes.
  let directory = new Uint8Array(4096);
  let size = 0;
  let entries = 0;
  let written = 0;

  function addToDirectory(header: Uint8Array): void {
    if (size + header.byteLength > directory.length) {
      const larger = new Uint8Array(Math.max(size + header.byteLength, directory.length * 2));
      larger.set(directory);
      directory = larger;
    }
    directory.set(header, size);
    size += header.byteLength;
    entries += 1;
  }

  return {
    entry(name, data) {
      const nameBytes = new TextEncoder().encode(name);
      const header = { ...compressEntry(data), name: nameBytes };
      const head = localHeader(header);
      addToDirectory(centralHeader(header, written));
      written += head.byteLength + header.compressedSize;
      if (entries > MAX_ENTRIES || written > MAX_ARCHIVE_BYTES) throw pinakesError('export.too-large', {});
      return [head, ...header.parts];
    },
    end() {
      const end = new DataView(new ArrayBuffer(22));
      end.setUint32(0, END, true);
      end.setUint16(8, entries, true);
      end.setUint16(10, entries, true);
      end.setUint32(12, size, true);
      end.setUint32(16, written, true);
      return concatBytes([directory.subarray(0, size), new Uint8Array(end.buffer)]);
    },
  };
}

interface EntryHeader extends CompressedEntry {
  readonly name: Uint8Array;
}

function localHeader(header: EntryHeader): Uint8Array {
  const head = new DataView(new ArrayBuffer(30));
  head.setUint32(0, LOCAL, true);
  head.setUint16(4, VERSION, true);
  writeSharedFields(head, 6, header);
  return concatBytes([new Uint8Array(head.buffer), header.name]);
}

function centralHeader(header: EntryHeader, offset: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(46));
  head.setUint32(0, CENTRAL, true);
  head.setUint16(4, VERSION, true);
  head.setUint16(6, VERSION, true);
  writeSharedFields(head, 8, header);
  head.setUint32(42, offset, true);
  return concatBytes([new Uint8Array(head.buffer), header.name]);
}

/** From the flags to the length of the name: identical in both headers. */
function writeSharedFields(head: DataView, at: number, { crc, compressedSize, size, name }: EntryHeader): void {
  head.setUint16(at, NAMES_ARE_UTF8, true);
  head.setUint16(at + 2, DEFLATED, true);
  head.setUint16(at + 6, DATE, true);
  head.setUint32(at + 8, crc, true);
  head.setUint32(at + 12, compressedSize, true);
  head.setUint32(at + 16, size, true);
  head.setUint16(at + 20, name.byteLength, true);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, { byteLength }) => total + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
