// SHA-256, the only cryptographic hash of the product. Synchronous and identical in Node, workers and browsers:
// `crypto.subtle` is asynchronous and missing on plain-http pages.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** 64 lower-case hexadecimal digits. */
export type Sha256 = string & { readonly __brand: 'sha256' };

type Digest = (data: string | Uint8Array) => string;

let digest: Digest = (data) => bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));

export function sha256Hex(data: string | Uint8Array): Sha256 {
  return digest(data) as Sha256;
}

/** Replaces the JavaScript implementation by a native one, which is ten times faster. */
export function setNativeSha256(native: Digest): void {
  digest = native;
}
