// Enqueues URLs into the frontier of a run, or records them as excluded. Most URLs are already there, so one that is must cost
// a single index probe.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import {
  DISCOVERY_KINDS,
  USUAL_RANK,
  type DiscoveryKind,
  type FrontierEntry,
  type Exclusion,
} from '../../port/frontier.ts';
import { hashBytes, hex, keyBytes, keyText } from '../engine/codec.ts';
import type { TransactionTail } from '../runs/transaction-tail.ts';
import { batch, keyed, type ColumnType, type Executor, type KeyedBatch, type Value } from '../engine/engine.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { URL_STATE } from '../engine/states.ts';
import type { FrontierLookup, HostedUrl, HostIds, RunInfo } from './frontier-lookup.ts';
import type { WakeHosts } from './host-schedule.ts';

const URL_COLUMNS = {
  url_key: 'bytes',
  host_id: 'int',
  url: 'text',
  depth: 'int',
  rank: 'int',
  priority: 'int',
  found_by: 'int',
  parent_key: 'bytes',
  hops: 'int',
} as const;

const URL_COLUMN = Object.keys(URL_COLUMNS).indexOf('url');
const DEPTH_COLUMN = Object.keys(URL_COLUMNS).indexOf('depth');
const HOST_COLUMN = Object.keys(URL_COLUMNS).indexOf('host_id');
const FOUND_BY_COLUMN = Object.keys(URL_COLUMNS).indexOf('found_by');

/** $1 is the version, $2 the run. */
function urlBatch(sql: string, more: Record<string, ColumnType> = {}): KeyedBatch {
  return keyed('frontier', ['url_key'], batch({ ...URL_COLUMNS, ...more }, sql, ['int', 'int']));
}

const insertNew = urlBatch(
  `insert into frontier (version_id, run_id, url_key, host_id, url, depth, rank, priority, found_by, parent_key, hops, state, enqueued_at)
   select $1, $2, r.url_key, r.host_id, r.url, r.depth, r.rank, r.priority, r.found_by, r.parent_key, r.hops, ${URL_STATE.queued}, now_ms() from {rows} r where true
   on conflict do nothing`,
);

/** A URL of an earlier run enters this one. Its last outcome stays readable until it is settled again. */
const takeOver = urlBatch(
  `update frontier set run_id = $2, state = ${URL_STATE.queued}, depth = r.depth, rank = r.rank, priority = r.priority, found_by = r.found_by, parent_key = r.parent_key,
     hops = r.hops, attempts = 0, crashes = 0, enqueued_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2`,
);

/** What a site publishes about itself takes precedence over a link that happened to be found first. */
const promote = urlBatch(
  `update frontier set depth = r.depth, rank = r.rank, priority = r.priority, found_by = r.found_by, parent_key = r.parent_key, hops = r.hops
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.state < ${URL_STATE.settled}
     and frontier.found_by = ${DISCOVERY_KINDS.indexOf('link')}`,
);

const IF_QUEUED = (column: string): string =>
  `${column} = case when frontier.state = ${URL_STATE.queued} then r.${column} else frontier.${column} end`;

/**
 * In a run with a maximum depth: a shorter path to a URL that waits for its level, or that was claimed already, because the page that shows
 * the path needed a second try. The priority of the latter stays what it was: see `shortened-urls.ts`.
 */
const shorten = urlBatch(
  `update frontier set depth = r.depth, parent_key = r.parent_key, ${IF_QUEUED('rank')}, ${IF_QUEUED('priority')}, ${IF_QUEUED('hops')}
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.depth > r.depth
     and frontier.state <> ${URL_STATE.excluded} and frontier.found_by = ${DISCOVERY_KINDS.indexOf('link')}`,
);

/** How the reason of a URL that was too deep begins; see core/url/admission.ts. */
const TOO_DEEP = 'max-depth';

/** A shorter path to a URL that was too deep. */
const admitShorter = urlBatch(
  `update frontier set state = ${URL_STATE.queued}, depth = r.depth, rank = r.rank, priority = r.priority, found_by = r.found_by, parent_key = r.parent_key, hops = r.hops,
     attempts = 0, crashes = 0, enqueued_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.depth > r.depth
     and frontier.state = ${URL_STATE.excluded} and frontier.reason like '${TOO_DEEP}%'`,
);

const insertExcluded = urlBatch(
  `insert into frontier (version_id, run_id, url_key, host_id, url, depth, rank, priority, found_by, parent_key, state, outcome, reason, enqueued_at, settled_at)
   select $1, $2, r.url_key, r.host_id, r.url, r.depth, r.rank, r.priority, r.found_by, r.parent_key, ${URL_STATE.excluded}, ${OUTCOME_CODES.excluded}, r.reason, now_ms(), now_ms() from {rows} r where true
   on conflict do nothing`,
  { reason: 'text' },
);

