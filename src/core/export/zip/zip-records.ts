// The records of a zip archive as bytes. A count, size or offset that does not fit its field is written in the records of
// Zip64; an archive that does without them has none, so that any reader can open it.

import type { CompressedEntry } from './compress-entry.ts';

export interface EntryHeader extends CompressedEntry {
  readonly name: Uint8Array;
}

export interface CentralDirectory {
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
}

/** The highest values mean that the actual ones are in a record of Zip64. */
const IN_ZIP64_16 = 0xffff;
const IN_ZIP64_32 = 0xffff_ffff;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_FIELD = 1;
const VERSION = 20;
const ZIP64_VERSION = 45;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the earliest date of the format. */
const DATE = 0x0021;

export function localHeader(header: EntryHeader): Uint8Array {
  const { size, compressedSize, name } = header;
  // Here, unlike in the directory, both sizes are written or none.
  const isLarge = size >= IN_ZIP64_32 || compressedSize >= IN_ZIP64_32;
  const extra = zip64Field(isLarge ? [size, compressedSize] : []);
  const head = new DataView(new ArrayBuffer(30));
  head.setUint32(0, LOCAL, true);
  head.setUint16(4, versionFor(extra), true);
  writeSharedFields(head, 6, header);
  if (isLarge) head.setUint32(18, IN_ZIP64_32, true);
  if (isLarge) head.setUint32(22, IN_ZIP64_32, true);
  head.setUint16(28, extra.byteLength, true);
  return concatBytes([bytesOf(head), name, extra]);
}

export function centralHeader(header: EntryHeader, offset: number): Uint8Array {
  const large = [header.size, header.compressedSize, offset].filter((value) => value >= IN_ZIP64_32);
  const extra = zip64Field(large);
  const head = new DataView(new ArrayBuffer(46));
  head.setUint32(0, CENTRAL, true);
  head.setUint16(4, versionFor(extra), true);
  head.setUint16(6, versionFor(extra), true);
  writeSharedFields(head, 8, header);
  head.setUint16(30, extra.byteLength, true);
  head.setUint32(42, Math.min(offset, IN_ZIP64_32), true);
  return concatBytes([bytesOf(head), header.name, extra]);
}

/** What follows the directory. */
export function endRecords({ entries, size, offset }: CentralDirectory): Uint8Array {
  const isLarge = entries >= IN_ZIP64_16 || size >= IN_ZIP64_32 || offset >= IN_ZIP64_32;
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, END, true);
  end.setUint16(8, Math.min(entries, IN_ZIP64_16), true);
  end.setUint16(10, Math.min(entries, IN_ZIP64_16), true);
  end.setUint32(12, Math.min(size, IN_ZIP64_32), true);
  end.setUint32(16, Math.min(offset, IN_ZIP64_32), true);
  return isLarge ? concatBytes([zip64EndRecords({ entries, size, offset }), bytesOf(end)]) : bytesOf(end);
}

function zip64EndRecords({ entries, size, offset }: CentralDirectory): Uint8Array {
  const records = new DataView(new ArrayBuffer(56 + 20));
  records.setUint32(0, ZIP64_END, true);
  // The size of what follows in this record.
  setUint64(records, 4, 56 - 12);
  records.setUint16(12, ZIP64_VERSION, true);
  records.setUint16(14, ZIP64_VERSION, true);
  setUint64(records, 24, entries);
  setUint64(records, 32, entries);
  setUint64(records, 40, size);
  setUint64(records, 48, offset);
  records.setUint32(56, ZIP64_LOCATOR, true);
  setUint64(records, 56 + 8, offset + size);
  records.setUint32(56 + 16, 1, true);
  return bytesOf(records);
}

/** From the flags to the length of the name: identical in both headers. */
function writeSharedFields(head: DataView, at: number, { crc, compressedSize, size, name }: EntryHeader): void {
  head.setUint16(at, NAMES_ARE_UTF8, true);
  head.setUint16(at + 2, DEFLATED, true);
  head.setUint16(at + 6, DATE, true);
  head.setUint32(at + 8, crc, true);
  head.setUint32(at + 12, Math.min(compressedSize, IN_ZIP64_32), true);
  head.setUint32(at + 16, Math.min(size, IN_ZIP64_32), true);
  head.setUint16(at + 20, name.byteLength, true);
}

function zip64Field(values: readonly number[]): Uint8Array {
  if (values.length === 0) return new Uint8Array();
  const field = new DataView(new ArrayBuffer(4 + values.length * 8));
  field.setUint16(0, ZIP64_FIELD, true);
  field.setUint16(2, values.length * 8, true);
  values.forEach((value, at) => setUint64(field, 4 + at * 8, value));
  return bytesOf(field);
}

function versionFor(zip64: Uint8Array): number {
  return zip64.byteLength === 0 ? VERSION : ZIP64_VERSION;
}

function setUint64(view: DataView, at: number, value: number): void {
  view.setBigUint64(at, BigInt(value), true);
}

function bytesOf({ buffer }: DataView): Uint8Array {
  return new Uint8Array(buffer);
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
