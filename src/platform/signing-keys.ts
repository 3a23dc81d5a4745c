// The file with the keys that sign requests (Web Bot Auth): reading it, creating it and rotating its keys. A private key leaves this file
// only as a key object, which no log, error or JSON text reveals.

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { pinakesError } from '../core/model/errors.ts';
import { systemReason } from './data-directory.ts';

export interface SigningKey {
  /** The JWK thumbprint of the public key (RFC 7638). */
  readonly keyId: string;
  /** The public key, in base64url. */
  readonly x: string;
  readonly privateKey: KeyObject;
  /** In milliseconds since 1970. */
  readonly signsFrom: number;
  /** Until when verifiers find it in the key directory; null if it has no successor. */
  readonly publishedUntil: number | null;
}

interface KeyEntry {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
  readonly signsFrom: string;
  readonly publishedUntil: string | null;
}

export interface RotationOptions {
  readonly now: number;
  /** How long a new key is published before it signs, and the last one after it signed. */
  readonly overlapMs: number;
  /** The keys so far are compromised: the new one replaces them now. */
  readonly revokes: boolean;
}

const MAX_FILE_BYTES = 65_536;
const MAX_KEYS = 32;
const KEY_TEXT = /^[\w-]{43}$/;
/** Group may read it, as containers mount secrets; others may do nothing. */
const FORBIDDEN_MODE = 0o027;

/** Raises `signing.unusable`, which never quotes the file. */
export function readSigningKeys(path: string): readonly SigningKey[] {
  return parseKeys(path, readKeyFile(path)).map((entry) => keyOf(entry, path));
}

/** The key that signs at a time; null if there is none. */
export function signingKeyAt(keys: readonly SigningKey[], now: number): SigningKey | null {
  const usable = publishedAt(keys, now).filter(({ signsFrom }) => signsFrom <= now);
  return usable.toSorted((a, b) => b.signsFrom - a.signsFrom)[0] ?? null;
}

export function publishedAt(keys: readonly SigningKey[], now: number): readonly SigningKey[] {
  return keys.filter(({ publishedUntil }) => publishedUntil === null || publishedUntil > now);
}

const REREAD_MS = 30_000;

/** The keys of the file, read again after a rotation. A file that becomes unusable leaves the last ones in use. */
export function watchSigningKeys(path: string, now: () => number): () => readonly SigningKey[] {
  let keys = readSigningKeys(path);
  let stamp = stampOf(path);
  let checkedAt = now();
  return () => {
    if (now() - checkedAt < REREAD_MS) return keys;
    checkedAt = now();
    const found = stampOf(path);
    if (found === stamp) return keys;
    stamp = found;
    try {
      keys = readSigningKeys(path);
    } catch {
      // The next change is read again.
    }
    return keys;
  };
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Creates the file with one key, which signs at once. Raises `signing.exists`, or `signing.unusable` if it cannot be written. */
export function generateSigningKeys(path: string, now: number): readonly SigningKey[] {
  writeNew(path, [newEntry(now)]);
  return readSigningKeys(path);
}

/** Adds a key, and removes those that are no longer published. A running process reads the file again by itself. */
export function rotateSigningKeys(path: string, { now, overlapMs, revokes }: RotationOptions): readonly SigningKey[] {
  const target = realPathOf(path);
  // The temporary file is a lock too: a second rotation would lose the key of the first.
  const temporary = `${target}.part`;
  const file = createFile(temporary, () =>
    unusable(target, `a rotation is running; if none is, delete ${temporary} and rotate again`),
  );
  try {
    const begins = revokes ? now : now + overlapMs;
    const remaining = revokes
      ? []
      : parseKeys(target, readKeyFile(target)).flatMap((entry) => {
          const until = entry.publishedUntil ?? new Date(begins + overlapMs).toISOString();
          return Date.parse(until) > now ? [{ ...entry, publishedUntil: until }] : [];
        });
    writeEntries(file, [...remaining, newEntry(begins)]);
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
  return readSigningKeys(target);
}

function newEntry(signsFrom: number): KeyEntry {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    d,
    signsFrom: new Date(signsFrom).toISOString(),
    publishedUntil: null,
  };
}

function writeNew(path: string, entries: readonly KeyEntry[]): void {
  const file = createFile(path, () => pinakesError('signing.exists', { path }));
  try {
    writeEntries(file, entries);
  } finally {
    closeSync(file);
  }
}

function createFile(path: string, onTaken: () => Error): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isTaken ? onTaken() : unusable(path, systemReason(error));
  }
}

function writeEntries(file: number, keys: readonly KeyEntry[]): void {
  writeSync(file, `${JSON.stringify({ keys }, null, 2)}\n`);
  fsyncSync(file);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw unusable(path, systemReason(error));
  }
}

function readKeyFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw unusable(path, systemReason(error));
  }
  try {
    const { mode, size } = fstatSync(file);
    if (size > MAX_FILE_BYTES) throw unusable(path, 'it is too large');
    if (process.platform !== 'win32' && (mode & FORBIDDEN_MODE) !== 0)
      throw unusable(path, 'other users of this machine may read or change it; chmod 600 prevents that');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Without the error of the parser, which quotes the text. */
function parseKeys(path: string, text: string): readonly KeyEntry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw unusable(path, 'it is not JSON');
  }
  const { keys } = (parsed ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS || !keys.every(isKeyEntry))
    throw unusable(path, 'it is not a file of pinakes signing-keys');
  return keys;
}

function isKeyEntry(value: unknown): value is KeyEntry {
  const { kty, crv, x, d, signsFrom, publishedUntil } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isKey = kty === 'OKP' && crv === 'Ed25519' && [x, d].every((part) => KEY_TEXT.test(String(part)));
  return isKey && isTime(signsFrom) && (publishedUntil === null || isTime(publishedUntil));
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function keyOf({ kty, crv, x, d, signsFrom, publishedUntil }: KeyEntry, path: string): SigningKey {
  const privateKey = privateKeyOf({ kty, crv, x, d });
  if (privateKey === null) throw unusable(path, 'a key in it is damaged');
  const keyId = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  const until = publishedUntil === null ? null : Date.parse(publishedUntil);
  return { keyId, x, privateKey, signsFrom: Date.parse(signsFrom), publishedUntil: until };
}

/** Null if the two parts do not belong together. */
function privateKeyOf(key: Pick<KeyEntry, 'kty' | 'crv' | 'x' | 'd'>): KeyObject | null {
  try {
    const found = createPrivateKey({ key, format: 'jwk' });
    return createPublicKey(found).export({ format: 'jwk' }).x === key.x ? found : null;
  } catch {
    return null;
  }
}

function unusable(path: string, reason: string): Error {
  return pinakesError('signing.unusable', { path, reason });
}
