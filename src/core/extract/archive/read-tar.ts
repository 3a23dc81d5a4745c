// Reads a tar archive in memory: regular files only, with names checked as in any other archive. Long names in both common
// forms are supported; links, devices and everything else are refused.

import { pinakesError } from '../../model/errors.ts';
import { entryVerdict, type EntryRefusal } from './entry-verdict.ts';

export type TarItem =
  | { readonly kind: 'file'; readonly path: string; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: EntryRefusal | 'too-large' };

export interface TarLimits {
  readonly maxFileBytes: number;
  readonly maxEntries: number;
}

const BLOCK_BYTES = 512;
const UNIX = 3;
const MODE_OF_TYPE: Readonly<Record<string, number>> = { '0': 0o100000, '\0': 0o100000, '2': 0o120000, '5': 0o040000 };
const SPECIAL_FILE = 0o010000;

/** Throws `extract.malformed` for an incomplete archive. Bodies are views of the archive, not copies. */
export function* readTar(archive: Uint8Array, name: string, limits: TarLimits): Generator<TarItem> {
  let longName: string | null = null;
  let entries = 0;
  for (let at = 0; at + BLOCK_BYTES <= archive.byteLength;) {
    const header = parseTarHeader(archive.subarray(at, at + BLOCK_BYTES));
    if (header === 'end') return;
    if (header === null || at + BLOCK_BYTES + header.size > archive.byteLength) throw malformed(name);
    const body = archive.subarray(at + BLOCK_BYTES, at + BLOCK_BYTES + header.size);
    at += BLOCK_BYTES + Math.ceil(header.size / BLOCK_BYTES) * BLOCK_BYTES;
    if ('LxgK'.includes(header.type)) {
      longName = extendedName(header, body) ?? longName;
      continue;
    }
    // The folder that was packed, as `tar -c .` lists it.
    if (/^\.\/*$/.test(longName ?? header.name)) continue;
    entries += 1;
    if (entries > limits.maxEntries) throw malformed(`${name} with more than ${limits.maxEntries} files`);
    yield toItem({ ...header, name: longName ?? header.name }, body, limits);
    longName = null;
  }
}

function toItem(header: TarHeader, body: Uint8Array, limits: TarLimits): TarItem {
  const verdict = entryVerdict({
    name: header.name.replace(/^(?:\.\/)+/, ''),
    method: 'stored',
    isEncrypted: false,
    hostSystem: UNIX,
    unixMode: MODE_OF_TYPE[header.type] ?? SPECIAL_FILE,
    packed: { start: 0, end: header.size },
  });
  if (!verdict.admit) return { kind: 'refused', name: header.name, reason: verdict.reason };
  if (header.size > limits.maxFileBytes) return { kind: 'refused', name: header.name, reason: 'too-large' };
  return { kind: 'file', path: verdict.path, body };
}

/** The name that a header of type `L` or `x` gives to the next entry. */
function extendedName({ type }: TarHeader, body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body.subarray(0, 65_536));
  if (type === 'L') return text.replace(/\0+$/, '');
  if (type !== 'x') return null;
  const record = text.split('\n').find((line) => /^\d{1,6} path=/.test(line));
  return record === undefined ? null : record.slice(record.indexOf('=') + 1);
}

function malformed(name: string): Error {
  return pinakesError('extract.malformed', { url: name, as: 'tar archive' });
}

/** The 512-byte block before each file. */
interface TarHeader {
  readonly name: string;
  readonly size: number;
  /** One character, such as `0` for a file and `2` for a symbolic link. */
  readonly type: string;
}

const CHECKSUM = { at: 148, length: 8 };

/** `end` for a block of zeros; null for a block that is not a header. */
function parseTarHeader(block: Uint8Array): TarHeader | 'end' | null {
  if (block.every((byte) => byte === 0)) return 'end';
  const size = octal(block, 124, 12);
  const checksum = octal(block, CHECKSUM.at, CHECKSUM.length);
  if (size === null || checksum === null || checksum !== checksumOf(block)) return null;
  const prefix = fieldText(block, 257, 5) === 'ustar' ? fieldText(block, 345, 155) : '';
  const name = fieldText(block, 0, 100);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: String.fromCharCode(block[156] ?? 0) };
}

function fieldText(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

function octal(block: Uint8Array, at: number, length: number): number | null {
  const digits = fieldText(block, at, length).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

/** The sum of all bytes, with the checksum field read as spaces. */
function checksumOf(block: Uint8Array): number {
  let sum = 0;
  block.forEach((byte, at) => {
    sum += at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length ? 0x20 : byte;
  });
  return sum;
}
