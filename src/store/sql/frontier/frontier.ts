// The frontier's port over either engine.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { RunId, SourceId, VersionId } from '../../../core/model/run.ts';
import { FOUND_BY, type Claim, type Frontier, type OutcomeReason } from '../../port.ts';
import { hashOf, hex, keyBytes } from '../engine/codec.ts';
import { confirmMissing } from '../pages/confirm-missing.ts';
import { createTally } from '../runs/tally.ts';
import { listUrls, locateUrl } from '../list-urls.ts';
import type { ClaimedRow } from '../engine/engine-parts.ts';
import { batch } from '../engine/engine.ts';
import { knownUrls, offerKnown } from './enqueue-previous.ts';
import { offerUrls, refuseUrls } from './enqueue-urls.ts';
import { overflow } from '../page-limit.ts';
import { RUN_IS_DRAINED } from '../runs/run-row.ts';
import { settleClaims, type SettleDeps } from './settle-claims.ts';
import { untangle } from './break-alias-cycles.ts';

const CLAIM_COLUMNS = { version_id: 'int', url_key: 'bytes', fence: 'int' } as const;

const HELD = `frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state = 1 and frontier.fence = r.fence`;

const renew = batch(
  CLAIM_COLUMNS,
  `update frontier set wake_at = now_ms() + $1 from {rows} r where ${HELD} returning frontier.version_id, frontier.url_key`,
  ['int'],
);

const release = batch(
  CLAIM_COLUMNS,
  `update frontier set state = 0, worker = null, wake_at = null, attempts = attempts - 1 from {rows} r where ${HELD}
   returning frontier.run_id, frontier.host_id`,
);

const reasonsOf = `select reason, count(*) as times, min(url) as example from frontier
  where version_id = $1 and run_id = $2 and state >= 3 and outcome = $3 and reason is not null
  group by reason order by count(*) desc, reason limit $4`;

/** Read off the index of what may be claimed alone; bench/store/page-revisions.ts tells how long it takes. */
const queued = `select rank as depth, count(*) as urls from (select rank from frontier where run_id = $1 and state = 0 limit $2) counted
  group by rank order by rank`;

const isDrained = `select 1 as one from runs where id = $1 and ${RUN_IS_DRAINED}`;

export function createFrontier(deps: SettleDeps & { readonly maxAttempts: number }): Frontier {
  const { engine, facts, parts, maxAttempts, wakeHosts } = deps;
  return {
    async offer(run, offers) {
      await facts.learnHosts(offers);
      const ofRun = await facts.ofRun(run);
      return engine.transaction(async (tx) => {
        const tally = createTally();
        const entered = await offerUrls(tx, deps, { run: ofRun, tally }, offers);
        await tally.write(tx);
        return entered;
      });
    },

    async refuse(run, refusals) {
      await facts.learnHosts(refusals);
      const ofRun = await facts.ofRun(run);
      await engine.transaction(async (tx) => {
        const tally = createTally();
        await refuseUrls(tx, facts, { run: ofRun, tally }, refusals);
        await tally.write(tx);
      });
    },

    async reasons(run, outcome, limit) {
      const { version } = await facts.ofRun(run);
      return engine.reader.all<OutcomeReason>(reasonsOf, [version, run, OUTCOME_CODES[outcome], limit]);
    },

    urls: (run, query) => listUrls(deps, run, query),
    locate: (version, url) => locateUrl(engine, version, url),
    offerKnown: (run, after, limit) => offerKnown(deps, run, { after, limit }),

    known: (run, after, limit, only) => knownUrls(deps, run, { after, limit, only }),
    queue: (run, limit) => engine.reader.all(queued, [run, limit]),

    async claim(request) {
      const rows = await parts.claim(request, maxAttempts);
      return rows.map((row) => claimOf(row, request.worker));
    },

    async renew(claims, leaseMs) {
      const rows = await engine.transaction((tx) =>
        tx.each<{ version_id: number; url_key: Uint8Array }>(renew, claims.map(claimKey).sort(byKey), [leaseMs]),
      );
      const held = new Set(rows.map((row) => `${row.version_id} ${hex(row.url_key)}`));
      return claims.filter((claim) => held.has(`${claim.version} ${hex(keyBytes(claim.url))}`));
    },

    async release(claims) {
      await engine.transaction(async (tx) => {
        const rows = await tx.each<{ run_id: number; host_id: number }>(release, claims.map(claimKey).sort(byKey));
        const hostsOf = Map.groupBy(rows, (row) => row.run_id);
        for (const [run, ofRun] of [...hostsOf].sort(([a], [b]) => a - b)) {
          const hosts = [...new Set(ofRun.map((row) => row.host_id))].sort((a, b) => a - b);
          await wakeHosts(tx, run, hosts);
        }
      });
    },

    settle: (settlements) => settleClaims(deps, settlements),

    confirmMissing: (lease, limit) => confirmMissing(deps, lease, limit),

    overflow: (lease, reason, limit) => overflow(engine, lease, reason, limit),

    untangle: (lease, limit) => untangle(deps, lease, limit),

    drained: async (run) => (await engine.reader.all(isDrained, [run])).length > 0,
  };
}

function claimKey(claim: Claim): [number, Uint8Array, number] {
  return [claim.version, keyBytes(claim.url), claim.fence];
}

function byKey(a: [number, Uint8Array, number], b: [number, Uint8Array, number]): number {
  return Buffer.compare(a[1], b[1]);
}

function claimOf(row: ClaimedRow, worker: string): Claim {
  return {
    run: row.run_id as RunId,
    source: row.source_id as SourceId,
    version: row.version_id as VersionId,
    worker,
    url: row.url as PageUrl,
    depth: row.depth,
    foundBy: FOUND_BY[row.found_by] ?? 'link',
    fence: row.fence,
    attempts: row.attempts,
    crashes: row.crashes,
    hops: row.hops,
    paceMs: row.pace_ms,
    startsInMs: row.starts_in_ms,
    known:
      row.content_hash === null || row.made_by === null
        ? null
        : {
            etag: row.etag,
            lastModified: row.last_modified,
            contentHash: hashOf(row.content_hash),
            madeBy: row.made_by,
            aliasOf: row.alias_key === null ? null : (hex(row.alias_key) as UrlKey),
            checkedAgoMs: row.checked_ago ?? 0,
            kind: row.page_kind,
          },
  };
}
