// Counters, requests to hosts, events and changes: the last writes of every transaction, in this order, so that their locks are
// short and transactions do not deadlock.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { JsonObject } from '../../port/json.ts';
import { jsonText } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { CHANGE_KIND } from '../engine/states.ts';
import { COUNTERS, counterColumn, QUEUE_SIZE, type Counter } from './run-row.ts';
import { compareText } from '../../../core/text/compare-text.ts';

const QUEUE_COLUMNS = `runs.id, runs.n_found as found, ${QUEUE_SIZE} as queue_size`;

const COUNTER_COLUMNS = COUNTERS.map(counterColumn);

const addCounts = batch(
  { run_id: 'int', ...Object.fromEntries(COUNTER_COLUMNS.map((column) => [column, 'int' as const])) },
  `update runs set ${COUNTER_COLUMNS.map((column) => `${column} = runs.${column} + r.${column}`).join(', ')}, active_at = now_ms() from {rows} r where runs.id = r.run_id
   returning ${QUEUE_COLUMNS}, case when runs.ended_at is null then 0 else 1 end as has_ended`,
);

const selectQueue = `select ${QUEUE_COLUMNS} from runs where runs.id = $1`;

const addEvents = batch(
  { run_id: 'int', events: 'int' },
  `update runs set events = runs.events + r.events, last_event_at = now_ms() from {rows} r where runs.id = r.run_id`,
);

const addUrls = `update versions set urls = urls + $2 where id = $1`;
const addLeftOut = `update runs set left_out = left_out + $2 where id = $1`;

export const MINUTE_MS = 60_000;
export const MINUTE = `cast(now_ms() / ${MINUTE_MS} as integer)`;

/** After the row of the run, whose lock keeps the others of the same run away. */
const addRequests = batch(
  {
    run_id: 'int',
    host: 'text',
    requests: 'int',
    pages: 'int',
    errors: 'int',
    bytes: 'int',
    status: 'int',
  },
  `insert into run_hosts (run_id, host, requests, pages, errors, bytes, last_status, last_at, minute, in_minute, in_minute_before)
   select r.run_id, r.host, r.requests, r.pages, r.errors, r.bytes, r.status, now_ms(), ${MINUTE}, r.requests, 0 from {rows} r where true
   on conflict (run_id, host) do update set requests = run_hosts.requests + excluded.requests, pages = run_hosts.pages + excluded.pages,
     errors = run_hosts.errors + excluded.errors, bytes = run_hosts.bytes + excluded.bytes,
     last_status = excluded.last_status, last_at = excluded.last_at, minute = excluded.minute,
     in_minute = excluded.in_minute + case when run_hosts.minute = excluded.minute then run_hosts.in_minute else 0 end,
     in_minute_before = case when run_hosts.minute = excluded.minute then run_hosts.in_minute_before
       when run_hosts.minute = excluded.minute - 1 then run_hosts.in_minute else 0 end`,
);

/** One row is locked for both, until the commit. */
const reserve = `update event_head set last = last + $1, last_change = last_change + $2 returning last, last_change`;

const insertEvents = batch(
  { seq: 'int', source_id: 'int', run_id: 'int', kind: 'text', url: 'text', detail: 'text' },
  `insert into events (seq, at, source_id, run_id, kind, url, detail)
   select r.seq, now_ms(), r.source_id, r.run_id, r.kind, r.url, r.detail from {rows} r where true`,
);

const insertChange = batch(
  {
    position: 'int',
    version_id: 'int',
    source_id: 'int',
    kind: 'int',
    url_key: 'bytes',
    url: 'text',
    chunk_digest: 'bytes',
    added: 'bytes',
    removed: 'bytes',
  },
  `insert into changes (position, at, version_id, source_id, kind, url_key, url, chunk_digest, added, removed)
   select r.position, now_ms(), r.version_id, r.source_id, r.kind, r.url_key, r.url, r.chunk_digest, r.added, r.removed from {rows} r where true`,
);

