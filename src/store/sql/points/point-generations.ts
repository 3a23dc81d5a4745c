// Generations of points, the queue of versions to index in each, and the leases of those who index them.

import { INDEX_PARTS, type KeyRange } from '../../../ports/index-parts.ts';
import type { Generation, IndexedPageKey, PartLease, PointRecords } from '../../../ports/point-records.ts';
import type { UrlKey } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { uuid } from '../../../platform/clock.ts';
import { hashBytes, hex } from '../engine/codec.ts';
import type { Engine, Executor, Value } from '../engine/engine.ts';
import { nextKeyWindow } from '../engine/key-window.ts';
import { GENERATION_STATE, POINT_STATE } from '../engine/states.ts';

type Generations = Pick<PointRecords, 'generations' | 'addGeneration' | 'switchTo' | 'dropGeneration' | 'stored'>;
type Queue = Pick<PointRecords, 'queueVersion' | 'nextQueued' | 'dequeue' | 'queued' | 'isQueued'>;
type Leases = Pick<PointRecords, 'lease' | 'renewLease' | 'releaseLease'>;

const selectGenerations = `select id, name, fingerprint, state, coalesce(now_ms() - dropped_at, 0) as dropped_for, g.history_id, last_number, position,
  case when g.history_id = log.history_id then 0 else 1 end as rolled_back from point_generations g cross join change_log log order by id`;
/** One is built at a time; `$3` is the one that was current when it was decided, 0 for none. */
const insertGeneration = `insert into point_generations (name, fingerprint, history_id, position, state)
  select $1, $2, history_id, last_change, cast(case when $3 = 0 then ${GENERATION_STATE.current} else ${GENERATION_STATE.building} end as integer)
  from change_log cross join event_head where coalesce((select max(id) from point_generations where state = ${GENERATION_STATE.current}), 0) = $3
    and not exists (select 1 from point_generations where state = ${GENERATION_STATE.building})
  on conflict do nothing returning id`;
/** After the position was read: a version that gets its first page in between is queued, and one that gets it later has a later change. */
const queueAll = `insert into point_queue (generation_id, version_id, after_key, end_key, enqueued_at) select $1, version_id, $2, $3, now_ms() from version_counts`;
/** Another process may have dropped it since it was complete. Writing the row to itself takes its lock on either engine. */
const lockBuilding = `update point_generations set state = state where id = $1 and state = ${GENERATION_STATE.building} returning id`;
const dropCurrent = `update point_generations set state = ${GENERATION_STATE.dropped}, dropped_at = now_ms() where state = ${GENERATION_STATE.current} and id <> $1`;
const makeCurrent = `update point_generations set state = ${GENERATION_STATE.current} where id = $1`;
/** Not one that another process has made current since it was read. */
const dropGeneration = `update point_generations set state = ${GENERATION_STATE.dropped}, dropped_at = coalesce(dropped_at, now_ms())
  where id = $1 and state <> ${GENERATION_STATE.current} returning id`;

const deletePages = `delete from point_pages where number in (select number from point_pages where generation_id = $1 order by number limit $2)`;
const selectRest = `select 1 as one from point_pages where generation_id = $1 limit 1`;
const deleteRest = [
  `delete from point_queue where generation_id = $1`,
  `update point_generations set state = ${GENERATION_STATE.deleted} where id = $1`,
];

const STATES = new Map<number, Generation['state']>(
  Object.entries(GENERATION_STATE).map(([name, code]) => [code, name as Generation['state']]),
);

interface GenerationRow {
  readonly id: number;
  readonly name: string;
  readonly fingerprint: string;
  readonly state: number;
  readonly dropped_for: number;
  readonly history_id: string;
  readonly last_number: number;
  readonly position: number;
  readonly rolled_back: number;
}

export function createPointGenerations(engine: Engine): Generations {
  return {
    async generations() {
      const rows = await engine.reader.all<GenerationRow>(selectGenerations);
      return rows.map(({ id, name, fingerprint, position, ...row }) => ({
        id,
        name,
        fingerprint,
        position,
        state: STATES.get(row.state) ?? 'dropped',
        droppedForMs: row.dropped_for,
        history: row.history_id,
        isRolledBack: row.rolled_back === 1,
        lastNumber: row.last_number,
      }));
    },
    addGeneration: ({ name, fingerprint }, current) =>
      engine.transaction(async (tx) => {
        const [added] = await tx.all<{ id: number }>(insertGeneration, [name, fingerprint, current ?? 0]);
        if (added === undefined) return;
        for (const part of INDEX_PARTS) await tx.all(queueAll, [added.id, ...keysOf(part)]);
      }),
    switchTo: (generation) =>
      engine.transaction(async (tx) => {
        if ((await tx.all(lockBuilding, [generation])).length === 0) return false;
        await tx.all(dropCurrent, [generation]);
        await tx.all(makeCurrent, [generation]);
        return true;
      }),
    dropGeneration: (generation, limit) =>
      engine.transaction(async (tx) => {
        if ((await tx.all(dropGeneration, [generation])).length === 0) return true;
        await tx.all(deletePages, [generation, limit]);
        if ((await tx.all(selectRest, [generation])).length > 0) return false;
        for (const statement of deleteRest) await tx.all(statement, [generation]);
        return true;
      }, 'later'),
    async stored() {
      const [row] = await engine.reader.all<{ pages: number; chunks: number }>(
        `select cast(coalesce(sum(pages), 0) as bigint) as pages, cast(coalesce(sum(chunks), 0) as bigint) as chunks from version_counts`,
      );
      return { pages: row?.pages ?? 0, chunks: row?.chunks ?? 0 };
    },
  };
}

