// Puts URLs into a run's frontier. Most offers are known already, so a known URL must cost one index probe.

import { hostOf, type PageUrl, type UrlKey } from '../../../core/model/page-url.ts';
import type { RunId } from '../../../core/model/run.ts';
import { FOUND_BY, type FoundBy, type Offer, type Refusal } from '../../port.ts';
import { hashBytes, keyBytes, keyText } from '../engine/codec.ts';
import type { Tally } from '../runs/tally.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import type { WakeHosts } from './host-schedule.ts';
import {
  batch,
  keyed,
  type ColumnType,
  type Engine,
  type Executor,
  type KeyedBatch,
  type Value,
} from '../engine/engine.ts';

const URL_COLUMNS = {
  url_key: 'bytes',
  host_id: 'int',
  url: 'text',
  depth: 'int',
  rank: 'int',
  found_by: 'int',
  parent_key: 'bytes',
  hops: 'int',
} as const;

const HOST_COLUMN = Object.keys(URL_COLUMNS).indexOf('host_id');
const LEVEL_COLUMN = Object.keys(URL_COLUMNS).indexOf('found_by');

/** $1 is the version, $2 the run. */
function urlBatch(sql: string, more: Record<string, ColumnType> = {}): KeyedBatch {
  return keyed('frontier', ['url_key'], batch({ ...URL_COLUMNS, ...more }, sql, ['int', 'int']));
}

const insertNew = urlBatch(
  `insert into frontier (version_id, run_id, url_key, host_id, url, depth, rank, found_by, parent_key, hops, state, offered_at)
   select $1, $2, r.url_key, r.host_id, r.url, r.depth, r.rank, r.found_by, r.parent_key, r.hops, 0, now_ms() from {rows} r where true
   on conflict do nothing`,
);

/** A URL that an earlier run left behind enters this one. Its last outcome stays readable until it is settled again. */
const takeOver = urlBatch(
  `update frontier set run_id = $2, state = 0, depth = r.depth, rank = r.rank, found_by = r.found_by, parent_key = r.parent_key,
     hops = r.hops, attempts = 0, crashes = 0, offered_at = now_ms()
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id < $2`,
);

/** What a site says of itself stands over a link that happened to be met first. */
const promote = urlBatch(
  `update frontier set depth = r.depth, rank = r.rank, found_by = r.found_by, parent_key = r.parent_key, hops = r.hops
   from {rows} r where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.state < 3
     and frontier.found_by = ${FOUND_BY.indexOf('link')}`,
);

const insertRefused = urlBatch(
  `insert into frontier (version_id, run_id, url_key, host_id, url, depth, rank, found_by, parent_key, state, outcome, reason, offered_at, settled_at)
   select $1, $2, r.url_key, r.host_id, r.url, r.depth, r.rank, r.found_by, r.parent_key, 4, 10, r.reason, now_ms(), now_ms() from {rows} r where true
   on conflict do nothing`,
  { reason: 'text' },
);

