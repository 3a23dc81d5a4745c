// Filters that no column can evaluate: by path, heading and symbol. Rows are read and filtered in core, the same on every engine.

import { matchesFilter, type SearchFilter } from '../../../core/lexical/query/search-filter.ts';
import type { PassageKind } from '../../../core/model/chunk.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { batch, type Executor } from '../engine/engine.ts';

const selectFilterColumns = batch(
  { version_id: 'int' },
  `select chunks.pk, pages.url, chunks.passage_kind, chunks.headings, chunks.symbol
   from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key, {rows} r
   where chunks.version_id = r.version_id and substr(pages.url, 1, length($1)) = $1 and ($2 = 0 or chunks.symbol is not null)`,
  ['text', 'int'],
);

interface FilterRow {
  readonly pk: number;
  readonly url: string;
  readonly passage_kind: PassageKind;
  readonly headings: string;
  readonly symbol: string | null;
}

/** Null if the filter has nothing beyond versions and kinds. */
export async function matchingChunkPks(
  reader: Executor,
  versions: readonly VersionId[],
  filter: SearchFilter,
): Promise<ReadonlySet<number> | null> {
  const { pathPrefix = '', headingPrefix, symbolPrefix } = filter;
  if (pathPrefix === '' && headingPrefix === undefined && symbolPrefix === undefined) return null;
  const rows = await reader.each<FilterRow>(
    selectFilterColumns,
    versions.map((version) => [version]),
    [pathPrefix, symbolPrefix === undefined ? 0 : 1],
  );
  const passing = rows.filter(({ url, passage_kind, headings, symbol }) =>
    matchesFilter(filter, {
      path: url,
      chunk: { passageKind: passage_kind, headings: JSON.parse(headings) as string[], symbol },
    }),
  );
  return new Set(passing.map(({ pk }) => pk));
}
