// Settles claims: one transaction that checks their fencing tokens, applies the page limit and writes everything that follows.

import { pinakesError } from '../../../core/model/errors.ts';
import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { Claim, Exclusion, JsonObject, Outcome, PreviousPage, RunLease, Settlement } from '../../port.ts';
import { hostOf } from '../../../core/model/page-url.ts';
import { hashBytes, keyBytes } from '../engine/codec.ts';
import { batch, keyed, type Engine, type Executor, type Value } from '../engine/engine.ts';
import { RETRY_PRIORITY, URL_STATE } from '../engine/states.ts';
import { writePages } from '../pages/write-pages.ts';
import { ALL_RUNS, createTally, type Tally } from '../runs/tally.ts';
import { enqueueUrls, excludeUrls, type EnqueueDeps } from './enqueue-urls.ts';
import type { HostIds, RunFacts } from './frontier-lookup.ts';
import { tellDrop } from './queue-events.ts';
import { fetchLine, withFetchSql } from './url-fetches.ts';
import { walkUnfetched } from './walk-unfetched.ts';

/**
 * The fence check. A row is ours while it is claimed under our fencing token: after a takeover the token is higher, and after
 * an expired lease the row is back in the queue. In both cases the settlement is superseded. The worker is compared as well:
 * a server that was replaced by a copy which lagged behind may hand out the same token twice.
 */
const acceptClaim = keyed(
  'frontier',
  ['version_id', 'url_key', 'fence'],
  batch(
    {
      version_id: 'int',
      url_key: 'bytes',
      fence: 'int',
      worker: 'text',
      state: 'int',
      retry_in: 'int',
      outcome: 'int',
      reason: 'text',
      target_key: 'bytes',
      pending_outcome: 'int',
      fetch_line: 'text',
    },
    `update frontier set state = r.state, worker = null, settled_fence = r.fence,
     due_at = case when r.state = ${URL_STATE.waiting} then now_ms() + r.retry_in end,
     priority = case when r.state = ${URL_STATE.waiting} then frontier.depth + ${RETRY_PRIORITY} else frontier.priority end,
     outcome = case when r.state = ${URL_STATE.waiting} then frontier.outcome else r.outcome end, reason = r.reason, target_key = r.target_key, pending_outcome = r.pending_outcome,
     settled_at = case when r.state = ${URL_STATE.waiting} then frontier.settled_at else now_ms() end,
     fetches = ${withFetchSql('frontier.fetches', 'r.fetch_line')}
   from {rows} r
   where frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state = ${URL_STATE.claimed} and frontier.fence = r.fence
     and frontier.worker = r.worker`,
  ),
);

export interface SettleDeps extends EnqueueDeps {
  readonly engine: Engine;
}

export async function settleClaims(
  deps: SettleDeps,
  settlements: readonly Settlement[],
): Promise<ReadonlyArray<'settled' | 'superseded'>> {
  const runs = new Map<number, RunFacts>();
  for (const { claim } of settlements) runs.set(claim.run, await deps.lookup.runFacts(claim.run));
  const hostId = await deps.lookup.registerHosts(settlements.flatMap(({ links, excluded }) => [...links, ...excluded]));
  const settling = settleAll(deps, settlements, { runs, hostId }).catch((error: unknown) => {
    if (!deps.parts.isRejection(error)) throw error;
    throw pinakesError('database.rejected', { why: error instanceof Error ? error.message : String(error) }, error);
  });
  const settled = new Set(await settling);
  deps.parts.announcer.announce('settled');
  return settlements.map((settlement) => (settled.has(settlement) ? 'settled' : 'superseded'));
}

/** Returns those that passed the fence check. */
async function settleAll(
  deps: SettleDeps,
  settlements: readonly Settlement[],
  { runs, hostId }: { readonly runs: ReadonlyMap<number, RunFacts>; readonly hostId: HostIds },
): Promise<readonly Settlement[]> {
  return deps.engine.transaction(async (tx) => {
    const accepted = await acceptFences(tx, settlements);
    const tally = createTally();
    const { withinLimit, full } = await applyPageLimit(tx, tally, accepted);
    tally.announce(await writePages(tx, deps.parts, withinLimit));
    for (const facts of runs.values()) {
      const run = facts.isRetry ? { ...facts, hasPreviousRun: false } : facts;
      const settlementsOfRun = accepted.filter(({ claim }) => claim.run === run.run);
      const isFull = full.has(run.run);
      const links = isFull ? [] : settlementsOfRun.flatMap((settlement) => settlement.links);
      await enqueueUrls(tx, deps, { run, tally, hostId }, links);
      const exclusions = settlementsOfRun.flatMap((settlement) =>
        isFull ? overflowExclusions(settlement) : settlement.excluded,
      );
      await excludeUrls(tx, { run, tally, hostId }, exclusions);
    }
    for (const settlement of withinLimit) tallyOutcome(tally, settlement);
    for (const settlement of accepted) tallyRequest(tally, settlement);
    await tally.write(tx);
    return accepted;
  });
}

