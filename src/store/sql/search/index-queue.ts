// The queue of settled pages to index, so that neither indexing nor a slow search delays a settlement.

import { monotonicMs } from '../../../platform/clock.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { FIRST_KEY, nextKeyWindow } from '../engine/key-window.ts';
import { SEARCHED_STATES_SQL, SEGMENT_STATE } from '../engine/states.ts';

const PAGE = { url_key: 'bytes' } as const;
const deleteQueued = batch(
  PAGE,
  `delete from index_queue where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
  ['int'],
);
const deletePositions = batch(
  PAGE,
  `delete from search_pages where version_id = $1 and url_key in (select r.url_key from {rows} r) returning segment_id`,
  ['int'],
);
const subtractLive = batch(
  { id: 'int', removed: 'int' },
  `update search_segments set live = search_segments.live - r.removed from {rows} r where search_segments.id = r.id`,
);

/** Removes pages of a version from the index immediately; their postings are deleted in batches, once the segments are dropped. */
export async function removeFromIndex(tx: Executor, version: number, keys: readonly Uint8Array[]): Promise<void> {
  const rows = keys.map((key) => [key]);
  await tx.each(deleteQueued, rows, [version]);
  await countRemoved(tx, await tx.each<{ segment_id: number }>(deletePositions, rows, [version]));
}

/** Subtracts pages that have left their segments from the live pages of those. */
export async function countRemoved(
  tx: Executor,
  removed: ReadonlyArray<{ readonly segment_id: number }>,
): Promise<void> {
  const bySegment = Map.groupBy(removed, (row) => row.segment_id);
  await tx.each(
    subtractLive,
    [...bySegment].sort(([a], [b]) => a - b).map(([id, rows]) => [id, rows.length]),
  );
}

export const DROP_SEGMENTS = `update search_segments set state = ${SEGMENT_STATE.dropped} where version_id in (select id from versions where source_id = $1)`;

/** Pages that are queued in one transaction, when a whole version or index is queued again. */
const REQUEUED_PAGES = 2000;

const requeueWindow = `insert into index_queue (version_id, url_key, enqueued_at) select version_id, url_key, now_ms() from pages
    where version_id = $1 and url_key > $2 and url_key <= $3 on conflict do nothing`;

/** Queues every page of a version; until it is indexed again, a page is found as before. */
export async function queueVersion(engine: Engine, version: number): Promise<void> {
  for (let after = FIRST_KEY; ;) {
    const { end, isLast } = await nextKeyWindow(engine.reader, 'pages', version, { after, rows: REQUEUED_PAGES });
    const values = [version, after, end];
    await engine.transaction((tx) => tx.all(requeueWindow, values));
    if (isLast) return;
    after = end;
  }
}

const selectOutdated = `select id, pages from search_segments where index_fingerprint <> $1 and id >= $2 and state in ${SEARCHED_STATES_SQL} order by id limit 1`;
const requeueOutdated = `insert into index_queue (version_id, url_key, enqueued_at) select version_id, url_key, now_ms()
    from search_pages where segment_id = $1 and page_index >= $2 and page_index < $3 on conflict do nothing`;

export interface OutdatedQueue {
  /** Queues some pages of segments with another index fingerprint; until they are indexed again, they are found as before. */
  queueSome(): Promise<void>;
}

/** How long another version of the program may run on the same database before what it has indexed in the meantime is looked for again. */
const RECHECK_MS = 600_000;

/**
 * In pieces: after a change of the tokenizer all pages are outdated, and indexing begins with the first of them. Once none is left, those
 * are looked for that a process of another version has added since: two that run at once index again what the other one has changed.
 */
export function createOutdatedQueue(
  engine: Engine,
  fingerprint: string,
  nowMs: () => number = monotonicMs,
): OutdatedQueue {
  let segment = 0;
  let page = 0;
  let nextMs = -Infinity;
  return {
    async queueSome() {
      if (nowMs() < nextMs) return;
      const [outdated] = await engine.reader.all<{ id: number; pages: number }>(selectOutdated, [fingerprint, segment]);
      if (outdated === undefined) {
        // From the first one: a segment that was being filled may be published behind those that were looked at.
        segment = 0;
        page = 0;
        nextMs = nowMs() + RECHECK_MS;
        return;
      }
      const first = outdated.id === segment ? page : 0;
      const end = first + REQUEUED_PAGES;
      await engine.transaction((tx) => tx.all(requeueOutdated, [outdated.id, first, end]));
      // A merged segment has a higher id than its parts, so no page is passed over.
      segment = end < outdated.pages ? outdated.id : outdated.id + 1;
      page = end;
    },
  };
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