/** A URL of an earlier run that has no stored page is excluded from this run as well. */
const takeOverExcluded = urlBatch(
  `update frontier set run_id = $2, state = ${URL_STATE.excluded}, outcome = ${OUTCOME_CODES.excluded}, reason = r.reason, target_key = null, depth = r.depth, rank = r.rank, priority = r.priority,
     found_by = r.found_by, parent_key = r.parent_key, hops = r.hops, attempts = 0, crashes = 0, enqueued_at = now_ms(), settled_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2
     and not exists (select 1 from pages where pages.version_id = $1 and pages.url_key = r.url_key)`,
  { reason: 'text' },
);

/** No URL has one in it. */
export const URL_SEPARATOR = ' ';
const MAX_RAW_URLS_CHARS = 1000;

/** Another way in which a link writes a URL. The first few are kept. */
const addRawUrl = batch(
  { url_key: 'bytes', raw_url: 'text' },
  `update frontier set raw_urls = case when raw_urls is null then r.raw_url else raw_urls || '${URL_SEPARATOR}' || r.raw_url end
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and (raw_urls is null or (length(raw_urls) + length(r.raw_url) < ${MAX_RAW_URLS_CHARS}
       and replace('${URL_SEPARATOR}' || raw_urls || '${URL_SEPARATOR}', '${URL_SEPARATOR}' || r.raw_url || '${URL_SEPARATOR}', '') = '${URL_SEPARATOR}' || raw_urls || '${URL_SEPARATOR}'))`,
  ['int'],
);

/** How many URLs a version may have, as a multiple of what a run may find: those that are excluded, and those of earlier runs. */
const VERSION_URLS = 3;

const selectRoom = `select max_urls, n_found, n_excluded, versions.urls from runs join versions on versions.id = runs.version_id where runs.id = $1`;

const selectKnown = batch(
  { url_key: 'bytes' },
  `select frontier.url_key from frontier, {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key`,
  ['int'],
);

type UrlRows = ReadonlyArray<readonly Value[]>;

/** Inserts rows that are new to the version while the run may have more of them; returns those that were inserted. */
async function insertWithinLimit(
  tx: Executor,
  { run, tail }: EnqueueTarget,
  rows: UrlRows,
  { insert, counter }: { readonly insert: KeyedBatch; readonly counter: 'n_found' | 'n_excluded' },
): Promise<Array<readonly Value[]>> {
  if (rows.length === 0) return [];
  const [limits] = await tx.all<RoomRow>(selectRoom, [run.run]);
  const maxUrls = limits?.max_urls ?? null;
  const room =
    limits === undefined || maxUrls === null
      ? Infinity
      : Math.max(0, Math.min(maxUrls - limits[counter], VERSION_URLS * maxUrls - limits.urls));
  const unknown = rows.length <= room ? rows : await withoutKnown(tx, run, rows);
  const inserted = unknown.slice(0, room);
  const added = changedRows(inserted, await tx.changed(insert, inserted, [run.version, run.run]));
  const leftOut = counter === 'n_found' ? unknown.length - inserted.length : 0;
  tail.addUrls({ run: run.run, version: run.version, added: added.length, leftOut });
  return added;
}

interface RoomRow {
  readonly max_urls: number | null;
  readonly n_found: number;
  readonly n_excluded: number;
  readonly urls: number;
}

async function withoutKnown(tx: Executor, { version }: RunInfo, rows: UrlRows): Promise<UrlRows> {
  const keys = rows.map(([key]) => [key as Uint8Array]);
  const known = await tx.each<{ url_key: Uint8Array }>(selectKnown, keys, [version]);
  const knownKeys = new Set(known.map((row) => hex(row.url_key)));
  return rows.filter(([key]) => !knownKeys.has(hex(key as Uint8Array)));
}

export interface EnqueueDeps {
  readonly lookup: FrontierLookup;
  readonly parts: EngineParts;
  readonly wakeHosts: WakeHosts;
}

/** Where URLs are enqueued, with the ids of their hosts. */
export interface EnqueueTarget {
  readonly run: RunInfo;
  readonly tail: TransactionTail;
  readonly hostId: HostIds;
}

