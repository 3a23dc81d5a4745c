// Filters that no column can evaluate: by path, heading, symbol, and kinds of pages and files. Rows are read and filtered in core, the same for terms and
// vectors and on every engine.

import { chunkPath } from '../../../core/chunk/chunk-names.ts';
import { matchesFilter, type SearchFilter } from '../../../core/lexical/query/search-filter.ts';
import { symbolKey } from '../../../core/lexical/query/symbol-parts.ts';
import type { PassageKind } from '../../../core/model/chunk.ts';
import { fileKindOf } from '../../../core/model/file-kind.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { jsonObject } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { AFTER_ALL_NAMES } from '../pages/symbol-names.ts';

/** Of a chunk and its page. */
export const FILTER_COLUMNS = `pages.url, pages.facts, pages.media_type, chunks.passage_kind, chunks.headings, chunks.symbol`;

const selectFilterColumns = batch(
  { version_id: 'int' },
  `select chunks.pk, ${FILTER_COLUMNS}
   from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key, {rows} r
   where chunks.version_id = r.version_id`,
);

const selectBySymbol = batch(
  { version_id: 'int' },
  `select chunks.pk, ${FILTER_COLUMNS}
   from symbol_names join chunks on chunks.pk = symbol_names.chunk_pk
     join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key, {rows} r
   where symbol_names.version_id = r.version_id and symbol_names.name >= $1 and symbol_names.name < $2`,
  ['text', 'text'],
);

/** The columns that a filter is applied to. */
export interface FilterColumns {
  readonly url: string;
  readonly facts: string;
  readonly media_type: string;
  readonly passage_kind: PassageKind;
  readonly headings: string;
  readonly symbol: string | null;
}

/** The one predicate of both searches: a path is that of the chunk, which for a file is not its URL. */
export function rowMatches(filter: SearchFilter, row: FilterColumns): boolean {
  const { url, passage_kind, headings, symbol } = row;
  return matchesFilter(filter, {
    path: chunkPath(url as PageUrl),
    ...(filter.pageKinds && { pageKind: pageKindOf(row) }),
    ...(filter.fileKinds && { fileKind: fileKindOf(row.media_type) }),
    chunk: { passageKind: passage_kind, headings: JSON.parse(headings) as string[], symbol },
  });
}

export function pageKindOf({ facts }: Pick<FilterColumns, 'facts'>): string | null {
  const { pageKind } = jsonObject(facts);
  return typeof pageKind === 'string' ? pageKind : null;
}

interface FilterRow extends FilterColumns {
  readonly pk: number;
}

/** Null if the filter has nothing beyond versions and kinds of passages. */
export async function matchingChunkPks(
  reader: Executor,
  versions: readonly VersionId[],
  filter: SearchFilter,
): Promise<ReadonlySet<number> | null> {
  const { pathPrefix = '', symbolPrefix } = filter;
  const isByRow = [filter.headingPrefix, symbolPrefix, filter.pageKinds, filter.fileKinds].some(
    (one) => one !== undefined,
  );
  if (pathPrefix === '' && !isByRow) return null;
  const of = versions.map((version) => [version]);
  const key = symbolKey(symbolPrefix ?? '');
  const rows =
    symbolPrefix === undefined
      ? await reader.each<FilterRow>(selectFilterColumns, of)
      : await reader.each<FilterRow>(selectBySymbol, of, [key, `${key}${AFTER_ALL_NAMES}`]);
  return new Set(rows.filter((row) => rowMatches(filter, row)).map(({ pk }) => pk));
}
