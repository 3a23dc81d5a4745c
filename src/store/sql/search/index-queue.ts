// The queue of settled pages to index, so that neither indexing nor a slow search delays a settlement.

import type { ChangedPage } from '../engine/engine-parts.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { SEARCHED_STATES_SQL, SEGMENT_STATE } from '../engine/states.ts';

const enqueuePage = batch(
  { version_id: 'int', url_key: 'bytes' },
  `insert into index_queue (version_id, url_key, enqueued_at) select r.version_id, r.url_key, now_ms() from {rows} r where true
   on conflict (version_id, url_key) do update set revision = index_queue.revision + 1`,
);

export async function queueForIndex(tx: Executor, changes: readonly ChangedPage[]): Promise<void> {
  const rows = changes.map((change) => [change.version, change.key] as const);
  await tx.each(
    enqueuePage,
    rows.toSorted((a, b) => Buffer.compare(a[1], b[1])),
  );
}

const PAGE = { url_key: 'bytes' } as const;
const deleteRows = ['index_queue', 'search_pages'].map((table) =>
  batch(PAGE, `delete from ${table} where version_id = $1 and url_key in (select r.url_key from {rows} r)`, ['int']),
);

/** Removes pages of a version from the index immediately; their postings are deleted in batches, once the segments are dropped. */
export async function removeFromIndex(tx: Executor, version: number, keys: readonly Uint8Array[]): Promise<void> {
  for (const statement of deleteRows) {
    await tx.each(
      statement,
      keys.map((key) => [key]),
      [version],
    );
  }
}

export const DROP_SEGMENTS = `update search_segments set state = ${SEGMENT_STATE.dropped} where version_id in (select id from versions where source_id = $1)`;

const requeue = `insert into index_queue (version_id, url_key, enqueued_at) select version_id, url_key, now_ms() from pages where version_id = $1 on conflict do nothing`;

/** Queues every page of a version; until it is indexed again, a page is found as before. */
export async function queueVersion(tx: Executor, version: number): Promise<void> {
  await tx.all(requeue, [version]);
}

const requeueOutdated = `insert into index_queue (version_id, url_key, enqueued_at) select s.version_id, s.url_key, now_ms()
    from search_pages s join search_segments g on g.id = s.segment_id where g.index_fingerprint <> $1 on conflict do nothing`;

/** Queues the pages of segments with another index fingerprint; until they are indexed again, they are found as before. */
export async function queueOutdated(tx: Executor, fingerprint: string): Promise<void> {
  await tx.all(requeueOutdated, [fingerprint]);
}

/** A queued page may have an outdated row, or none. */
export const SEARCH_INVARIANT_SQL = `select 'page ' || hash_hex(p.url_key) as row from pages p
    where p.n_chunks > 0 and not exists (select 1 from search_pages s where s.version_id = p.version_id and s.url_key = p.url_key)
      and not exists (select 1 from index_queue q where q.version_id = p.version_id and q.url_key = p.url_key)
  union all select 'search row ' || hash_hex(s.url_key) from search_pages s
    where not exists (select 1 from pages p where p.version_id = s.version_id and p.url_key = s.url_key)
      and not exists (select 1 from index_queue q where q.version_id = s.version_id and q.url_key = s.url_key)
  union all select 'search row ' || hash_hex(s.url_key) from search_pages s
    where not exists (select 1 from search_segments g where g.id = s.segment_id and g.state in ${SEARCHED_STATES_SQL} and s.page_index < g.pages)`;
