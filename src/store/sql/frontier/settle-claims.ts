// Settles claims: one transaction that checks their fencing tokens, applies the page limit and writes everything that follows.

import { pinakesError } from '../../../core/model/errors.ts';
import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import {
  isAlias,
  outcomeNameOf,
  type Claim,
  type Outcome,
  type PreviousPage,
  type RecordedFetch,
  type Settlement,
  type UrlFetch,
} from '../../port/frontier.ts';
import type { RunId } from '../../../core/model/run.ts';
import type { JsonObject } from '../../port/json.ts';
import { hostOf } from '../../../core/model/page-url.ts';
import { hashBytes, keyBytes } from '../engine/codec.ts';
import { batch, keyed, type Engine, type Executor, type Value } from '../engine/engine.ts';
import { RETRY_RANK, URL_STATE } from '../engine/states.ts';
import type { ConfirmedOutcome } from '../pages/confirm-missing.ts';
import { writePages } from '../pages/write-pages.ts';
import { ALL_RUNS, createTransactionTail, type TransactionTail } from '../runs/transaction-tail.ts';
import { enqueueUrls, excludeUrls, type EnqueueDeps } from './enqueue-urls.ts';
import type { HostIds, RunInfo } from './frontier-lookup.ts';
import { applyPageLimit, overflowExclusions, STORING_KINDS } from './page-limit.ts';

/**
 * The newest requests for a URL are in its own row: a line for each, newest first, cut at a length of some eight requests. A
 * separate row for each would be the largest table of a library, and is only ever read for one URL.
 */
const MAX_FETCHES_CHARS = 400;
const MAX_TYPE_CHARS = 60;
const SEPARATOR = '\t';
/** The requests of a row with one more, which may be null. */
const WITH_FETCH = `case when r.fetch_line is null then frontier.fetches
       else substr(cast(now_ms() as text) || '${SEPARATOR}' || r.fetch_line || coalesce(frontier.fetches, ''), 1, ${MAX_FETCHES_CHARS}) end`;

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
     priority = case when r.state = ${URL_STATE.waiting} then frontier.depth else frontier.priority end,
     rank = case when r.state = ${URL_STATE.waiting} then ${RETRY_RANK} else frontier.rank end,
     outcome = case when r.state = ${URL_STATE.waiting} then frontier.outcome else r.outcome end, reason = r.reason, target_key = r.target_key, pending_outcome = r.pending_outcome,
     settled_at = case when r.state = ${URL_STATE.waiting} then frontier.settled_at else now_ms() end,
     fetches = ${WITH_FETCH}
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
  const runs = new Map<number, RunInfo>();
  for (const { claim } of settlements) runs.set(claim.run, await deps.lookup.runInfo(claim.run));
  const hostId = await deps.lookup.registerHosts(settlements.flatMap(({ links, excluded }) => [...links, ...excluded]));
  const settling = settleInLiveRuns(deps, settlements, { runs, hostId }).catch((error: unknown) => {
    if (!deps.parts.isRejection(error)) throw error;
    throw pinakesError('database.rejected', { reason: error instanceof Error ? error.message : String(error) }, error);
  });
  const settled = new Set(await settling);
  deps.parts.announcer.announce('settled');
  return settlements.map((settlement) => (settled.has(settlement) ? 'settled' : 'superseded'));
}

interface SettleTarget {
  readonly runs: ReadonlyMap<number, RunInfo>;
  readonly hostId: HostIds;
}

/** Undoes a transaction. */
class RunsEnded extends Error {
  readonly runs: ReadonlySet<number>;

  constructor(runs: ReadonlySet<number>) {
    super('a run has ended');
    this.runs = runs;
  }
}

/**
 * A claim that was about to be made when the source of its run was removed is one of a run that has ended. Its page would be written behind
 * the removal, which has passed it.
 */
async function settleInLiveRuns(
  deps: SettleDeps,
  settlements: readonly Settlement[],
  target: SettleTarget,
): Promise<readonly Settlement[]> {
  try {
    return await settleAll(deps, settlements, target);
  } catch (error) {
    if (!(error instanceof RunsEnded)) throw error;
    const others = settlements.filter(({ claim }) => !error.runs.has(claim.run));
    return others.length === 0 ? [] : settleInLiveRuns(deps, others, target);
  }
}