/** Whatever the size of its run. */
export const ALL_RUNS = Number.MAX_SAFE_INTEGER;

export interface NewEvent {
  readonly source: number;
  readonly run: number;
  readonly kind: string;
  readonly url: PageUrl | null;
  readonly detail: JsonObject;
  /** For an event of the queue, which gets the size of the queue: how many URLs its run may have for it to be written. */
  readonly ofRunsUpTo?: number;
}

export interface NewChange {
  readonly version: number;
  readonly source: number;
  readonly key: Uint8Array;
  readonly url: PageUrl;
  readonly hadChunks: boolean;
  /** Digest of the page's current chunks; null if it has none. */
  readonly digest: Uint8Array | null;
  /** Ids of chunks, packed. */
  readonly added: Uint8Array;
  readonly removed: Uint8Array;
}

interface CountedRequest {
  readonly run: number;
  readonly host: string;
  readonly isPage: boolean;
  readonly isError: boolean;
  readonly bytes: number;
  readonly status: number | null;
}

interface EnqueuedUrl {
  readonly url: string;
  readonly depth: number;
  readonly rawUrl?: string;
  readonly reason?: string;
}

interface DroppedUrl {
  readonly url: string;
  /** An excluded URL was never accepted. */
  readonly outcome: 'excluded' | 'dropped';
  readonly depth: number;
  readonly reason: string;
}

type RunOfSource = Pick<NewEvent, 'run' | 'source'>;

interface QueueRow {
  readonly id: number;
  readonly found: number;
  readonly queue_size: number;
}

interface CountedRun extends QueueRow {
  readonly has_ended: number;
}

export interface AddedUrls {
  readonly run: number;
  readonly version: number;
  readonly added: number;
  readonly leftOut: number;
}

/** Counters, events and changes of a transaction, collected on the way and written at its end. */
export interface TransactionTail {
  count(run: number, counter: Counter, by: number): void;
  /** New rows of the frontier, and links that got none. */
  addUrls(urls: AddedUrls): void;
  append(event: NewEvent): void;
  /** A URL that enters the queue, for the first time in the run or again. */
  enqueued(run: RunOfSource & { readonly queueEventMaxUrls: number }, url: EnqueuedUrl): void;
  /** A URL that leaves the queue, or never enters it, without a fetch. */
  dropped(run: RunOfSource, url: DroppedUrl): void;
  /** A request of a run to a host. */
  request(request: CountedRequest): void;
  announce(changes: readonly NewChange[]): void;
  /** Returns the runs that were counted for although they have ended. */
  write(tx: Executor): Promise<ReadonlySet<number>>;
}

export function createTransactionTail(): TransactionTail {
  const counts = new Map<number, Map<Counter, number>>();
  const events: NewEvent[] = [];
  const announced: NewChange[] = [];
  const requests: CountedRequest[] = [];
  const urls: AddedUrls[] = [];
  return {
    count(run, counter, by) {
      if (by === 0) return;
      const countsOfRun = counts.get(run) ?? new Map<Counter, number>();
      countsOfRun.set(counter, (countsOfRun.get(counter) ?? 0) + by);
      counts.set(run, countsOfRun);
    },
    addUrls(some) {
      urls.push(some);
    },
    append(event) {
      events.push(event);
    },
    enqueued({ run, source, queueEventMaxUrls: ofRunsUpTo }, { url, ...detail }) {
      if (ofRunsUpTo > 0) events.push({ source, run, kind: 'enqueued', url: url as PageUrl, detail, ofRunsUpTo });
    },
    dropped({ run, source }, { url, ...detail }) {
      events.push({ source, run, kind: 'drop', url: url as PageUrl, detail, ofRunsUpTo: ALL_RUNS });
    },
    request(request) {
      requests.push(request);
    },
    announce(changes) {
      announced.push(...changes);
    },
    async write(tx) {
      const rows = [...counts].sort(([a], [b]) => a - b);
      const queues = await tx.each<CountedRun>(
        addCounts,
        rows.map(([run, countsOfRun]) => [run, ...COUNTERS.map((name) => countsOfRun.get(name) ?? 0)]),
      );
      for (const { run, version, added, leftOut } of urls) {
        if (leftOut > 0) await tx.all(addLeftOut, [run, leftOut]);
        if (added > 0) await tx.all(addUrls, [version, added]);
      }
      await addToHosts(tx, requests);
      const ended = new Set(queues.filter((row) => row.has_ended === 1).map(({ id }) => id));
      const written = await withQueueSizes(tx, events, queues);
      if (written.length + announced.length === 0) return ended;
      await tx.each(addEvents, eventsByRun(written));
      const counted = [written.length, announced.length];
      const [head] = await tx.all<{ last: number; last_change: number }>(reserve, counted);
      const first = (head?.last ?? 0) - written.length + 1;
      await tx.each(
        insertEvents,
        written.map((event, i) => [first + i, event.source, event.run, event.kind, event.url, jsonText(event.detail)]),
      );
      await insertChanges(tx, announced, (head?.last_change ?? 0) - announced.length + 1);
      return ended;
    },
  };
}

