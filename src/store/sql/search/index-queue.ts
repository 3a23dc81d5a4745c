// Settled pages wait here for the indexer. An index build or a slow search never holds up a settlement.

import type { SearchChange } from '../engine/engine-parts.ts';
import { batch, type Executor } from '../engine/engine.ts';

const queue = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into index_queue (version_id, url_key, offered_at) select r.version_id, r.url_key, now_ms() from {rows} r where true
   on conflict (version_id, url_key) do update set round = index_queue.round + 1`,
);

export async function queueForIndex(tx: Executor, changes: readonly SearchChange[]): Promise<void> {
  const rows = changes.map((change) => [change.version, change.key] as const);
  await tx.each(
    queue,
    rows.toSorted((a, b) => Buffer.compare(a[1], b[1])),
  );
}

const PAGE = { url_key: 'bytes' } as const;
const dropped = ['index_queue', 'search_pages'].map((table) =>
  batch(PAGE, `delete from ${table} where version_id = $1 and url_key in (select r.url_key from {rows} r)`, ['int']),
);

/** Pages of a version that goes are found no more; its words go piece by piece, once its segments are given up. */
export async function dropSearch(tx: Executor, version: number, keys: readonly Uint8Array[]): Promise<void> {
  for (const statement of dropped) {
    await tx.each(
      statement,
      keys.map((key) => [key]),
      [version],
    );
  }
}

export const GIVE_UP_SEGMENTS = `update search_segments set state = 3 where version_id in (select id from versions where source_id = $1)`;

const requeue = `insert into index_queue (version_id, url_key, offered_at) select version_id, url_key, now_ms() from pages where version_id = $1 on conflict do nothing`;

/** Every page of the version is indexed again; until then it is found as before. */
export async function queueAll(tx: Executor, version: number): Promise<void> {
  await tx.all(requeue, [version]);
}

const requeueOthers = `insert into index_queue (version_id, url_key, offered_at) select s.version_id, s.url_key, now_ms()
    from search_pages s join search_segments g on g.id = s.segment_id where g.form <> $1 on conflict do nothing`;

/** Pages in segments that another version of the program made are indexed again, from their chunks; until then they are found as before. */
export async function queueOtherForms(tx: Executor, form: string): Promise<void> {
  await tx.all(requeueOthers, [form]);
}

/** A page that waits in the queue may rightly have an older row, or none. */
export const SEARCH_INVARIANT_SQL = `select 'page ' || hash_hex(p.url_key) as row from pages p
    where p.n_chunks > 0 and not exists (select 1 from search_pages s where s.version_id = p.version_id and s.url_key = p.url_key)
      and not exists (select 1 from index_queue q where q.version_id = p.version_id and q.url_key = p.url_key)
  union all select 'search row ' || hash_hex(s.url_key) from search_pages s
    where not exists (select 1 from pages p where p.version_id = s.version_id and p.url_key = s.url_key)
      and not exists (select 1 from index_queue q where q.version_id = s.version_id and q.url_key = s.url_key)
  union all select 'search row ' || hash_hex(s.url_key) from search_pages s
    where not exists (select 1 from search_segments g where g.id = s.segment_id and g.state in (1, 2) and s.page < g.pages)`;