/** What an earlier run knew, and no page stands for: it is refused in this run as well, and says so. */
const takeOverRefused = urlBatch(
  `update frontier set run_id = $2, state = 4, outcome = 10, reason = r.reason, target_key = null, depth = r.depth, rank = r.rank,
     found_by = r.found_by, parent_key = r.parent_key, hops = r.hops, attempts = 0, crashes = 0, offered_at = now_ms(), settled_at = now_ms()
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
  /** An earlier run of the version left URLs behind. */
  readonly again: boolean;
  /** It asks what failed before: links that are known already are left to the next whole run. */
  readonly isRetry: boolean;
}

export interface FrontierFacts {
  ofRun(run: RunId): Promise<RunFacts>;
  /** Registers unknown hosts. Must be called before the transaction that offers their URLs. */
  learnHosts(urls: Iterable<PlacedUrl>): Promise<void>;
  hostId(url: PlacedUrl): number;
}

/** A URL, and whose pace it obeys where that is not its own host's. */
interface PlacedUrl {
  readonly url: PageUrl;
  readonly host?: string;
}

/** Ids of hosts and facts of runs never change, so each process remembers them. */
export function createFrontierFacts(engine: Engine, startDelayMs: number): FrontierFacts {
  const runs = new Map<RunId, RunFacts>();
  const hosts = new Map<string, number>();
  return {
    async ofRun(run) {
      const known = runs.get(run) ?? (await readRunFacts(engine.reader, run));
      runs.set(run, known);
      return known;
    },
    async learnHosts(urls) {
      const missing = new Set<string>();
      for (const item of urls) if (!hosts.has(paceOf(item))) missing.add(paceOf(item));
      if (missing.size === 0) return;
      const unknown = [...missing].sort();
      await engine.transaction((tx) =>
        tx.each(
          insertHosts,
          unknown.map((host) => [host, startDelayMs]),
        ),
      );
      const rows = await engine.reader.each<{ id: number; host: string }>(
        findHosts,
        unknown.map((host) => [host]),
      );
      for (const { id, host } of rows) hosts.set(host, id);
    },
    hostId(item) {
      const id = hosts.get(paceOf(item));
      if (id === undefined) throw new Error(`the host of ${item.url} was not learnt before the transaction`);
      return id;
    },
  };
}

function paceOf({ url, host }: PlacedUrl): string {
  return host ?? hostOf(url);
}

async function readRunFacts(reader: Executor, run: RunId): Promise<RunFacts> {
  const [row] = await reader.all<{ source_id: number; version_id: number; mode: string; again: number | boolean }>(
    `select source_id, version_id, mode, exists (select 1 from runs earlier where earlier.version_id = runs.version_id and earlier.id < runs.id) as again
     from runs where id = $1`,
    [run],
  );
  if (row === undefined) throw new Error(`run ${run} does not exist`);
  return {
    run,
    source: row.source_id,
    version: row.version_id,
    again: Boolean(row.again),
    isRetry: row.mode === 'retry',
  };
}

export interface OfferDeps {
  readonly facts: FrontierFacts;
  readonly parts: EngineParts;
  readonly wakeHosts: WakeHosts;
}

/** Inside a transaction. Returns how many URLs are new to the run. */
export async function offerUrls(
  tx: Executor,
  deps: OfferDeps,
  to: { readonly run: RunFacts; readonly tally: Tally },
  offers: readonly Offer[],
): Promise<number> {
  const { run, tally } = to;
  const rows = urlRows(offers, deps.facts, (offer) => offer);
  const scalars = [run.version, run.run];
  const entered = rowsThatChanged(rows, await tx.changed(insertNew, rows, scalars));
  if (run.again) entered.push(...rowsThatChanged(rows, await tx.changed(takeOver, rows, scalars)));
  const stated = rows.filter((row) => row[LEVEL_COLUMN] !== FOUND_BY.indexOf('link'));
  if (stated.length > 0 && entered.length < rows.length) await tx.changed(promote, stated, scalars);
  if (entered.length === 0) return 0;
  tally.count(run.run, 'found', entered.length);
  const hosts = new Set(entered.map((row) => row[HOST_COLUMN] as number));
  await deps.wakeHosts(
    tx,
    run.run,
    [...hosts].sort((a, b) => a - b),
  );
  return entered.length;
}

export async function refuseUrls(
  tx: Executor,
  facts: FrontierFacts,
  to: { readonly run: RunFacts; readonly tally: Tally },
  refusals: readonly Refusal[],
): Promise<void> {
  const rows = urlRows(refusals, facts, ({ reason }) => ({ rank: 0, reason }));
  const scalars = [to.run.version, to.run.run];
  const refused = rowsThatChanged(rows, await tx.changed(insertRefused, rows, scalars));
  if (to.run.again) refused.push(...rowsThatChanged(rows, await tx.changed(takeOverRefused, rows, scalars)));
  to.tally.count(to.run.run, 'refused', refused.length);
}

function rowsThatChanged<Row>(rows: readonly Row[], changed: readonly boolean[]): Row[] {
  return rows.filter((_, i) => changed[i]);
}

interface Found extends PlacedUrl {
  readonly depth: number;
  readonly foundBy: FoundBy;
  readonly parent: PageUrl | UrlKey | null;
  readonly hops?: number;
}

/**
 * One row a URL, the first that names it, in key order: two workers that offer the same links lock in the same order, and
 * neighbours in the index come together. Keys are sorted as text, which is much cheaper than as bytes.
 */
function urlRows<T extends Found>(
  found: readonly T[],
  facts: FrontierFacts,
  rest: (item: T) => { readonly rank: number; readonly reason?: string },
): ReadonlyArray<readonly Value[]> {
  const byKey = new Map<string, T>();
  for (const item of found) {
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
    const { rank, reason } = rest(item);
    const parent = item.parent === null ? null : parentKey(item.parent);
    const level = FOUND_BY.indexOf(item.foundBy);
    const row: Value[] = [
      hashBytes(key),
      facts.hostId(item),
      item.url,
      item.depth,
      rank,
      level,
      parent,
      item.hops ?? 0,
    ];
    if (reason !== undefined) row.push(reason);
    return row;
  });
}

function isUrl(parent: PageUrl | UrlKey): parent is PageUrl {
  return parent.includes(':');
}
