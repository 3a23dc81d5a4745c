// Enqueues URLs into the frontier of a run, or records them as excluded. Most URLs are already there, so one that is must cost
// a single index probe.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import { DISCOVERY_KINDS, type DiscoveryKind, type FrontierEntry, type Exclusion } from '../../port.ts';
import { hashBytes, keyBytes, keyText } from '../engine/codec.ts';
import type { Tally } from '../runs/tally.ts';
import { batch, keyed, type ColumnType, type Executor, type KeyedBatch, type Value } from '../engine/engine.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { URL_STATE } from '../engine/states.ts';
import type { FrontierLookup, HostedUrl, HostIds, RunFacts } from './frontier-lookup.ts';
import type { WakeHosts } from './host-schedule.ts';
import { tellDrop, tellEnqueued, type DroppedUrl } from './queue-events.ts';

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

const URL_COLUMN = Object.keys(URL_COLUMNS).indexOf('url');
const DEPTH_COLUMN = Object.keys(URL_COLUMNS).indexOf('depth');
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

/** No URL has one in it. */
export const ALIAS_SEPARATOR = ' ';
const MAX_ALIASES_CHARS = 1000;

/** Another way in which a link writes a URL. The first few are kept. */
const addAlias = batch(
  { url_key: 'bytes', alias: 'text' },
  `update frontier set aliases = case when aliases is null then r.alias else aliases || '${ALIAS_SEPARATOR}' || r.alias end
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key
     and (aliases is null or (length(aliases) + length(r.alias) < ${MAX_ALIASES_CHARS}
       and replace('${ALIAS_SEPARATOR}' || aliases || '${ALIAS_SEPARATOR}', '${ALIAS_SEPARATOR}' || r.alias || '${ALIAS_SEPARATOR}', '') = '${ALIAS_SEPARATOR}' || aliases || '${ALIAS_SEPARATOR}'))`,
  ['int'],
);

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
  const aliases = aliasRows(entries);
  await tx.each(
    addAlias,
    [...aliases.values()].map(({ key, alias }) => [key, alias]),
    [run.version],
  );
  if (added.length === 0) return 0;
  tally.count(run.run, 'found', added.length);
  for (const row of added) {
    const url = row[URL_COLUMN] as PageUrl;
    const written = aliases.get(url);
    tellEnqueued(tally, run, { url, depth: row[DEPTH_COLUMN] as number, ...(written && { alias: written.alias }) });
  }
  const hosts = new Set(added.map((row) => row[HOST_COLUMN] as number));
  await deps.wakeHosts(
    tx,
    run.run,
    [...hosts].sort((a, b) => a - b),
  );
  return added.length;
}

interface AliasRow {
  readonly key: Uint8Array;
  readonly alias: PageUrl;
}

/** By URL, in key order. */
function aliasRows(entries: readonly FrontierEntry[]): ReadonlyMap<PageUrl, AliasRow> {
  const rows = new Map<PageUrl, AliasRow>();
  for (const { url, alias } of entries)
    if (alias != null && alias !== url && !rows.has(url)) rows.set(url, { key: keyBytes(url), alias });
  return new Map([...rows].sort(([, a], [, b]) => Buffer.compare(a.key, b.key)));
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
  for (const row of excluded) {
    const reason = row.at(-1) as string;
    if (target.run.tellsExclusion(reason)) tellDrop(target.tally, target.run, droppedUrl(row, reason));
  }
}

function droppedUrl(row: readonly Value[], reason: string): DroppedUrl {
  return { url: row[URL_COLUMN] as string, outcome: 'excluded', depth: row[DEPTH_COLUMN] as number, reason };
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
