// From the rows that an engine finds near to the chunks that are there. A page that waits for its indexing is found by
// neither words nor vectors.

import type { NearChunk, Vectors } from '../port.ts';
import type { VectorParts } from './engine/engine-parts.ts';
import { batch, together, type Executor } from './engine/engine.ts';
import { foundChunkOf, ITS_PAGE, PLACED_COLUMNS, type PlacedRow } from './search/resolve-positions.ts';

const byPk = together(
  batch(
    { pk: 'int' },
    `select ${PLACED_COLUMNS} from {rows} r {then chunks where chunks.pk = r.pk}
     {then search_pages s where s.version_id = chunks.version_id and s.url_key = chunks.url_key} ${ITS_PAGE}`,
  ),
);

export function createNearest(reader: Executor, parts: VectorParts): Vectors['nearest'] {
  return async (request) => {
    if (request.versions.length === 0) return [];
    const near = await parts.nearest(request);
    const rows = await reader.each<PlacedRow>(
      byPk,
      near.map(({ pk }) => [pk]),
    );
    const found = new Map(rows.map((row) => [row.pk, row]));
    return near.flatMap(({ pk, similarity }): NearChunk[] => {
      const row = found.get(pk);
      return row === undefined ? [] : [{ ...foundChunkOf(row), similarity }];
    });
  };
}
