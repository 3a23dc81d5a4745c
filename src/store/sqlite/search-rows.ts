// Full text in SQLite: FTS5 rows written in the transaction that settles their page.

import type { Candidate, SearchRequest, SearchRows } from '../port.ts';
import type { SourceId } from '../../core/model/run.ts';
import type { SearchChange } from '../sql/engine-parts.ts';
import { batch, type Executor, type Value } from '../sql/engine.ts';
import { chunkOf, CHUNKS_WITH_PAGES, type ChunkRow, type PageRow } from '../sql/pages.ts';

const insert = batch(
  { pk: 'int', title: 'text', headings: 'text', body: 'text' },
  `insert into chunk_search (rowid, title, headings, body) select r.pk, r.title, r.headings, r.body from {rows} r`,
);
const remove = batch({ pk: 'int' }, `delete from chunk_search where rowid in (select r.pk from {rows} r)`);

export async function writeSearchRows(tx: Executor, changes: readonly SearchChange[]): Promise<void> {
  await removeSearchRows(
    tx,
    changes.flatMap((change) => change.removed),
  );
  const added = changes.flatMap((change) => change.added);
  await tx.each(
    insert,
    added.map((chunk) => [chunk.pk, chunk.title, chunk.headings.join('\n'), chunk.text]),
  );
}

export async function removeSearchRows(tx: Executor, pks: readonly number[]): Promise<void> {
  await tx.each(
    remove,
    pks.map((pk) => [pk]),
  );
}

/** `chunk_search_docsize` has one row for each indexed document: FTS5's own record of what it holds. */
export const SQLITE_SEARCH_INVARIANT = `select 'chunk ' || hash_hex(c.chunk_id) as row from chunks c where c.pk not in (select id from chunk_search_docsize)
  union all select 'search row ' || id from chunk_search_docsize where id not in (select pk from chunks)`;

const WEIGHTS = '4.0, 2.0, 1.0';

export function createSearchRows(reader: Executor): SearchRows {
  return {
    async candidates(request) {
      const match = matchExpression(request.words);
      if (match === null || request.versions.length === 0) return [];
      const { sql, values } = filtered(request, match);
      const rows = await reader.all<PageRow & ChunkRow & { source_id: number; score: number }>(sql, values);
      return rows.map((row): Candidate => ({
        chunk: chunkOf(row),
        source: row.source_id as SourceId,
        score: row.score,
      }));
    },
    index: async () => 0,
    lag: async () => 0,
  };
}

/** Each word in quotes: to FTS5 it is then a string, whatever it holds. */
function matchExpression(words: readonly string[]): string | null {
  const quoted = words
    .map((word) => word.replaceAll('"', ' ').replaceAll('\0', ' ').trim())
    .filter((word) => word !== '');
  return quoted.length === 0 ? null : quoted.map((word) => `"${word}"`).join(' OR ');
}

function filtered(request: SearchRequest, match: string): { sql: string; values: Value[] } {
  const values: Value[] = [match, request.limit];
  const listed = (items: readonly Value[]): string => items.map((item) => `$${values.push(item)}`).join(', ');
  const kinds = request.kinds.length === 0 ? '' : `and chunks.kind in (${listed(request.kinds)})`;
  const sql = `with found as (
      select rowid as pk, -bm25(chunk_search, ${WEIGHTS}) as score from chunk_search where chunk_search match $1
    )
    select rows.*, found.score, versions.source_id from found
    join (${CHUNKS_WITH_PAGES}) rows on rows.pk = found.pk
    join versions on versions.id = rows.version_id
    where rows.version_id in (${listed(request.versions)}) ${kinds.replace('chunks.kind', 'rows.kind')}
    order by found.score desc, rows.pk limit $2`;
  return { sql, values };
}