const queueVersion = `insert into point_queue (generation_id, version_id, after_key, end_key, enqueued_at) values ($1, $2, $3, $4, now_ms())
  on conflict (generation_id, version_id, end_key) do update set after_key = excluded.after_key,
    enqueued_at = case when excluded.enqueued_at > point_queue.enqueued_at then excluded.enqueued_at else point_queue.enqueued_at + 1 end`;
const selectQueue = `select version_id, after_key, enqueued_at from point_queue where generation_id = $1 and end_key = $2 order by enqueued_at, version_id limit 1`;
const selectWindow = `select url_key from pages where version_id = $2 and url_key > $3 and url_key <= $4
  union select url_key from point_pages where generation_id = $1 and version_id = $2 and url_key > $3 and url_key <= $4 and state = ${POINT_STATE.current}
  order by url_key`;
/** Not if the version was queued again since: then it is indexed from its first page. */
const advanceQueue = `update point_queue set after_key = $5 where generation_id = $1 and version_id = $2 and end_key = $3 and enqueued_at = $4 and after_key < $5`;
const endQueue = `delete from point_queue where generation_id = $1 and version_id = $2 and end_key = $3 and enqueued_at = $4`;
const countQueued = `select count(*) as pages, (select coalesce(now_ms() - min(enqueued_at), 0) from point_queue where generation_id = $1) as age
  from (select 1 from point_queue q join pages p on p.version_id = q.version_id and p.url_key > q.after_key and p.url_key <= q.end_key where q.generation_id = $1 limit $2) counted`;
const selectQueued = `select 1 as one from point_queue where generation_id = $1 and version_id = $2`;

export function createPointQueue(engine: Engine): Queue {
  const { reader } = engine;
  return {
    queueVersion: (generation, version) =>
      engine.transaction(async (tx) => {
        for (const part of INDEX_PARTS) await tx.all(queueVersion, [generation, version, ...keysOf(part)]);
      }),
    async nextQueued(generation, limit, part) {
      const [, endKey] = keysOf(part);
      const [queued] = await reader.all<{ version_id: number; after_key: Uint8Array; enqueued_at: number }>(
        selectQueue,
        [generation, endKey],
      );
      if (queued === undefined) return null;
      const { version_id: version, after_key: after, enqueued_at: enqueuedAt } = queued;
      const window = await nextKeyWindow(reader, 'pages', version, { after, rows: limit });
      const isLast = window.isLast || Buffer.compare(window.end, endKey) >= 0;
      const end = isLast ? endKey : window.end;
      const keys = await readWindow(reader, [generation, version, after, end]);
      return {
        part,
        version: version as VersionId,
        pages: keys.map((key) => ({ version, key }) as IndexedPageKey),
        end: isLast ? null : (hex(end) as UrlKey),
        enqueuedAt: new Date(enqueuedAt),
      };
    },
    dequeue: (generation, { version, part, end, enqueuedAt }) =>
      engine.transaction(async (tx) => {
        const [, endKey] = keysOf(part);
        const row = [generation, version, endKey, enqueuedAt.getTime()];
        if (end === null) await tx.all(endQueue, row);
        else await tx.all(advanceQueue, [...row, hashBytes(end)]);
      }, 'later'),
    async queued(generation, max) {
      const [row] = await reader.all<{ pages: number; age: number }>(countQueued, [generation, max]);
      return { pages: row?.pages ?? 0, ageMs: Math.max(0, row?.age ?? 0) };
    },
    isQueued: async (generation, version) => (await reader.all(selectQueued, [generation, version])).length > 0,
  };
}

function keysOf({ after, end }: KeyRange): readonly [after: Uint8Array, end: Uint8Array] {
  return [hashBytes(after), hashBytes(end)];
}

async function readWindow(
  reader: Executor,
  values: readonly [generation: number, version: number, after: Uint8Array, end: Uint8Array],
): Promise<readonly string[]> {
  const rows = await reader.all<{ url_key: Uint8Array }>(selectWindow, values);
  return rows.map(({ url_key: key }) => hex(key));
}

const takeLease = `insert into index_leases (part, holder, lease_until) values ($1, $2, now_ms() + $3)
  on conflict (part) do update set holder = excluded.holder, lease_until = excluded.lease_until where index_leases.lease_until <= now_ms()
  returning part`;
const selectHeld = `select 1 as one from index_leases where part = $1 and lease_until > now_ms()`;
const renew = `update index_leases set lease_until = now_ms() + $3 where part = $1 and holder = $2`;
const release = `update index_leases set lease_until = 0 where part = $1 and holder = $2`;

/** One process at a time indexes a part of the pages. */
export function createPartLeases(engine: Engine): Leases {
  // A lost save only means that others wait for the end of the lease.
  const save = (statement: string, values: readonly Value[]): Promise<readonly unknown[]> =>
    engine.transaction((tx) => tx.all(statement, values), 'later');
  return {
    async lease(part, leaseMs): Promise<PartLease | null> {
      // Read first: a transaction makes others wait.
      if ((await engine.reader.all(selectHeld, [part])).length > 0) return null;
      const holder = uuid();
      return (await save(takeLease, [part, holder, leaseMs])).length === 0 ? null : { part, holder };
    },
    renewLease: async ({ part, holder }, leaseMs) => void (await save(renew, [part, holder, leaseMs])),
    releaseLease: async ({ part, holder }) => void (await save(release, [part, holder])),
  };
}
