// The frontier port over either engine: claims, and lists of the URLs of a run.

import { PinakesError } from '../../../core/model/errors.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { RunId, SourceId, VersionId } from '../../../core/model/run.ts';
import { DISCOVERY_KINDS, type Claim, type Frontier, type ShortenedUrls } from '../../port/frontier.ts';
import type { RunLease } from '../../port/runs.ts';
import { hashOf, hex, keyBytes } from '../engine/codec.ts';
import type { ClaimedRow, ClaimLimits } from '../engine/engine-parts.ts';
import { batch, type Engine, type Value } from '../engine/engine.ts';
import { RETRY_RANK, URL_STATE } from '../engine/states.ts';
import { confirmMissing } from '../pages/confirm-missing.ts';
import { inLiveRun, LEASE_HELD, leaseValues, RUN_IS_DRAINED } from '../runs/run-row.ts';
import { createTransactionTail } from '../runs/transaction-tail.ts';
import { breakAliasCycles } from './break-alias-cycles.ts';
import { enqueuePrevious, previousUrls } from './enqueue-previous.ts';
import { enqueueUrls, excludeUrls } from './enqueue-urls.ts';
import type { FrontierLookup, RunInfo } from './frontier-lookup.ts';
import { listUrls, locateUrl, readReasons, versionsOfUrl } from './read-urls.ts';
import { excludeOverflow } from './page-limit.ts';
import { settleClaims, type SettleDeps } from './settle-claims.ts';

const CLAIM_COLUMNS = { version_id: 'int', url_key: 'bytes', fence: 'int', worker: 'text' } as const;

const IS_CLAIMED_BY_US = `frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state = ${URL_STATE.claimed} and frontier.fence = r.fence and frontier.worker = r.worker`;

const renew = batch(
  CLAIM_COLUMNS,
  `update frontier set due_at = now_ms() + $1 from {rows} r where ${IS_CLAIMED_BY_US} returning frontier.version_id, frontier.url_key, r.fence as fence`,
  ['int'],
);

const selectHeld = batch(
  CLAIM_COLUMNS,
  `select frontier.version_id, frontier.url_key, r.fence as fence from frontier, {rows} r where ${IS_CLAIMED_BY_US}`,
);

const release = batch(
  CLAIM_COLUMNS,
  `update frontier set state = ${URL_STATE.queued}, worker = null, due_at = null, attempts = attempts - 1 from {rows} r where ${IS_CLAIMED_BY_US}
   returning frontier.run_id, frontier.host_id, frontier.url, frontier.depth`,
);

const DEPTH = `case when priority < 0 then 0 else priority end`;
/** Covered by the index of claimable URLs; bench/store/page-revisions.ts measures it. */
const selectQueueByDepth = `select ${DEPTH} as depth, count(*) as urls from (select priority from frontier where run_id = $1 and state = ${URL_STATE.queued} limit $2) counted
  group by ${DEPTH} order by 1`;

const selectQueued = `select 1 as one from frontier where run_id = $1 and state = ${URL_STATE.queued} limit 1`;
/** The index of leases and delays is small: it has claimed and waiting URLs only. */
const selectClaimed = `select 1 as one from frontier where due_at is not null and state = ${URL_STATE.claimed} and run_id = $1 limit 1`;

/** Two lookups in indexes: the earliest host with queues, and the earliest lease or delay. */
const selectDueIn = `select case when due.at is null or ready.at < due.at then ready.at else due.at end - now_ms() as ms
  from (select min(ready_at) as at from hosts where has_queues) ready, (select min(due_at) as at from frontier where due_at is not null) due`;

const selectIsDrained = `select 1 as one from runs where id = $1 and ${RUN_IS_DRAINED}`;

