// Writes a zip archive entry by entry. The same entries give the same bytes on every machine: no clock, no time zone, no
// names of systems. Sizes stand in front of the data, so that any reader can take it as it comes.

import { pinakesError } from '../../model/errors.ts';
import { packed, type Packed } from './compress-entry.ts';
import { joined } from '../join-bytes.ts';

export interface ZipWriter {
  /** Returns the bytes that come next in the archive. */
  entry(name: string, data: Uint8Array | Iterable<string>): readonly Uint8Array[];
  /** The table of contents; nothing can be added after it. */
  end(): Uint8Array;
}

/** What the format can count without its 64-bit extension, which not every reader has. */
const MOST_ENTRIES = 0xfffe;
const MOST_BYTES = 0xffff_fffe;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the first day of the format. */
const DATE = 0x0021;

export function createZipWriter(): ZipWriter {
  // In one piece: tens of thousands of small arrays would take ten times the memory of their bytes.
  let directory = new Uint8Array(4096);
  let size = 0;
  let entries = 0;
  let written = 0;

  function list(header: Uint8Array): void {
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
      const facts = { ...packed(data), name: nameBytes };
      const head = localHeader(facts);
      list(centralHeader(facts, written));
      written += head.byteLength + facts.packedSize;
      if (entries > MOST_ENTRIES || written > MOST_BYTES) throw pinakesError('export.too-large', {});
      return [head, ...facts.pieces];
    },
    end() {
      const end = new DataView(new ArrayBuffer(22));
      end.setUint32(0, END, true);
      end.setUint16(8, entries, true);
      end.setUint16(10, entries, true);
      end.setUint32(12, size, true);
      end.setUint32(16, written, true);
      return joined([directory.subarray(0, size), new Uint8Array(end.buffer)]);
    },
  };
}

interface EntryFacts extends Packed {
  readonly name: Uint8Array;
}

function localHeader(facts: EntryFacts): Uint8Array {
  const head = new DataView(new ArrayBuffer(30));
  head.setUint32(0, LOCAL, true);
  head.setUint16(4, VERSION, true);
  writeFacts(head, 6, facts);
  return joined([new Uint8Array(head.buffer), facts.name]);
}

function centralHeader(facts: EntryFacts, offset: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(46));
  head.setUint32(0, CENTRAL, true);
  head.setUint16(4, VERSION, true);
  head.setUint16(6, VERSION, true);
  writeFacts(head, 8, facts);
  head.setUint32(42, offset, true);
  return joined([new Uint8Array(head.buffer), facts.name]);
}

/** From the flags to the length of the name: the same in both headers. */
function writeFacts(head: DataView, at: number, { crc, packedSize, size, name }: EntryFacts): void {
  head.setUint16(at, NAMES_ARE_UTF8, true);
  head.setUint16(at + 2, DEFLATED, true);
  head.setUint16(at + 6, DATE, true);
  head.setUint32(at + 8, crc, true);
  head.setUint32(at + 12, packedSize, true);
  head.setUint32(at + 16, size, true);
  head.setUint16(at + 20, name.byteLength, true);
}
