// The frontier port over either engine: claims, and lists of the URLs of a run.

import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { RunId, SourceId, VersionId } from '../../../core/model/run.ts';
import { DISCOVERY_KINDS, type Claim, type Frontier } from '../../port.ts';
import { hashOf, hex, keyBytes } from '../engine/codec.ts';
import type { ClaimedRow, ClaimLimits } from '../engine/engine-parts.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { RETRY_PRIORITY, URL_STATE } from '../engine/states.ts';
import { confirmMissing } from '../pages/confirm-missing.ts';
import { RUN_IS_DRAINED } from '../runs/run-row.ts';
import { createTally } from '../runs/tally.ts';
import { breakAliasCycles } from './break-alias-cycles.ts';
import { enqueuePrevious, previousUrls } from './enqueue-previous.ts';
import { enqueueUrls, excludeUrls } from './enqueue-urls.ts';
import { openLevel } from './open-level.ts';
import { tellEnqueued } from './queue-events.ts';
import { listUrls, locateUrl, readReasons, versionsOfUrl } from './read-urls.ts';
import { excludeOverflow, settleClaims, type SettleDeps } from './settle-claims.ts';

const CLAIM_COLUMNS = { version_id: 'int', url_key: 'bytes', fence: 'int', worker: 'text' } as const;

const IS_CLAIMED_BY_US = `frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state = ${URL_STATE.claimed} and frontier.fence = r.fence and frontier.worker = r.worker`;

const renew = batch(
  CLAIM_COLUMNS,
  `update frontier set due_at = now_ms() + $1 from {rows} r where ${IS_CLAIMED_BY_US} returning frontier.version_id, frontier.url_key`,
  ['int'],
);

const release = batch(
  CLAIM_COLUMNS,
  `update frontier set state = ${URL_STATE.queued}, worker = null, due_at = null, attempts = attempts - 1 from {rows} r where ${IS_CLAIMED_BY_US}
   returning frontier.run_id, frontier.host_id, frontier.url, frontier.depth`,
);

const DEPTH = `case when priority < 0 then 0 else priority % ${RETRY_PRIORITY} end`;
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

export function createFrontier(deps: SettleDeps & ClaimLimits): Frontier {
  const { engine, lookup, parts, maxAttempts, queueEventMaxUrls, wakeHosts } = deps;
  return {
    async enqueue(run, entries) {
      const hostId = await lookup.registerHosts(entries);
      const runFacts = await lookup.runFacts(run);
      return engine.transaction(async (tx) => {
        const tally = createTally();
        const added = await enqueueUrls(tx, deps, { run: runFacts, tally, hostId }, entries);
        await tally.write(tx);
        return added;
      });
    },

    async exclude(run, exclusions) {
      const hostId = await lookup.registerHosts(exclusions);
      const runFacts = await lookup.runFacts(run);
      await engine.transaction(async (tx) => {
        const tally = createTally();
        await excludeUrls(tx, { run: runFacts, tally, hostId }, exclusions);
        await tally.write(tx);
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

    renew: (claims, leaseMs) => renewClaims(engine, claims, leaseMs),

    async release(claims) {
      await engine.transaction(async (tx) => {
        const rows = await tx.each<ReleasedRow>(release, claims.map(claimKey).sort(byKey));
        const hostsOf = Map.groupBy(rows, (row) => row.run_id);
        const tally = createTally();
        for (const [run, rowsOfRun] of [...hostsOf].sort(([a], [b]) => a - b)) {
          const hosts = [...new Set(rowsOfRun.map((row) => row.host_id))].sort((a, b) => a - b);
          await wakeHosts(tx, run, hosts);
          const facts = await lookup.runFacts(run as RunId);
          for (const { url, depth } of rowsOfRun) tellEnqueued(tally, facts, { url, depth, reason: 'released' });
        }
        await tally.write(tx);
      });
    },

    settle: (settlements) => settleClaims(deps, settlements),

    confirmMissing: (lease, limit) => confirmMissing(deps, lease, limit),

    excludeOverflow: (lease, reason) => excludeOverflow(engine, lease, reason),

    openLevel: (lease) => openLevel(deps, lease),

    breakAliasCycles: (lease, limit) => breakAliasCycles(deps, lease, limit),

    hasWork: (run) => hasWork(engine, run),
    isDrained: async (run) => (await engine.reader.all(selectIsDrained, [run])).length > 0,
  };
}

interface ReleasedRow {
  readonly run_id: number;
  readonly host_id: number;
  readonly url: string;
  readonly depth: number;
}

async function hasWork({ reader }: Engine, run: RunId): Promise<boolean> {
  const isQueued = (await reader.all(selectQueued, [run])).length > 0;
  return isQueued || (await reader.all(selectClaimed, [run])).length > 0;
}

async function renewClaims(engine: Engine, claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]> {
  const rows = await engine.transaction((tx) =>
    tx.each<{ version_id: number; url_key: Uint8Array }>(renew, claims.map(claimKey).sort(byKey), [leaseMs]),
  );
  const heldKeys = new Set(rows.map((row) => `${row.version_id} ${hex(row.url_key)}`));
  return claims.filter((claim) => heldKeys.has(`${claim.version} ${hex(keyBytes(claim.url))}`));
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
    paceMs: row.pace_ms,
    startsInMs: row.starts_in_ms,
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
