// Filters that no column answers: by path, heading and symbol. Read and judged in core, the same on every engine.

import { admits, type SearchFilter } from '../../../core/lexical/query/search-filter.ts';
import type { ChunkKind } from '../../../core/model/chunk.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { batch, type Executor } from '../engine/engine.ts';

const described = batch(
  { version_id: 'int' },
  `select chunks.pk, pages.url, chunks.kind, chunks.headings, chunks.symbol
   from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key, {rows} r
   where chunks.version_id = r.version_id and substr(pages.url, 1, length($1)) = $1 and ($2 = 0 or chunks.symbol is not null)`,
  ['text', 'int'],
);

interface DescribedRow {
  readonly pk: number;
  readonly url: string;
  readonly kind: ChunkKind;
  readonly headings: string;
  readonly symbol: string | null;
}

/** Null where nothing beyond version and kind is asked. */
export async function pksThatPass(
  reader: Executor,
  versions: readonly VersionId[],
  filter: SearchFilter,
): Promise<ReadonlySet<number> | null> {
  const { pathPrefix = '', headingPrefix, symbolPrefix } = filter;
  if (pathPrefix === '' && headingPrefix === undefined && symbolPrefix === undefined) return null;
  const rows = await reader.each<DescribedRow>(
    described,
    versions.map((version) => [version]),
    [pathPrefix, symbolPrefix === undefined ? 0 : 1],
  );
  const passing = rows.filter(({ url, kind, headings, symbol }) =>
    admits(filter, { path: url, chunk: { kind, headings: JSON.parse(headings) as string[], symbol } }),
  );
  return new Set(passing.map(({ pk }) => pk));
}
