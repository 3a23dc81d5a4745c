// Compares chunks with a filter, as the store has them: the same predicate for terms and vectors and on every engine.

import { chunkPath } from '../../../core/chunk/chunk-names.ts';
import { matchesFilter, type SearchFilter } from '../../../core/lexical/query/search-filter.ts';
import type { PassageKind } from '../../../core/model/chunk.ts';
import { fileKindOf } from '../../../core/files/file-kind.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { jsonObject } from '../engine/codec.ts';
import { batch, singleStatement, type Executor } from '../engine/engine.ts';

/** Columns of a chunk and its page. */
export const FILTER_COLUMNS = `pages.url, pages.metadata, pages.media_type, chunks.passage_kind, chunks.headings, chunks.symbol`;

const selectByPk = singleStatement(
  batch(
    { pk: 'int' },
    `select chunks.pk, ${FILTER_COLUMNS} from {rows} r {then chunks where chunks.pk = r.pk}
     {then pages where pages.version_id = chunks.version_id and pages.url_key = chunks.url_key}`,
  ),
);

/** The columns that a filter is applied to. */
export interface FilterColumns {
  readonly url: string;
  readonly metadata: string;
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

export function pageKindOf({ metadata }: Pick<FilterColumns, 'metadata'>): string | null {
  const { pageKind } = jsonObject(metadata);
  return typeof pageKind === 'string' ? pageKind : null;
}

/** The chunks that pass the filter. */
export async function matchingAmong(
  reader: Executor,
  pks: readonly number[],
  filter: SearchFilter,
): Promise<ReadonlySet<number>> {
  const rows = await reader.each<FilterColumns & { readonly pk: number }>(
    selectByPk,
    pks.map((pk) => [pk]),
  );
  return new Set(rows.filter((row) => rowMatches(filter, row)).map(({ pk }) => pk));
}