/** A batch may contain an older and a newer claim of one URL, or the same one twice: each acceptance is used once. */
async function acceptFences(tx: Executor, settlements: readonly Settlement[]): Promise<readonly Settlement[]> {
  const inKeyOrder = settlements
    .map((settlement) => ({ settlement, row: acceptRow(settlement) }))
    .sort((a, b) => Buffer.compare(a.row[1] as Uint8Array, b.row[1] as Uint8Array));
  const changed = await tx.changed(
    acceptClaim,
    inKeyOrder.map(({ row }) => row),
  );
  const acceptedNames = new Set(inKeyOrder.filter((_, i) => changed[i]).map(({ settlement }) => claimName(settlement)));
  return settlements.filter((settlement) => acceptedNames.delete(claimName(settlement)));
}

function claimName({ claim }: Settlement): string {
  return `${claim.version} ${claim.fence} ${claim.url}`;
}

function acceptRow({ claim, outcome, fetch }: Settlement): Value[] {
  const isRetry = outcome.kind === 'retry';
  const name = outcomeNameOf(outcome, claim.previous);
  return [
    claim.version,
    keyBytes(claim.url),
    claim.fence,
    claim.worker,
    isRetry ? URL_STATE.waiting : URL_STATE.settled,
    isRetry ? outcome.inMs : 0,
    name === null ? null : OUTCOME_CODES[name],
    reasonOf(outcome),
    targetOf(outcome, claim.previous),
    name === 'missing' ? OUTCOME_CODES[outcomeOnceConfirmed(outcome)] : null,
    fetchLine(claim.run, fetch),
  ];
}

function targetOf(outcome: Outcome, previous: PreviousPage | null): Uint8Array | null {
  if (outcome.kind === 'moved') return keyBytes(outcome.to);
  const isUnchanged = outcome.kind === 'unchanged' || outcome.kind === 'fresh';
  return isUnchanged && isAlias(previous) ? hashBytes(previous.aliasOf) : null;
}

/** What a missing URL becomes once the end of its run confirms it. */
function outcomeOnceConfirmed(outcome: Outcome): 'gone' | 'moved' | 'skipped' {
  return outcome.kind === 'moved' || outcome.kind === 'skipped' ? outcome.kind : 'gone';
}

function isAlias(previous: PreviousPage | null): previous is PreviousPage & { readonly aliasOf: string } {
  return previous !== null && previous.aliasOf !== null;
}

/** A duplicate that did not change is still an alias of the same page. */
function unchangedOutcome(previous: PreviousPage | null): OutcomeName {
  return isAlias(previous) ? 'moved' : 'unchanged';
}

function outcomeNameOf(outcome: Outcome, previous: PreviousPage | null): OutcomeName | null {
  switch (outcome.kind) {
    case 'indexed':
      return previous === null ? 'new' : 'changed';
    case 'retry':
      return null;
    case 'unchanged':
    case 'fresh':
      return unchangedOutcome(previous);
    case 'missing':
    case 'gone':
    case 'moved':
    case 'skipped':
      return previous === null ? outcome.kind : 'missing';
    case 'failed':
      return outcome.kind;
  }
}

function reasonOf(outcome: Outcome): string | null {
  return 'reason' in outcome ? outcome.reason : null;
}

function tallyOutcome(tally: Tally, { claim, outcome, bytes }: Settlement): void {
  const name = outcomeNameOf(outcome, claim.previous);
  tally.count(claim.run, 'bytes', bytes);
  if (name !== null) tally.count(claim.run, name, 1);
  tally.append({
    source: claim.source,
    run: claim.run,
    kind: name ?? 'retry',
    url: claim.url,
    detail: eventDetail(outcome, claim),
    ...(name === null && { ofRunsUpTo: ALL_RUNS }),
  });
}

function tallyRequest(tally: Tally, { claim: { run, url }, outcome, fetch, bytes }: Settlement): void {
  if (fetch === undefined) return;
  const { status, mediaType, error } = fetch;
  tally.count(run, 'requests', 1);
  if (mediaType !== null) tally.count(run, 'downloads', 1);
  tally.request({
    run,
    host: hostOf(url),
    isPage: STORING_KINDS.has(outcome.kind),
    isError: error !== null,
    bytes,
    status,
  });
}

/** How long a page took to fetch; files have no such figure. */
function timing({ totalMs }: JsonObject): JsonObject {
  return typeof totalMs === 'number' ? { ms: totalMs } : {};
}

function eventDetail(outcome: Outcome, { url, depth }: Pick<Claim, 'url' | 'depth'>): JsonObject {
  switch (outcome.kind) {
    case 'indexed':
      return { chunks: outcome.chunks.length, ...timing(outcome.page.facts) };
    case 'moved':
      return { to: outcome.to === url ? null : outcome.to };
    case 'retry':
      return { depth, reason: outcome.reason, inMs: outcome.inMs };
    case 'fresh':
    case 'missing':
    case 'gone':
    case 'skipped':
    case 'failed':
      return { reason: outcome.reason };
    case 'unchanged':
      return {};
  }
}