export function createFrontier(deps: SettleDeps & ClaimLimits): Omit<Frontier, keyof ShortenedUrls> {
  const { engine, lookup, parts, maxAttempts, queueEventMaxUrls } = deps;
  return {
    async enqueue(run, entries) {
      const hostId = await lookup.registerHosts(entries);
      const runInfo = await lookup.runInfo(run);
      return inLiveRun(engine, run, 0, async (tx) => {
        const tail = createTransactionTail();
        const added = await enqueueUrls(tx, deps, { run: runInfo, tail, hostId }, entries);
        await tail.write(tx);
        return added;
      });
    },

    async exclude(run, exclusions) {
      const hostId = await lookup.registerHosts(exclusions);
      const runInfo = await lookup.runInfo(run);
      await inLiveRun(engine, run, undefined, async (tx) => {
        const tail = createTransactionTail();
        await excludeUrls(tx, { run: runInfo, tail, hostId }, exclusions);
        await tail.write(tx);
      });
    },

    async reasons(run, outcome, limit) {
      return readReasons(engine.reader, run, { outcome, limit });
    },

    urls: (run, query) => listUrls(deps, run, query),
    locate: (version, url) => locateUrl(engine, version, url),
    versionsOf: (url) => versionsOfUrl(engine, url),
    enqueuePrevious: (run, after, limit) => enqueuePrevious(deps, run, { after, limit }),

    previousUrls: (run, after, limit, only) => previousUrls(deps, run, { after, limit, only }),
    queueByDepth: (run, limit) => engine.reader.all(selectQueueByDepth, [run, limit]),

    async claim(request) {
      const rows = await parts.claim(request, { maxAttempts, queueEventMaxUrls });
      return rows.map((row) => toClaim(row, request.worker));
    },

    dueInMs: () => dueInMs(deps),

    renew: async (claims, leaseMs) =>
      ofRows(claims, await engine.transaction((tx) => tx.each<ClaimRow>(renew, keysOf(claims), [leaseMs]))),
    held: async (claims) => ofRows(claims, await engine.reader.each<ClaimRow>(selectHeld, keysOf(claims))),

    release: (claims) => releaseClaims(deps, claims),

    settle: (settlements) => settleClaims(deps, settlements),

    confirmMissing: (lease, limit) => confirmMissing(deps, lease, limit),

    excludeOverflow: (lease, reason) => excludeOverflow(engine, lease, reason),

    advanceDepth: (lease) => advanceDepth(deps, lease),

    breakAliasCycles: (lease, limit) => breakAliasCycles(deps, lease, limit),

    hasWork: (run) => hasWork(engine, run),
    isDrained: async (run) => (await engine.reader.all(selectIsDrained, [run])).length > 0,
  };
}

/**
 * Read before the transaction: one that reads with a second connection waits forever once all connections are in transactions. A run that
 * is gone has no claims.
 */
async function runInfos(claims: readonly Claim[], lookup: FrontierLookup): Promise<ReadonlyMap<number, RunInfo>> {
  const infos = new Map<number, RunInfo>();
  for (const run of new Set(claims.map((claim) => claim.run))) {
    const info = await lookup.runInfo(run).catch((error: unknown) => {
      if (error instanceof PinakesError && error.code === 'run.unknown') return null;
      throw error;
    });
    if (info !== null) infos.set(run, info);
  }
  return infos;
}

interface ReleasedRow {
  readonly run_id: number;
  readonly host_id: number;
  readonly url: string;
  readonly depth: number;
}

async function releaseClaims({ engine, lookup, wakeHosts }: SettleDeps, claims: readonly Claim[]): Promise<void> {
  const infos = await runInfos(claims, lookup);
  await engine.transaction(async (tx) => {
    const rows = await tx.each<ReleasedRow>(release, claims.map(claimKey).sort(byKey));
    const hostsOf = Map.groupBy(rows, (row) => row.run_id);
    const tail = createTransactionTail();
    for (const [run, rowsOfRun] of [...hostsOf].sort(([a], [b]) => a - b)) {
      const hosts = [...new Set(rowsOfRun.map((row) => row.host_id))].sort((a, b) => a - b);
      await wakeHosts(tx, run, hosts);
      const info = infos.get(run);
      if (info === undefined) continue;
      for (const { url, depth } of rowsOfRun) tail.enqueued(info, { url, depth, reason: 'released' });
    }
    await tail.write(tx);
  });
}

async function hasWork({ reader }: Engine, run: RunId): Promise<boolean> {
  const isQueued = (await reader.all(selectQueued, [run])).length > 0;
  return isQueued || (await reader.all(selectClaimed, [run])).length > 0;
}

interface ClaimRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly fence: number;
}

/** In the order in which every transaction locks them. */
const keysOf = (claims: readonly Claim[]): Value[][] => claims.map(claimKey).sort(byKey);

/** A process may still work on an earlier claim of a URL that it has claimed again. */
function ofRows(claims: readonly Claim[], rows: readonly ClaimRow[]): readonly Claim[] {
  const keys = new Set(rows.map((row) => `${row.version_id} ${hex(row.url_key)} ${row.fence}`));
  return claims.filter((claim) => keys.has(`${claim.version} ${hex(keyBytes(claim.url))} ${claim.fence}`));
}

