// From the rows that an engine finds near to the chunks that are there.

import type { SourceId } from '../../core/model/run.ts';
import type { NearChunk, Vectors } from '../port.ts';
import type { VectorParts } from './engine-parts.ts';
import { batch, type Executor } from './engine.ts';
import { chunkOf, CHUNKS_WITH_PAGES, type ChunkRow, type PageRow } from './pages.ts';

const byPk = batch(
  { pk: 'int' },
  `select rows.*, versions.source_id from (${CHUNKS_WITH_PAGES}) rows join versions on versions.id = rows.version_id, {rows} r where rows.pk = r.pk`,
);

type FoundRow = PageRow & ChunkRow & { readonly source_id: number };

export function createNearest(reader: Executor, parts: VectorParts): Vectors['nearest'] {
  return async (request) => {
    if (request.versions.length === 0) return [];
    const near = await parts.nearest(request);
    const rows = await reader.each<FoundRow>(
      byPk,
      near.map(({ pk }) => [pk]),
    );
    const found = new Map(rows.map((row) => [row.pk, row]));
    return near.flatMap(({ pk, similarity }): NearChunk[] => {
      const row = found.get(pk);
      return row === undefined ? [] : [{ chunk: chunkOf(row), source: row.source_id as SourceId, similarity }];
    });
  };
}
