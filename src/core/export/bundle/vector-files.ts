// Vectors in a bundle: `vectors.json` lists the embedding spaces, binary files have the vectors. A row is the SHA-256 of the
// chunk text (32 bytes), followed by the vector as little-endian float32.

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { Sha256 } from '../../model/hash.ts';
import type { EmbeddingSpace } from '../../vector/space.ts';
import type { Bundle } from './bundle.ts';

export interface BundledVector {
  readonly contentHash: Sha256;
  readonly vector: Float32Array;
}

export interface BundledSpace extends EmbeddingSpace {
  /** Rows of the wrong size and vectors that are not unit vectors are left out. */
  rows(): Iterable<BundledVector>;
}

export const VECTORS_JSON = 'vectors.json';
const HASH_BYTES = 32;
const MAX_DIMENSIONS = 8192;
/** Vectors have length 1; rounding on other machines changes it by less than this. */
const UNIT_LENGTH_TOLERANCE = 0.01;

const spacesFile = z.object({
  format: z.literal(1),
  spaces: z
    .array(z.object({ fingerprint: z.string().min(1), dimensions: z.int().min(1).max(MAX_DIMENSIONS) }))
    .max(100),
});

export function vectorsJson(spaces: readonly EmbeddingSpace[]): string {
  const listed = spaces.map(({ fingerprint, dimensions }) => ({ fingerprint, dimensions }));
  return `${JSON.stringify({ format: 1, spaces: listed })}\n`;
}

/** Space and part are counted from 1. */
export function vectorFileName(space: number, part: number): string {
  return `vectors/${folderOf(space)}/${String(part).padStart(6, '0')}.bin`;
}

function folderOf(space: number): string {
  return String(space).padStart(3, '0');
}

export function vectorFile(rows: readonly BundledVector[]): Uint8Array {
  const width = HASH_BYTES + 4 * (rows[0]?.vector.length ?? 0);
  const bytes = new Uint8Array(rows.length * width);
  const view = new DataView(bytes.buffer);
  rows.forEach(({ contentHash, vector }, row) => {
    bytes.set(hexToBytes(contentHash), row * width);
    vector.forEach((number, at) => view.setFloat32(row * width + HASH_BYTES + 4 * at, number, true));
  });
  return bytes;
}

/** Bounds the size of one file, which is held in memory. */
const TEXTS_PER_FILE = 1000;

/** The hashes of a bundle's texts, as the files of its vectors have them. */
export function hashBatches({ pages }: Pick<Bundle, 'pages'>): Sha256[][] {
  const hashes = new Set<Sha256>();
  for (const page of pages) for (const { contentHash } of page.chunks) hashes.add(contentHash);
  const sorted = [...hashes].sort();
  return Array.from({ length: Math.ceil(sorted.length / TEXTS_PER_FILE) }, (_, at) =>
    sorted.slice(at * TEXTS_PER_FILE, (at + 1) * TEXTS_PER_FILE),
  );
}

/** Empty if the bundle has no vectors, or an invalid list of spaces. */
export function readBundledSpaces(files: ReadonlyMap<string, Uint8Array>): readonly BundledSpace[] {
  return listedSpaces(files.get(VECTORS_JSON)).map((space, at) => ({
    ...space,
    *rows() {
      const folder = `vectors/${folderOf(at + 1)}/`;
      for (const [name, bytes] of files) if (name.startsWith(folder)) yield* rowsOf(bytes, space.dimensions);
    },
  }));
}

function listedSpaces(file: Uint8Array | undefined): readonly EmbeddingSpace[] {
  if (file === undefined) return [];
  try {
    return spacesFile.parse(JSON.parse(new TextDecoder().decode(file))).spaces;
  } catch {
    return [];
  }
}

function* rowsOf(bytes: Uint8Array, dimensions: number): Generator<BundledVector> {
  const width = HASH_BYTES + 4 * dimensions;
  if (bytes.length % width !== 0) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0; row < bytes.length; row += width) {
    const vector = Float32Array.from({ length: dimensions }, (_, at) =>
      view.getFloat32(row + HASH_BYTES + 4 * at, true),
    );
    const contentHash = bytesToHex(bytes.subarray(row, row + HASH_BYTES)) as Sha256;
    if (isUnitVector(vector)) yield { contentHash, vector };
  }
}

function isUnitVector(vector: Float32Array): boolean {
  const length = Math.hypot(...vector);
  return Math.abs(length - 1) <= UNIT_LENGTH_TOLERANCE;
}