/** Within a transaction. Returns how many URLs are new to the run. */
export async function enqueueUrls(
  tx: Executor,
  deps: EnqueueDeps,
  target: EnqueueTarget,
  entries: readonly FrontierEntry[],
): Promise<number> {
  const { run, tail } = target;
  const rows = urlRows(entries, target.hostId, (entry) => entry);
  const scalars = [run.version, run.run];
  const added = await insertWithinLimit(tx, target, rows, { insert: insertNew, counter: 'n_found' });
  if (run.hasPreviousRun) added.push(...changedRows(rows, await tx.changed(takeOver, rows, scalars)));
  const published = rows.filter((row) => row[FOUND_BY_COLUMN] !== DISCOVERY_KINDS.indexOf('link'));
  if (published.length > 0 && added.length < rows.length) await tx.changed(promote, published, scalars);
  if (run.hasLevels && added.length < rows.length) {
    await tx.changed(shorten, rows, scalars);
    const admitted = changedRows(rows, await tx.changed(admitShorter, rows, scalars));
    tail.count(run.run, 'excluded', -admitted.length);
    added.push(...admitted);
  }
  const rawUrls = rawUrlRows(entries);
  await tx.each(
    addRawUrl,
    [...rawUrls.values()].map(({ key, rawUrl }) => [key, rawUrl]),
    [run.version],
  );
  if (added.length === 0) return 0;
  tail.count(run.run, 'found', added.length);
  for (const row of added) {
    const url = row[URL_COLUMN] as PageUrl;
    const written = rawUrls.get(url);
    tail.enqueued(run, {
      url,
      depth: row[DEPTH_COLUMN] as number,
      ...(written && { rawUrl: written.rawUrl }),
    });
  }
  const hosts = new Set(added.map((row) => row[HOST_COLUMN] as number));
  await deps.wakeHosts(
    tx,
    run.run,
    [...hosts].sort((a, b) => a - b),
  );
  return added.length;
}

interface RawUrlRow {
  readonly key: Uint8Array;
  readonly rawUrl: PageUrl;
}

/** Raw URLs by URL, in key order. */
function rawUrlRows(entries: readonly FrontierEntry[]): ReadonlyMap<PageUrl, RawUrlRow> {
  const rows = new Map<PageUrl, RawUrlRow>();
  for (const { url, rawUrl } of entries)
    if (rawUrl != null && rawUrl !== url && !rows.has(url)) rows.set(url, { key: keyBytes(url), rawUrl });
  return new Map([...rows].sort(([, a], [, b]) => Buffer.compare(a.key, b.key)));
}

export async function excludeUrls(
  tx: Executor,
  target: EnqueueTarget,
  exclusions: readonly Exclusion[],
): Promise<void> {
  const rows = urlRows(exclusions, target.hostId, ({ reason }) => ({ priority: 0, reason }));
  const scalars = [target.run.version, target.run.run];
  const excluded = await insertWithinLimit(tx, target, rows, { insert: insertExcluded, counter: 'n_excluded' });
  if (target.run.hasPreviousRun) excluded.push(...changedRows(rows, await tx.changed(takeOverExcluded, rows, scalars)));
  target.tail.count(target.run.run, 'excluded', excluded.length);
  for (const row of excluded) {
    const reason = row.at(-1) as string;
    if (!target.run.recordsExclusion(reason)) continue;
    const [url, depth] = [row[URL_COLUMN] as string, row[DEPTH_COLUMN] as number];
    target.tail.dropped(target.run, { url, outcome: 'excluded', depth, reason });
  }
}

function changedRows<Row>(rows: readonly Row[], changed: readonly boolean[]): Row[] {
  return rows.filter((_, i) => changed[i]);
}

interface DiscoveredUrl extends HostedUrl {
  readonly depth: number;
  readonly foundBy: DiscoveryKind;
  readonly parent: PageUrl | UrlKey | null;
  readonly hops?: number;
}

/**
 * One row per URL, the first entry for it, in key order: two workers that enqueue the same links lock in the same order, and
 * neighbours in the index are written together. Keys are sorted as text, which is much cheaper than as bytes.
 */
function urlRows<T extends DiscoveredUrl>(
  urls: readonly T[],
  hostId: HostIds,
  extraColumns: (item: T) => { readonly rank?: number; readonly priority: number; readonly reason?: string },
): ReadonlyArray<readonly Value[]> {
  const byKey = new Map<string, T>();
  for (const item of urls) {
    const key = keyText(item.url);
    if (!byKey.has(key)) byKey.set(key, item);
  }
  const parents = new Map<PageUrl | UrlKey, Uint8Array>();
  const parentKey = (parent: PageUrl | UrlKey): Uint8Array => {
    const key = parents.get(parent) ?? (isUrl(parent) ? keyBytes(parent) : hashBytes(parent));
    parents.set(parent, key);
    return key;
  };
  return [...byKey.keys()].sort().map((key) => {
    const item = byKey.get(key) as T;
    const { rank = USUAL_RANK, priority, reason } = extraColumns(item);
    const parent = item.parent === null ? null : parentKey(item.parent);
    const level = DISCOVERY_KINDS.indexOf(item.foundBy);
    const order = [rank, priority, level];
    const row: Value[] = [hashBytes(key), hostId(item), item.url, item.depth, ...order, parent, item.hops ?? 0];
    if (reason !== undefined) row.push(reason);
    return row;
  });
}

function isUrl(parent: PageUrl | UrlKey): parent is PageUrl {
  return parent.includes(':');
}
