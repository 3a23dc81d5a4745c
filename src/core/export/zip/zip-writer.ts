// Writes a zip archive entry by entry. Deterministic: no clock, no time zone, no system names. Sizes precede the data, so that
// any reader can process it as a stream.

import { pinakesError } from '../../model/errors.ts';
import { compressEntry, createTextCompressor, type CompressedEntry } from './compress-entry.ts';
import { centralHeader, concatBytes, endRecords, localHeader } from './zip-records.ts';

export interface ZipWriter {
  /** Returns the bytes that come next in the archive. */
  entry(name: string, data: Uint8Array | Iterable<string>): readonly Uint8Array[];
  /** For a text that is not known at once: the entry is written when it ends. */
  textEntry(name: string): TextEntry;
  /** The central directory; nothing can be added after it. */
  end(): Uint8Array;
}

export interface TextEntry {
  add(text: string): void;
  /** Returns the bytes that come next in the archive. */
  end(): readonly Uint8Array[];
}

/** A bundle of more could not be imported: reading the directory would take too much memory. */
export const MAX_ZIP_ENTRIES = 500_000;

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

  function bytesOf(name: string, compressed: CompressedEntry): readonly Uint8Array[] {
    if (entries === MAX_ZIP_ENTRIES) throw pinakesError('export.too-large', { limit: MAX_ZIP_ENTRIES });
    const header = { ...compressed, name: new TextEncoder().encode(name) };
    const head = localHeader(header);
    addToDirectory(centralHeader(header, written));
    written += head.byteLength + header.compressedSize;
    return [head, ...header.parts];
  }

  return {
    entry: (name, data) => bytesOf(name, compressEntry(data)),
    textEntry(name) {
      const compressor = createTextCompressor();
      return { add: (text) => compressor.add(text), end: () => bytesOf(name, compressor.end()) };
    },
    end: () => concatBytes([directory.subarray(0, size), endRecords({ entries, size, offset: written })]),
  };
}
