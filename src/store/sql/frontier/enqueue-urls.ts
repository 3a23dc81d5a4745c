// Enqueues URLs into the frontier of a run, or records them as excluded. Most URLs are already there, so one that is must cost
// a single index probe.

import { cacheLoads, createLruCache } from '../../../core/model/lru-cache.ts';
import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import { hostOf, type PageUrl, type UrlKey } from '../../../core/model/page-url.ts';
import type { RunId } from '../../../core/model/run.ts';
import { DISCOVERY_KINDS, type DiscoveryKind, type FrontierEntry, type Exclusion } from '../../port.ts';
import { hashBytes, keyBytes, keyText } from '../engine/codec.ts';
import type { Tally } from '../runs/tally.ts';
import {
  batch,
  keyed,
  type ColumnType,
  type Engine,
  type Executor,
  type KeyedBatch,
  type Value,
} from '../engine/engine.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { URL_STATE } from '../engine/states.ts';
import type { WakeHosts } from './host-schedule.ts';

const URL_COLUMNS = {
  url_key: 'bytes',
  host_id: 'int',
  url: 'text',
  depth: 'int',
  priority: 'int',
  found_by: 'int',
  parent_key: 'bytes',
  hops: 'int',
} as const;

const HOST_COLUMN = Object.keys(URL_COLUMNS).indexOf('host_id');
const FOUND_BY_COLUMN = Object.keys(URL_COLUMNS).indexOf('found_by');

/** $1 is the version, $2 the run. */
function urlBatch(sql: string, more: Record<string, ColumnType> = {}): KeyedBatch {
  return keyed('frontier', ['url_key'], batch({ ...URL_COLUMNS, ...more }, sql, ['int', 'int']));
}

const insertNew = urlBatch(
  `insert into frontier (version_id, run_id, url_key, host_id, url, depth, priority, found_by, parent_key, hops, state, enqueued_at)
   select $1, $2, r.url_key, r.host_id, r.url, r.depth, r.priority, r.found_by, r.parent_key, r.hops, ${URL_STATE.queued}, now_ms() from {rows} r where true
   on conflict do nothing`,
);

/** A URL of an earlier run enters this one. Its last outcome stays readable until it is settled again. */
const takeOver = urlBatch(
  `update frontier set run_id = $2, state = ${URL_STATE.queued}, depth = r.depth, priority = r.priority, found_by = r.found_by, parent_key = r.parent_key,
     hops = r.hops, attempts = 0, crashes = 0, enqueued_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2`,
);

/** What a site publishes about itself takes precedence over a link that happened to be found first. */
const promote = urlBatch(
  `update frontier set depth = r.depth, priority = r.priority, found_by = r.found_by, parent_key = r.parent_key, hops = r.hops
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.state < ${URL_STATE.settled}
     and frontier.found_by = ${DISCOVERY_KINDS.indexOf('link')}`,
);

/** In a run with a maximum depth: a shorter path to a URL that waits for its level. */
const shorten = urlBatch(
  `update frontier set depth = r.depth, priority = r.priority, parent_key = r.parent_key, hops = r.hops
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.depth > r.depth
     and frontier.state = ${URL_STATE.queued} and frontier.found_by = ${DISCOVERY_KINDS.indexOf('link')}`,
);

/** How the reason of a URL that was too deep begins; see core/url/admission.ts. */
const TOO_DEEP = 'max-depth';

/** A shorter path to a URL that was too deep. */
const admitShorter = urlBatch(
  `update frontier set state = ${URL_STATE.queued}, depth = r.depth, priority = r.priority, found_by = r.found_by, parent_key = r.parent_key, hops = r.hops,
     attempts = 0, crashes = 0, enqueued_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.depth > r.depth
     and frontier.state = ${URL_STATE.excluded} and frontier.reason like '${TOO_DEEP}%'`,
);

