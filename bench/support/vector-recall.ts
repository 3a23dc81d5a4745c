// Measures how many of the ten nearest chunks a store finds, against comparing every row, in subsets of a library of every size.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { VersionId } from '../../src/core/model/run.ts';
import { cosineSimilarity } from '../../src/core/vector/cosine-similarity.ts';
import type { Store } from '../../src/store/port.ts';
import type { StoredSpace } from '../../src/store/port/vectors.ts';
import { mean } from '../search/eval/measures.ts';
import { loadVectorCache } from './vector-cache.ts';

const NEAREST = 10;
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

interface RecallOptions {
  readonly library: string;
  readonly store: Store;
  readonly space: StoredSpace;
  readonly vectorsFile: string;
  readonly queries: readonly string[];
}

interface Row {
  readonly version: VersionId;
  readonly vector: Float32Array;
}

export async function recallByShare(
  options: RecallOptions,
): Promise<Record<string, { readonly chunks: number; readonly recall: number }>> {
  const { library, store, space, vectorsFile, queries } = options;
  const rows = readRows(library, space.id);
  const vectorOf = loadVectorCache(vectorsFile, space.dimensions);
  const parts = SHARES.map((share) => ({ share, versions: versionsOf(rows, share), recalls: [] as number[] }));
  for (const query of queries) {
    const vector = vectorOf(query);
    const scores = Float32Array.from(rows, (row) => cosineSimilarity(vector, row.vector));
    for (const { versions, recalls } of parts) {
      const admitted = new Set(versions);
      const scored = scores.filter((_, at) => admitted.has(rows[at]!.version));
      // Equally similar texts are interchangeable, so similarities are compared and not ids.
      const threshold = scored.sort().at(-NEAREST) ?? -1;
      const found = await store.vectors.nearest({ space: space.id, vector, versions, filter: {}, limit: NEAREST * 10 });
      recalls.push(Math.min(1, found.filter((one) => one.similarity >= threshold - 1e-5).length / NEAREST));
    }
  }
  return Object.fromEntries(
    parts.map(({ share, versions, recalls }) => {
      const chunks = rows.filter(({ version }) => versions.includes(version)).length;
      return [String(share), { chunks, recall: Number(mean(recalls).toFixed(4)) }];
    }),
  );
}

function readRows(library: string, space: number): Row[] {
  const from = new DatabaseSync(join(library, 'pinakes.db'), { readOnly: true });
  const rows = from
    .prepare(
      `select c.version_id as version, v.vector from chunks c join vectors v on v.content_hash = c.content_hash and v.space_id = ? order by c.pk`,
    )
    .all(space) as unknown as Array<{ version: VersionId; vector: Uint8Array }>;
  from.close();
  return rows.map(({ version, vector }) => ({ version, vector: new Float32Array(Uint8Array.from(vector).buffer) }));
}

/** Whole sources that together hold about that share of the chunks, or the smallest source. */
function versionsOf(rows: readonly Row[], share: number): VersionId[] {
  const sizes = new Map<VersionId, number>();
  for (const { version } of rows) sizes.set(version, (sizes.get(version) ?? 0) + 1);
  let left = share * rows.length * 1.02;
  const bySize = [...sizes].sort((a, b) => b[1] - a[1]);
  const chosen = bySize.filter(([, size]) => size <= left && (left -= size) >= 0).map(([version]) => version);
  return chosen.length > 0 ? chosen : bySize.slice(-1).map(([version]) => version);
}