/** In the order of the runs, as all writers lock them. */
function eventsByRun(events: readonly NewEvent[]): ReadonlyArray<readonly [run: number, events: number]> {
  const groups = Map.groupBy(events, ({ run }) => run);
  return [...groups].map(([run, { length }]) => [run, length] as const).sort(([a], [b]) => a - b);
}

/** One row for each run and host, in the order of both, so that two transactions wait for each other at most once. */
async function addToHosts(tx: Executor, requests: readonly CountedRequest[]): Promise<void> {
  const groups = Map.groupBy(requests, ({ run, host }) => `${String(run).padStart(12)} ${host}`);
  const rows = [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => rowOf(group));
  await tx.each(addRequests, rows);
}

function rowOf(group: readonly CountedRequest[]): readonly (string | number | null)[] {
  const { run, host, status } = group.at(-1) as CountedRequest;
  const pages = group.filter(({ isPage }) => isPage).length;
  const errors = group.filter(({ isError }) => isError).length;
  const bytes = group.reduce((sum, one) => sum + one.bytes, 0);
  return [run, host, group.length, pages, errors, bytes, status];
}

async function insertChanges(tx: Executor, changes: readonly NewChange[], first: number): Promise<void> {
  await tx.each(
    insertChange,
    changes.map((change, i) => [
      first + i,
      change.version,
      change.source,
      kindOf(change),
      change.key,
      change.url,
      change.digest,
      change.added,
      change.removed,
    ]),
  );
}

/** To a reader, a page is what can be found: one without chunks is not there. */
function kindOf({ hadChunks, digest }: NewChange): number {
  if (digest === null) return CHANGE_KIND.removed;
  return hadChunks ? CHANGE_KIND.changed : CHANGE_KIND.new;
}

/** The size is that at the end of the transaction, so it is the same for all URLs that a page enqueues. */
async function withQueueSizes(
  tx: Executor,
  events: readonly NewEvent[],
  known: readonly QueueRow[],
): Promise<readonly NewEvent[]> {
  const queues = new Map(known.map((row) => [row.id, row]));
  const written: NewEvent[] = [];
  for (const event of events) {
    if (event.ofRunsUpTo === undefined) {
      written.push(event);
      continue;
    }
    if (!queues.has(event.run))
      for (const row of await tx.all<QueueRow>(selectQueue, [event.run])) queues.set(row.id, row);
    const { found, queue_size: queueSize } = queues.get(event.run) ?? { found: 0, queue_size: 0 };
    if (found <= event.ofRunsUpTo) written.push({ ...event, detail: { ...event.detail, queueSize } });
  }
  return written;
}

/** A single event, at the end of its transaction. */
export async function appendEvent(tx: Executor, event: NewEvent): Promise<void> {
  const tail = createTransactionTail();
  tail.append(event);
  await tail.write(tx);
}
