// The constant properties of runs, and the ids of hosts. Each process caches both.

import { pinakesError } from '../../../core/model/errors.ts';
import { createLruCache } from '../../../core/lru-cache.ts';
import { hostOf, type PageUrl } from '../../../core/model/page-url.ts';
import type { RunId } from '../../../core/model/run.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';

const insertHosts = batch(
  { host: 'text', delay_ms: 'int' },
  `insert into hosts (host, delay_ms) select r.host, r.delay_ms from {rows} r where true on conflict do nothing`,
);

const findHosts = batch({ host: 'text' }, `select id, hosts.host from hosts, {rows} r where hosts.host = r.host`);

export interface RunInfo {
  readonly run: RunId;
  readonly source: number;
  readonly version: number;
  /** The version has URLs of an earlier run. */
  readonly hasPreviousRun: boolean;
  /** It has a maximum depth: see `openLevel`. */
  readonly hasLevels: boolean;
  /** It only fetches what failed before: links to URLs of earlier runs are left to the next full run. */
  readonly isRetry: boolean;
  /** How many URLs the run may have for `enqueued` and `dequeued` events to be written. */
  readonly queueEventMaxUrls: number;
  /** Whether a URL that a rule excluded gets an event: false when this process has written enough of them. */
  readonly recordsExclusion: (reason: string) => boolean;
}

export interface FrontierLookup {
  runInfo(run: RunId): Promise<RunInfo>;
  /** Registers new hosts and returns the ids of all. Must be called before the transaction that enqueues their URLs. */
  registerHosts(urls: Iterable<HostedUrl>): Promise<HostIds>;
}

export type HostIds = (url: HostedUrl) => number;

/** A URL, and the host whose rate limit applies if that is not its own host. */
export interface HostedUrl {
  readonly url: PageUrl;
  readonly host?: string;
}

const MAX_CACHED_RUNS = 10_000;
const MAX_CACHED_HOSTS = 10_000;

/** Events of excluded URLs per run and rule. A site with a million links elsewhere must not fill the journal with them. */
const MAX_RECORDED_EXCLUSIONS = 10_000;
/** Some reasons contain figures of their page: all further ones are counted together. */
const MAX_COUNTED_RULES = 1000;
const OTHER_RULES = '';

export function createExclusionLimit(max = MAX_RECORDED_EXCLUSIONS): RunInfo['recordsExclusion'] {
  const reported = new Map<string, number>();
  return (reason) => {
    const rule = reported.has(reason) || reported.size < MAX_COUNTED_RULES ? reason : OTHER_RULES;
    const times = (reported.get(rule) ?? 0) + 1;
    reported.set(rule, times);
    return times <= max;
  };
}

export interface LookupSettings {
  readonly startDelayMs: number;
  readonly queueEventMaxUrls: number;
}

/** Ids of hosts never change, and neither does the info of a run with URLs, so each process caches them. */
export function createFrontierLookup(
  engine: Engine,
  { startDelayMs, queueEventMaxUrls }: LookupSettings,
): FrontierLookup {
  const cache = createLruCache<string, number>(MAX_CACHED_HOSTS);
  const infos = createLruCache<RunId, RunInfo & { readonly isConstant: boolean }>(MAX_CACHED_RUNS);
  return {
    async runInfo(run) {
      const known = infos.get(run);
      if (known?.isConstant === true) return known;
      const row = (await readRunInfo(engine.reader, run)) ?? known;
      if (row === undefined) throw pinakesError('run.unknown', { run: String(run) });
      const recordsExclusion = known?.recordsExclusion ?? createExclusionLimit();
      const info = { ...row, queueEventMaxUrls, recordsExclusion };
      infos.set(run, info);
      return info;
    },
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

type StoredRunInfo = Omit<RunInfo, 'queueEventMaxUrls' | 'recordsExclusion'> & { readonly isConstant: boolean };

async function readRunInfo(reader: Executor, run: RunId): Promise<StoredRunInfo | null> {
  const [row] = await reader.all<{
    source_id: number;
    version_id: number;
    mode: string;
    has_levels: number | boolean;
    is_constant: number | boolean;
    has_previous: number | boolean;
  }>(
    `select source_id, version_id, mode, open_depth is not null as has_levels, open_depth is not null or n_found > 0 or ended_at is not null as is_constant, exists (select 1 from runs earlier where earlier.version_id = runs.version_id and earlier.id < runs.id) as has_previous
     from runs where id = $1`,
    [run],
  );
  if (row === undefined) return null;
  return {
    run,
    source: row.source_id,
    version: row.version_id,
    hasPreviousRun: Boolean(row.has_previous),
    hasLevels: Boolean(row.has_levels),
    isRetry: row.mode === 'retry',
    // Its coordinator opens the first level, if there are levels, before it adds a URL.
    isConstant: Boolean(row.is_constant),
  };
}
