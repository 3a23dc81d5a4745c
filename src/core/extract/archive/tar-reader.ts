// Reads a tar archive as it arrives: regular files only, with names checked as in any other archive. Long names in both common
// forms are supported; links, devices and everything else are refused. Only wanted files are held in memory.

import { pinakesError } from '../../model/errors.ts';
import { entryVerdict, type EntryRefusal } from './entry-verdict.ts';

export type TarItem =
  | { readonly kind: 'file'; readonly path: string; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: EntryRefusal | 'too-large' };

export interface TarOptions {
  /** For errors. */
  readonly name: string;
  readonly maxFileBytes: number;
  readonly maxEntries: number;
  readonly isWanted?: (path: string) => boolean;
  readonly onItem: (item: TarItem) => void;
}

export interface TarReader {
  /** Throws `extract.malformed` for what is not a tar archive. */
  push(bytes: Uint8Array): void;
  /** Throws `extract.malformed` for an incomplete archive. */
  end(): void;
  /** The archive's global comment: git writes the id of the commit. */
  comment(): string | null;
}

const BLOCK_BYTES = 512;
const UNIX = 3;
const MODE_OF_TYPE: Readonly<Record<string, number>> = { '0': 0o100000, '\0': 0o100000, '2': 0o120000, '5': 0o040000 };
const SPECIAL_FILE = 0o010000;
const MAX_EXTENDED_BYTES = 65_536;

interface TarState {
  readonly block: Uint8Array;
  blockBytes: number;
  /** Remaining bytes of the current entry, and of the padding after it. */
  bodyBytes: number;
  paddingBytes: number;
  /** Buffer for the body of the current entry; null if the entry is skipped. */
  body: Uint8Array | null;
  filled: number;
  finish: ((body: Uint8Array) => void) | null;
  longName: string | null;
  comment: string | null;
  entries: number;
  isOver: boolean;
}

export function createTarReader(options: TarOptions): TarReader {
  const state: TarState = {
    block: new Uint8Array(BLOCK_BYTES),
    blockBytes: 0,
    bodyBytes: 0,
    paddingBytes: 0,
    body: null,
    filled: 0,
    finish: null,
    longName: null,
    comment: null,
    entries: 0,
    isOver: false,
  };
  return {
    push(bytes) {
      for (let at = 0; at < bytes.length && !state.isOver;) at += takeBytes(bytes.subarray(at), state, options);
    },
    end() {
      if (!state.isOver && state.bodyBytes > 0) throw malformed(options.name);
    },
    comment: () => state.comment,
  };
}

/** Returns the number of bytes consumed. */
function takeBytes(bytes: Uint8Array, state: TarState, options: TarOptions): number {
  if (state.bodyBytes > 0) {
    const part = bytes.subarray(0, state.bodyBytes);
    if (state.body !== null) {
      const taken = part.subarray(0, state.body.length - state.filled);
      state.body.set(taken, state.filled);
      state.filled += taken.length;
    }
    state.bodyBytes -= part.length;
    if (state.bodyBytes === 0) finishEntry(state);
    return part.length;
  }
  if (state.paddingBytes > 0) {
    const skipped = Math.min(bytes.length, state.paddingBytes);
    state.paddingBytes -= skipped;
    return skipped;
  }
  const part = bytes.subarray(0, BLOCK_BYTES - state.blockBytes);
  state.block.set(part, state.blockBytes);
  state.blockBytes += part.length;
  if (state.blockBytes === BLOCK_BYTES) {
    state.blockBytes = 0;
    startEntry(state, options);
  }
  return part.length;
}

function startEntry(state: TarState, options: TarOptions): void {
  const header = parseTarHeader(state.block);
  if (header === 'end') {
    state.isOver = true;
    return;
  }
  if (header === null) throw malformed(options.name);
  state.bodyBytes = header.size;
  state.paddingBytes = (BLOCK_BYTES - (header.size % BLOCK_BYTES)) % BLOCK_BYTES;
  state.filled = 0;
  if ('LxgK'.includes(header.type)) {
    state.body = new Uint8Array(Math.min(header.size, MAX_EXTENDED_BYTES));
    state.finish = (body) => readExtended(header, body, state);
  } else startFile(header, state, options);
  if (state.bodyBytes === 0) finishEntry(state);
}

function startFile(header: TarHeader, state: TarState, options: TarOptions): void {
  const name = state.longName ?? header.name;
  state.longName = null;
  // The folder that was packed, as `tar -c .` lists it.
  if (/^\.\/*$/.test(name)) return;
  state.entries += 1;
  if (state.entries > options.maxEntries) throw malformed(`${options.name} with more than ${options.maxEntries} files`);
  const verdict = entryVerdict({
    name: name.replace(/^(?:\.\/)+/, ''),
    method: 'stored',
    isEncrypted: false,
    hostSystem: UNIX,
    unixMode: MODE_OF_TYPE[header.type] ?? SPECIAL_FILE,
    packed: { start: 0, end: header.size },
  });
  if (!verdict.admit) return options.onItem({ kind: 'refused', name, reason: verdict.reason });
  const { path } = verdict;
  if (options.isWanted?.(path) === false) return;
  if (header.size > options.maxFileBytes) return options.onItem({ kind: 'refused', name, reason: 'too-large' });
  state.body = new Uint8Array(header.size);
  state.finish = (body) => options.onItem({ kind: 'file', path, body });
}

function finishEntry(state: TarState): void {
  const { finish, body } = state;
  state.finish = null;
  state.body = null;
  finish?.(body ?? new Uint8Array());
}

/** Headers of type `L` and `x` name the next entry; one of type `g` is about the archive. */
function readExtended({ type }: TarHeader, body: Uint8Array, state: TarState): void {
  const text = new TextDecoder().decode(body);
  if (type === 'L') state.longName = text.replace(/\0+$/, '');
  if (type === 'x') state.longName = recordOf(text, 'path') ?? state.longName;
  if (type === 'g') state.comment = recordOf(text, 'comment') ?? state.comment;
}

/** Records have the form `length key=value`. */
function recordOf(text: string, key: string): string | null {
  const record = text.split('\n').find((line) => /^\d{1,6} /.test(line) && line.includes(` ${key}=`));
  return record === undefined || record.indexOf(' ') !== record.indexOf(` ${key}=`)
    ? null
    : record.slice(record.indexOf('=') + 1);
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