const insertExcluded = urlBatch(
  `insert into frontier (version_id, run_id, url_key, host_id, url, depth, priority, found_by, parent_key, state, outcome, reason, enqueued_at, settled_at)
   select $1, $2, r.url_key, r.host_id, r.url, r.depth, r.priority, r.found_by, r.parent_key, ${URL_STATE.excluded}, ${OUTCOME_CODES.excluded}, r.reason, now_ms(), now_ms() from {rows} r where true
   on conflict do nothing`,
  { reason: 'text' },
);

/** A URL of an earlier run that has no stored page is excluded from this run as well. */
const takeOverExcluded = urlBatch(
  `update frontier set run_id = $2, state = ${URL_STATE.excluded}, outcome = ${OUTCOME_CODES.excluded}, reason = r.reason, target_key = null, depth = r.depth, priority = r.priority,
     found_by = r.found_by, parent_key = r.parent_key, hops = r.hops, attempts = 0, crashes = 0, enqueued_at = now_ms(), settled_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2
     and not exists (select 1 from pages where pages.version_id = $1 and pages.url_key = r.url_key)`,
  { reason: 'text' },
);

const insertHosts = batch(
  { host: 'text', delay_ms: 'int' },
  `insert into hosts (host, delay_ms) select r.host, r.delay_ms from {rows} r where true on conflict do nothing`,
);

const findHosts = batch({ host: 'text' }, `select id, hosts.host from hosts, {rows} r where hosts.host = r.host`);

export interface RunFacts {
  readonly run: RunId;
  readonly source: number;
  readonly version: number;
  /** The version has URLs of an earlier run. */
  readonly hasPreviousRun: boolean;
  /** It has a maximum depth: see `openLevel`. */
  readonly hasLevels: boolean;
  /** It only fetches what failed before: links to URLs of earlier runs are left to the next full run. */
  readonly isRetry: boolean;
}

export interface FrontierLookup {
  runFacts(run: RunId): Promise<RunFacts>;
  /** Registers new hosts and returns the ids of all. Must be called before the transaction that enqueues their URLs. */
  registerHosts(urls: Iterable<HostedUrl>): Promise<HostIds>;
}

export type HostIds = (url: HostedUrl) => number;

/** A URL, and the host whose rate limit applies if that is not its own host. */
interface HostedUrl {
  readonly url: PageUrl;
  readonly host?: string;
}

const MAX_CACHED_RUNS = 1000;
const MAX_CACHED_HOSTS = 10_000;

/** Ids of hosts and facts of runs never change, so each process caches them. */
export function createFrontierLookup(engine: Engine, startDelayMs: number): FrontierLookup {
  const cache = createLruCache<string, number>(MAX_CACHED_HOSTS);
  return {
    runFacts: cacheLoads(MAX_CACHED_RUNS, (run: RunId) => readRunFacts(engine.reader, run)),
    async registerHosts(urls) {
      const ids = new Map<string, number>();
      const missing = new Set<string>();
      for (const item of urls) {
        const host = rateLimitedHost(item);
        const id = ids.get(host) ?? cache.get(host);
        if (id === undefined) missing.add(host);
        else ids.set(host, id);
      }
      const hostId = hostIds(ids);
      if (missing.size === 0) return hostId;
      const newHosts = [...missing].sort();
      await engine.transaction((tx) =>
        tx.each(
          insertHosts,
          newHosts.map((host) => [host, startDelayMs]),
        ),
      );
      const rows = await engine.reader.each<{ id: number; host: string }>(
        findHosts,
        newHosts.map((host) => [host]),
      );
      for (const { id, host } of rows) {
        ids.set(host, id);
        cache.set(host, id);
      }
      return hostId;
    },
  };
}

function hostIds(ids: ReadonlyMap<string, number>): HostIds {
  return (item) => {
    const id = ids.get(rateLimitedHost(item));
    if (id === undefined) throw new Error(`the host of ${item.url} was not registered before the transaction`);
    return id;
  };
}

