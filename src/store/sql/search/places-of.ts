// Which places of the segments pass a filter: asked before anything is ranked.

import { chunkPath } from '../../../core/chunk/chunk-path.ts';
import { admits } from '../../../core/lexical/query/search-filter.ts';
import type { ChunkKind } from '../../../core/model/chunk.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { SearchRows } from '../../port.ts';
import { batch, type Executor } from '../engine/engine.ts';

const all = batch(
  { version_id: 'int' },
  `select s.segment_id, s.page, c.ordinal, p.url, c.kind, c.headings, c.symbol
   from search_pages s join pages p on p.version_id = s.version_id and p.url_key = s.url_key
   join chunks c on c.version_id = s.version_id and c.url_key = s.url_key, {rows} r where s.version_id = r.version_id`,
);

interface Row {
  readonly segment_id: number;
  readonly page: number;
  readonly ordinal: number;
  readonly url: string;
  readonly kind: ChunkKind;
  readonly headings: string;
  readonly symbol: string | null;
}

export function createPlacesOf(reader: Executor): SearchRows['placesOf'] {
  return async (versions, filter) => {
    const rows = await reader.each<Row>(
      all,
      versions.map((version) => [version]),
    );
    const passing = rows.filter((row) =>
      admits(filter, {
        path: chunkPath(row.url as PageUrl),
        chunk: { kind: row.kind, headings: JSON.parse(row.headings) as string[], symbol: row.symbol },
      }),
    );
    return passing.map((row) => ({ segment: row.segment_id, page: row.page, position: row.ordinal }));
  };
}
