// Converts between types of the program and values of a row.

import { hash } from 'node:crypto';
import type { ChunkId } from '../../../core/model/chunk.ts';
import type { Sha256 } from '../../../core/model/hash.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { Json, JsonObject } from '../../port/json.ts';

/** `urlKey` with Node's native hash, because it is computed for every link of every page. */
export function keyText(url: PageUrl): string {
  return hash('sha256', url).slice(0, 32);
}

export function keyBytes(url: PageUrl): Uint8Array {
  return Buffer.from(keyText(url), 'hex');
}

export function hashBytes(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex');
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

export function hashOf(bytes: Uint8Array): Sha256 {
  return hex(bytes) as Sha256;
}

export function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

export function jsonText(value: Json): string {
  return JSON.stringify(value);
}

export function jsonObject(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

export function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A row's bytes may not be 4-byte aligned: then they are copied. Not by `slice`, which on a Buffer returns a view of the same memory. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}

const ID_BYTES = 32;

/** A row has its ids one after the other. */
export function packIds(ids: readonly string[]): Uint8Array {
  return Buffer.from(ids.join(''), 'hex');
}

export function chunkIds(bytes: Uint8Array): readonly ChunkId[] {
  return Array.from(
    { length: bytes.length / ID_BYTES },
    (_, i) => hex(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)) as ChunkId,
  );
}