function rateLimitedHost({ url, host }: HostedUrl): string {
  return host ?? hostOf(url);
}

async function readRunFacts(reader: Executor, run: RunId): Promise<RunFacts> {
  const [row] = await reader.all<{
    source_id: number;
    version_id: number;
    mode: string;
    has_levels: number | boolean;
    has_previous: number | boolean;
  }>(
    `select source_id, version_id, mode, open_depth is not null as has_levels, exists (select 1 from runs earlier where earlier.version_id = runs.version_id and earlier.id < runs.id) as has_previous
     from runs where id = $1`,
    [run],
  );
  if (row === undefined) throw new Error(`run ${run} does not exist`);
  return {
    run,
    source: row.source_id,
    version: row.version_id,
    hasPreviousRun: Boolean(row.has_previous),
    hasLevels: Boolean(row.has_levels),
    isRetry: row.mode === 'retry',
  };
}

export interface EnqueueDeps {
  readonly lookup: FrontierLookup;
  readonly parts: EngineParts;
  readonly wakeHosts: WakeHosts;
}

/** Where URLs are enqueued, with the ids of their hosts. */
export interface EnqueueTarget {
  readonly run: RunFacts;
  readonly tally: Tally;
  readonly hostId: HostIds;
}

/** Within a transaction. Returns how many URLs are new to the run. */
export async function enqueueUrls(
  tx: Executor,
  deps: EnqueueDeps,
  target: EnqueueTarget,
  entries: readonly FrontierEntry[],
): Promise<number> {
  const { run, tally } = target;
  const rows = urlRows(entries, target.hostId, (entry) => entry);
  const scalars = [run.version, run.run];
  const added = changedRows(rows, await tx.changed(insertNew, rows, scalars));
  if (run.hasPreviousRun) added.push(...changedRows(rows, await tx.changed(takeOver, rows, scalars)));
  const published = rows.filter((row) => row[FOUND_BY_COLUMN] !== DISCOVERY_KINDS.indexOf('link'));
  if (published.length > 0 && added.length < rows.length) await tx.changed(promote, published, scalars);
  if (run.hasLevels && added.length < rows.length) {
    await tx.changed(shorten, rows, scalars);
    const admitted = changedRows(rows, await tx.changed(admitShorter, rows, scalars));
    tally.count(run.run, 'excluded', -admitted.length);
    added.push(...admitted);
  }
  if (added.length === 0) return 0;
  tally.count(run.run, 'found', added.length);
  const hosts = new Set(added.map((row) => row[HOST_COLUMN] as number));
  await deps.wakeHosts(
    tx,
    run.run,
    [...hosts].sort((a, b) => a - b),
  );
  return added.length;
}

export async function excludeUrls(
  tx: Executor,
  target: EnqueueTarget,
  exclusions: readonly Exclusion[],
): Promise<void> {
  const rows = urlRows(exclusions, target.hostId, ({ reason }) => ({ priority: 0, reason }));
  const scalars = [target.run.version, target.run.run];
  const excluded = changedRows(rows, await tx.changed(insertExcluded, rows, scalars));
  if (target.run.hasPreviousRun) excluded.push(...changedRows(rows, await tx.changed(takeOverExcluded, rows, scalars)));
  target.tally.count(target.run.run, 'excluded', excluded.length);
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
  extraColumns: (item: T) => { readonly priority: number; readonly reason?: string },
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
    const { priority, reason } = extraColumns(item);
    const parent = item.parent === null ? null : parentKey(item.parent);
    const level = DISCOVERY_KINDS.indexOf(item.foundBy);
    const row: Value[] = [hashBytes(key), hostId(item), item.url, item.depth, priority, level, parent, item.hops ?? 0];
    if (reason !== undefined) row.push(reason);
    return row;
  });
}

function isUrl(parent: PageUrl | UrlKey): parent is PageUrl {
  return parent.includes(':');
}
