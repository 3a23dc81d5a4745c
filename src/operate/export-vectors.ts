// The vectors of a bundle's texts, as files of the archive. Texts are taken by their hashes, sorted, so that the same
// vectors give the same bytes.

import type { Bundle } from '../core/export/bundle/bundle.ts';
import { vectorFile, vectorFileName, VECTORS_JSON, vectorsJson } from '../core/export/bundle/vector-files.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { Space, Store } from '../store/port.ts';

interface VectorEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Texts in one file: large ones would lie in memory as a whole. */
const TEXTS = 1000;

/** One at a time, in the order of their names; none where no text has a vector. */
export async function* vectorEntries({ vectors }: Store, bundle: Bundle): AsyncGenerator<VectorEntry> {
  const pieces = piecesOf(bundle);
  const spaces: Space[] = [];
  for (const space of await vectors.spaces()) if (await hasAny(vectors, space, pieces)) spaces.push(space);
  if (spaces.length === 0) return;
  yield { name: VECTORS_JSON, data: new TextEncoder().encode(vectorsJson(spaces)) };
  for (const [nth, space] of spaces.entries()) {
    for (const [part, hashes] of pieces.entries()) {
      const found = await vectors.of(space.id, hashes);
      const rows = hashes.flatMap((contentHash) => {
        const vector = found.get(contentHash);
        return vector === undefined ? [] : [{ contentHash, vector }];
      });
      if (rows.length > 0) yield { name: vectorFileName(nth + 1, part + 1), data: vectorFile(rows) };
    }
  }
}

async function hasAny(vectors: Store['vectors'], space: Space, pieces: readonly Sha256[][]): Promise<boolean> {
  for (const hashes of pieces) if ((await vectors.of(space.id, hashes)).size > 0) return true;
  return false;
}

function piecesOf({ pages }: Bundle): Sha256[][] {
  const hashes = new Set<Sha256>();
  for (const page of pages) for (const { contentHash } of page.chunks) hashes.add(contentHash);
  const sorted = [...hashes].sort();
  return Array.from({ length: Math.ceil(sorted.length / TEXTS) }, (_, at) =>
    sorted.slice(at * TEXTS, (at + 1) * TEXTS),
  );
}
