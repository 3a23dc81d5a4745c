// The content of a manifest, independent of its format, and the encoding of hashes that the formats share.

import type { BundleMeta, BundlePageMeta } from '../bundle/bundle.ts';
import type { Chunk } from '../../model/chunk.ts';

export interface ManifestChunk extends Omit<Chunk, 'id' | 'contentHash' | 'text' | 'tokens' | 'lines'> {
  /** A missing last line follows from the text. */
  readonly lines: { readonly first: number; readonly last: number | null };
  readonly ref: string;
  /** Id and hash as declared by the manifest; null if they have to be computed. */
  readonly declared: { readonly id: string; readonly contentHash: string } | null;
}

export interface ManifestPage {
  readonly meta: BundlePageMeta;
  readonly chunks: readonly ManifestChunk[];
}

export interface Manifest {
  readonly meta: BundleMeta;
  readonly indexId: string;
  readonly pages: readonly ManifestPage[];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A SHA-256 in base64url: 43 characters instead of 64. */
export function encodeHash(hex: string): string {
  let text = '';
  // Three hexadecimal digits give two characters; the last one encodes a single digit and two zero bits.
  for (let at = 0; at < 63; at += 3) {
    const bits = Number.parseInt(hex.slice(at, at + 3), 16);
    text += ALPHABET.charAt(bits >>> 6) + ALPHABET.charAt(bits & 63);
  }
  return text + ALPHABET.charAt(Number.parseInt(hex.slice(63), 16) << 2);
}

/** Null if the text is not an encoded hash. */
export function decodeHash(text: string): string | null {
  if (!/^[\w-]{43}$/.test(text)) return null;
  let hex = '';
  for (let at = 0; at < 42; at += 2) {
    const bits = (ALPHABET.indexOf(text.charAt(at)) << 6) | ALPHABET.indexOf(text.charAt(at + 1));
    hex += bits.toString(16).padStart(3, '0');
  }
  const last = ALPHABET.indexOf(text.charAt(42));
  return (last & 3) === 0 ? hex + (last >>> 2).toString(16) : null;
}