// The page limit of a run is exact, whatever the number of workers: the run's row is locked while pages are counted. A new page
// over the limit is excluded; a stored one stays in the library and is only dropped from the run.

/** Writing the row to itself takes its lock on either engine. */
const lockRun = `update runs set fence = fence where id = $1 returning n_new + n_changed + n_unchanged as stored`;

const settleOverLimit = batch(
  { version_id: 'int', url_key: 'bytes', has_page: 'bool' },
  `update frontier set state = case when r.has_page then ${URL_STATE.settled} else ${URL_STATE.excluded} end, worker = null, due_at = null, target_key = null, reason = $1,
     outcome = case when r.has_page then ${OUTCOME_CODES.dropped} else ${OUTCOME_CODES.excluded} end,
     settled_at = now_ms(), settled_fence = frontier.fence
   from {rows} r where frontier.version_id = r.version_id and frontier.url_key = r.url_key returning 1 as one`,
  ['text'],
);

interface PageLimitResult {
  /** Settled with the outcome that they came with. */
  readonly withinLimit: readonly Settlement[];
  /** Runs that accept no more pages. */
  readonly full: ReadonlySet<number>;
}

/** Outcomes after which the page is stored. */
const STORING_KINDS: ReadonlySet<Outcome['kind']> = new Set(['indexed', 'unchanged', 'fresh']);

/** `accepted` have passed the fence check. */
async function applyPageLimit(tx: Executor, tally: Tally, accepted: readonly Settlement[]): Promise<PageLimitResult> {
  const full = new Set<number>();
  const overLimit = new Set<Settlement>();
  for (const [run, settlementsOfRun] of Map.groupBy(accepted, ({ claim }) => claim.run)) {
    const limit = settlementsOfRun.find(({ pageLimit }) => pageLimit !== undefined)?.pageLimit;
    if (limit === undefined) continue;
    const [row] = await tx.all<{ stored: number }>(lockRun, [run]);
    let remaining = limit.pages - (row?.stored ?? 0);
    for (const settlement of settlementsOfRun) {
      if (!STORING_KINDS.has(settlement.outcome.kind)) continue;
      if (remaining > 0) remaining -= 1;
      else overLimit.add(settlement);
    }
    if (remaining <= 0) full.add(run);
    await settleOverLimitPages(tx, tally, {
      run,
      reason: limit.reason,
      overLimit: settlementsOfRun.filter((settlement) => overLimit.has(settlement)),
    });
  }
  return { withinLimit: accepted.filter((settlement) => !overLimit.has(settlement)), full };
}

async function settleOverLimitPages(
  tx: Executor,
  tally: Tally,
  {
    run,
    reason,
    overLimit,
  }: { readonly run: number; readonly reason: string; readonly overLimit: readonly Settlement[] },
): Promise<void> {
  const rows = overLimit.map(({ claim }) => [claim.version, keyBytes(claim.url), claim.previous !== null] as const);
  await tx.each(settleOverLimit, rows, [reason]);
  tallyOverLimit(tally, run, rows);
  for (const { claim, bytes } of overLimit) {
    tally.count(run, 'bytes', bytes);
    const { url, depth, previous, source } = claim;
    tellDrop(tally, { run: claim.run, source }, { url, outcome: overLimitOutcome(previous !== null), depth, reason });
  }
}

type OverLimitRow = readonly [version: number, key: Uint8Array, hasPage: boolean];

/** Only a stored page was accepted before the run was full. */
function overLimitOutcome(hasPage: boolean): 'excluded' | 'dropped' {
  return hasPage ? 'dropped' : 'excluded';
}

/** An excluded URL was never accepted, so it does not count as found either. */
function tallyOverLimit(tally: Tally, run: number, rows: readonly OverLimitRow[]): void {
  const dropped = rows.filter(([, , hasPage]) => hasPage).length;
  const excluded = rows.length - dropped;
  tally.count(run, 'dropped', dropped);
  tally.count(run, 'found', -excluded);
  tally.count(run, 'excluded', excluded);
}

/** In a run that is full, links are excluded instead of enqueued. */
function overflowExclusions({ links, excluded, pageLimit }: Settlement): readonly Exclusion[] {
  const reason = pageLimit?.reason ?? 'overflow';
  return [...excluded, ...links.map(({ url, depth, foundBy, parent }) => ({ url, depth, foundBy, parent, reason }))];
}

export function excludeOverflow(engine: Engine, lease: RunLease, reason: string): Promise<number> {
  return walkUnfetched(engine, lease, async (tx, unfetched) => {
    const rows = unfetched.map((row): OverLimitRow => [row.version_id, row.url_key, Boolean(row.has_page)]);
    await tx.each(settleOverLimit, rows, [reason]);
    const tally = createTally();
    tallyOverLimit(tally, lease.run.id, rows);
    const { id: run, source } = lease.run;
    for (const { url, depth, has_page } of unfetched)
      tellDrop(tally, { run, source }, { url, outcome: overLimitOutcome(Boolean(has_page)), depth, reason });
    await tally.write(tx);
    return rows.length;
  });
}