async function dueInMs({ engine, parts }: SettleDeps): Promise<number | null> {
  await parts.requireSchema(engine.reader);
  const [row] = await engine.reader.all<{ ms: number | null }>(selectDueIn);
  return row?.ms ?? null;
}

type ClaimKey = [version: number, key: Uint8Array, fence: number, worker: string];

function claimKey(claim: Claim): ClaimKey {
  return [claim.version, keyBytes(claim.url), claim.fence, claim.worker];
}

function byKey(a: ClaimKey, b: ClaimKey): number {
  return Buffer.compare(a[1], b[1]);
}

function toClaim(row: ClaimedRow, worker: string): Claim {
  return {
    run: row.run_id as RunId,
    source: row.source_id as SourceId,
    version: row.version_id as VersionId,
    worker,
    url: row.url as PageUrl,
    depth: row.depth,
    foundBy: DISCOVERY_KINDS[row.found_by] ?? 'link',
    fence: row.fence,
    attempts: row.attempts,
    crashes: row.crashes,
    hops: row.hops,
    delayMs: row.delay_ms,
    startsInMs: row.starts_in_ms,
    reservedAfterMs: row.reserved_after_ms,
    previous:
      row.content_hash === null || row.pipeline_version === null
        ? null
        : {
            etag: row.etag,
            lastModified: row.last_modified,
            contentHash: hashOf(row.content_hash),
            pipelineVersion: row.pipeline_version,
            aliasOf: row.alias_key === null ? null : (hex(row.alias_key) as UrlKey),
            checkedAgoMs: ageMs(row.checked_ago ?? 0),
            pageKind: row.page_kind,
          },
  };
}

/** A time that is ahead by more than this was taken from a clock that was wrong. */
const MAX_AHEAD_MS = 86_400_000;

/** The age of something that was dated by a wrong clock is unknown: it counts as old. */
function ageMs(measuredMs: number): number {
  return measuredMs < -MAX_AHEAD_MS ? Number.MAX_SAFE_INTEGER : Math.max(0, measuredMs);
}

const openFirst = `update runs set open_depth = 0 where id = $1 and open_depth is null`;
const selectOpen = `select open_depth from runs where id = $1`;

/** A URL that is retried may take long: the next level does not wait for it. */
const selectUnfetchedOfLevel = `select 1 as one from frontier where run_id = $1 and state = ${URL_STATE.queued} and rank < ${RETRY_RANK} and priority <= $2 limit 1`;
const selectClaimedOfLevel = `select 1 as one from frontier where due_at is not null and state = ${URL_STATE.claimed} and run_id = $1 and depth <= $2 and attempts = 1 limit 1`;
/** In one statement: between two, a URL of the level may be released and claimed again, or add another one to it. */
const selectNextLevel = `select min(priority) as depth, (${selectClaimedOfLevel}) as claimed from frontier where run_id = $1 and state = ${URL_STATE.queued} and rank < ${RETRY_RANK}`;

const openLevel = `update runs set open_depth = $4 where ${LEASE_HELD} returning id`;
const selectHostsOfRun = `select host_id from host_queues where run_id = $1 order by host_id`;

/** A level is complete before the next one begins, so that the depth of each URL is that of its shortest path, whichever page responded first. */
async function advanceDepth({ engine, wakeHosts }: SettleDeps, lease: RunLease): Promise<void> {
  const { id } = lease.run;
  const [row] = await engine.reader.all<{ open_depth: number | null }>(selectOpen, [id]);
  const depth = row?.open_depth ?? null;
  if (depth === null) return void (await engine.transaction((tx) => tx.all(openFirst, [id])));
  if ((await engine.reader.all(selectUnfetchedOfLevel, [id, depth])).length > 0) return;
  if ((await engine.reader.all(selectClaimedOfLevel, [id, depth])).length > 0) return;
  await engine.transaction(async (tx) => {
    const [next] = await tx.all<{ depth: number | null; claimed: number | null }>(selectNextLevel, [id, depth]);
    if (next?.depth == null || next.depth <= depth || next.claimed !== null) return;
    if ((await tx.all(openLevel, [...leaseValues(lease), next.depth])).length === 0) return;
    const hosts = await tx.all<{ host_id: number }>(selectHostsOfRun, [id]);
    await wakeHosts(
      tx,
      id,
      hosts.map(({ host_id }) => host_id),
    );
  });
}
