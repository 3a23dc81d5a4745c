// Full text in PostgreSQL. Search rows are derived: a settled page is queued with its transaction, and the indexer copies
// its chunks. An index build or a slow search never holds up a settlement.

import type { SourceId } from '../../core/model/run.ts';
import type { Candidate, SearchRows } from '../port.ts';
import type { SearchChange } from '../sql/engine-parts.ts';
import { batch, type Executor } from '../sql/engine.ts';
import { chunkOf, CHUNKS_WITH_PAGES, type ChunkRow, type PageRow } from '../sql/pages.ts';
import type { ArrayExecutor, PostgresEngine } from './postgres-engine.ts';

const queue = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into index_queue (version_id, url_key, offered_at) select r.version_id, r.url_key, now_ms() from {rows} r where true on conflict do nothing`,
);

export async function queueForIndex(tx: Executor, changes: readonly SearchChange[]): Promise<void> {
  const changed = changes.filter((change) => change.added.length + change.removed.length > 0);
  const rows = changed.map((change) => [change.version, change.key] as const);
  await tx.each(
    queue,
    rows.toSorted((a, b) => Buffer.compare(a[1], b[1])),
  );
}

const dropPks = batch({ pk: 'int' }, `delete from chunk_search where chunk_pk in (select r.pk from {rows} r)`);
const dropQueue = `delete from index_queue where version_id = $1 and not exists (select 1 from pages where pages.version_id = index_queue.version_id and pages.url_key = index_queue.url_key)`;

export async function dropSearchRows(tx: Executor, version: number, pks: readonly number[]): Promise<void> {
  await tx.each(
    dropPks,
    pks.map((pk) => [pk]),
  );
  await tx.all(dropQueue, [version]);
}

const takeQueued = `delete from index_queue where (version_id, url_key) in (select version_id, url_key from index_queue order by offered_at limit $1 for update skip locked)
  returning version_id, url_key`;
const PAGE_COLUMNS = { version_id: 'int', url_key: 'bytes' } as const;
/** All rows of a page, also those of chunks that stay: its title may have changed, and it stands in each of them. */
const removeOld = batch(
  PAGE_COLUMNS,
  `delete from chunk_search s where (s.version_id, s.url_key) in (select r.version_id, r.url_key from {rows} r)`,
);
const addAll = batch(
  PAGE_COLUMNS,
  `insert into chunk_search (chunk_pk, version_id, url_key, words)
   select c.pk, c.version_id, c.url_key, setweight(to_tsvector('simple', p.title), 'A') || setweight(to_tsvector('simple', c.headings), 'B') || to_tsvector('simple', c.text)
   from {rows} r join chunks c on c.version_id = r.version_id and c.url_key = r.url_key
   join pages p on p.version_id = c.version_id and p.url_key = c.url_key
   where true on conflict do nothing`,
);

const candidates = `select rows.*, versions.source_id, ts_rank_cd(s.words, $1::tsquery) as score
  from chunk_search s join (${CHUNKS_WITH_PAGES}) rows on rows.pk = s.chunk_pk join versions on versions.id = rows.version_id
  where s.words @@ $1::tsquery and s.version_id = any($2::int[]) and ($3::text[] = '{}' or rows.kind = any($3::text[]))
  order by score desc, rows.pk limit $4`;
const queryOf = `select coalesce(string_agg(q, ' | '), '') as query from (select plainto_tsquery('simple', word)::text as q from unnest($1::text[]) as w (word)) words where q <> ''`;
const lag = `select count(*) as n from index_queue`;

/** A page that waits in the queue may rightly have older rows, or none. */
export const POSTGRES_SEARCH_INVARIANT = `select 'chunk ' || hash_hex(c.chunk_id) as row from chunks c
    where not exists (select 1 from chunk_search s where s.chunk_pk = c.pk) and not exists (select 1 from index_queue q where q.version_id = c.version_id and q.url_key = c.url_key)
  union all select 'search row ' || s.chunk_pk from chunk_search s
    where not exists (select 1 from chunks c where c.pk = s.chunk_pk) and not exists (select 1 from index_queue q where q.version_id = s.version_id and q.url_key = s.url_key)`;

export function createSearchRows(engine: PostgresEngine): SearchRows {
  const reader = engine.reader as ArrayExecutor;
  return {
    async candidates(request) {
      const [words] = await reader.all<{ query: string }>(queryOf, [
        request.words.map((word) => word.replaceAll('\0', ' ')),
      ]);
      if (words === undefined || words.query === '') return [];
      const values = [words.query, request.versions, request.kinds, request.limit];
      const rows = await reader.all<PageRow & ChunkRow & { source_id: number; score: number }>(candidates, values);
      return rows.map((row): Candidate => ({
        chunk: chunkOf(row),
        source: row.source_id as SourceId,
        score: row.score,
      }));
    },
    index: (limit) =>
      engine.transaction(async (tx) => {
        const pages = await tx.all<{ version_id: number; url_key: Uint8Array }>(takeQueued, [limit]);
        const rows = pages.map((page) => [page.version_id, page.url_key]);
        await tx.each(removeOld, rows);
        await tx.each(addAll, rows);
        return pages.length;
      }),
    async lag() {
      const [row] = await engine.reader.all<{ n: number }>(lag);
      return row?.n ?? 0;
    },
  };
}
