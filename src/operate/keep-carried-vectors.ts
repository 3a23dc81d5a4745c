// Takes the vectors that a bundle brings, where this library has the same space: its texts need no model then.

import type { CarriedVector } from '../core/export/bundle/vector-files.ts';
import type { VersionId } from '../core/model/run.ts';
import type { LocalSource } from '../fetch/port.ts';
import type { Store } from '../store/port.ts';

const PIECE = 500;

/** Returns how many texts were given a vector. Repeating it changes nothing. */
export async function keepCarriedVectors(source: LocalSource, version: VersionId, { vectors }: Store): Promise<number> {
  let kept = 0;
  for (const carried of source.vectors?.() ?? []) {
    const space = await vectors.findSpace(carried.fingerprint);
    if (space?.dimensions !== carried.dimensions) continue;
    let piece: CarriedVector[] = [];
    const write = async (): Promise<void> => {
      kept += await vectors.keep(space.id, version, piece);
      piece = [];
    };
    for (const row of carried.rows()) if (piece.push(row) >= PIECE) await write();
    await write();
  }
  return kept;
}