/** Returns those that passed the fence check. */
async function settleAll(
  deps: SettleDeps,
  settlements: readonly Settlement[],
  { runs, hostId }: SettleTarget,
): Promise<readonly Settlement[]> {
  return deps.engine.transaction(async (tx) => {
    const accepted = await acceptFences(tx, settlements);
    const tail = createTransactionTail();
    const { withinLimit, full } = await applyPageLimit(tx, tail, accepted);
    tail.announce(await writePages(tx, deps.parts, withinLimit));
    for (const info of runs.values()) {
      const run = info.isRetry ? { ...info, hasPreviousRun: false } : info;
      const settlementsOfRun = accepted.filter(({ claim }) => claim.run === run.run);
      const isFull = full.has(run.run);
      const links = isFull ? [] : settlementsOfRun.flatMap((settlement) => settlement.links);
      await enqueueUrls(tx, deps, { run, tail, hostId }, links);
      const exclusions = settlementsOfRun.flatMap((settlement) =>
        isFull ? overflowExclusions(settlement) : settlement.excluded,
      );
      await excludeUrls(tx, { run, tail, hostId }, exclusions);
    }
    for (const settlement of withinLimit) tallyOutcome(tail, settlement);
    for (const settlement of accepted) tallyRequest(tail, settlement);
    // The counters have locked the runs: one that ends later waits for the commit.
    const ended = await tail.write(tx);
    if (ended.size > 0) throw new RunsEnded(ended);
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
    isRetry ? URL_STATE.waiting : name === 'excluded' ? URL_STATE.excluded : URL_STATE.settled,
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
function outcomeOnceConfirmed({ kind }: Outcome): ConfirmedOutcome {
  return kind === 'moved' || kind === 'skipped' || kind === 'excluded' ? kind : 'removed';
}

function reasonOf(outcome: Outcome): string | null {
  return 'reason' in outcome ? outcome.reason : null;
}

function tallyOutcome(tail: TransactionTail, { claim, outcome, bytes }: Settlement): void {
  const name = outcomeNameOf(outcome, claim.previous);
  tail.count(claim.run, 'bytes', bytes);
  if (name === 'excluded') return tallyExclusion(tail, claim, reasonOf(outcome) ?? '');
  if (name !== null) tail.count(claim.run, name, 1);
  tail.append({
    source: claim.source,
    run: claim.run,
    kind: name ?? 'retry',
    url: claim.url,
    detail: eventDetail(outcome, claim),
    ...(name === null && { ofRunsUpTo: ALL_RUNS }),
  });
}

/** An excluded URL does not count as accepted, whenever it was excluded. */
function tallyExclusion(tail: TransactionTail, { run, source, url, depth }: Claim, reason: string): void {
  tail.count(run, 'found', -1);
  tail.count(run, 'excluded', 1);
  tail.dropped({ run, source }, { url, outcome: 'excluded', depth, reason });
}

function tallyRequest(tail: TransactionTail, { claim: { run, url }, outcome, fetch, bytes }: Settlement): void {
  if (fetch === undefined) return;
  const { status, mediaType, error } = fetch;
  tail.count(run, 'requests', 1);
  if (mediaType !== null) tail.count(run, 'downloads', 1);
  tail.request({
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
      return { chunks: outcome.chunks.length, ...timing(outcome.page.metadata) };
    case 'moved':
      return { to: outcome.to === url ? null : outcome.to };
    case 'retry':
      return { depth, reason: outcome.reason, inMs: outcome.inMs };
    case 'fresh':
    case 'missing':
    case 'not-found':
    case 'skipped':
    case 'excluded':
    case 'failed':
      return { reason: outcome.reason };
    case 'unchanged':
      return {};
  }
}

/** The content of a line after its time; null if no request was sent. */
function fetchLine(run: RunId, fetch: UrlFetch | undefined): string | null {
  if (fetch === undefined) return null;
  const { status, bytes, firstByteMs, totalMs, mediaType, error } = fetch;
  const numbers = [run, status, bytes, firstByteMs, totalMs].map((one) =>
    one === null ? '' : String(Math.round(one)),
  );
  return `${[...numbers, cleanType(mediaType), error ?? ''].join(SEPARATOR)}\n`;
}

function cleanType(mediaType: string | null): string {
  const [type = ''] = (mediaType ?? '').split(';');
  return type.replaceAll(/\s/g, '').slice(0, MAX_TYPE_CHARS);
}

/** Skips the last line if it was cut. */
export function readFetches(text: string | null): readonly RecordedFetch[] {
  return (text ?? '').split('\n').slice(0, -1).map(readLine);
}

function readLine(line: string): RecordedFetch {
  const [at, run, status, bytes, firstByteMs, totalMs, mediaType = '', error = ''] = line.split(SEPARATOR);
  return {
    run: Number(run) as RunId,
    at: new Date(Number(at)),
    status: numberOrNull(status),
    bytes: Number(bytes),
    mediaType: mediaType === '' ? null : mediaType,
    firstByteMs: numberOrNull(firstByteMs),
    totalMs: numberOrNull(totalMs),
    error: error === '' ? null : error,
  };
}

function numberOrNull(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
