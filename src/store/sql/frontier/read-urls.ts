// URLs of a run, and why they got their outcome: from the frontier, and reasons of an ended run from what its end kept.

import { OUTCOME_CODES, OUTCOME_NAMES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { EXPLAINED_OUTCOMES } from '../../../core/outcome/outcome-labels.table.ts';
import type { RunId, VersionId } from '../../../core/model/run.ts';
import {
  DISCOVERY_KINDS,
  type FrontierState,
  type FrontierUrl,
  type LocatedUrl,
  type OutcomeReason,
  type UrlQuery,
} from '../../port/frontier.ts';
import { dateOf, hex, keyBytes } from '../engine/codec.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { URL_SEPARATOR } from './enqueue-urls.ts';
import type { FrontierLookup } from './frontier-lookup.ts';
import { readFetches } from './settle-claims.ts';

/** A reason of more URLs is counted up to this number. */
const MAX_COUNTED_URLS = 10_000;
/** Some reasons contain figures of their page, so there may be as many as pages. */
const MAX_DISTINCT_REASONS = 200;
const WITH_REASON = `f.run_id = $1 and f.outcome = $2 and f.state >= ${URL_STATE.settled} and f.reason is not null`;

/** Seeks from one reason to the next in the index of reasons: a dashboard asks every few seconds, and may have a million excluded URLs. */
const selectReasons = `with recursive found (reason, nth) as (
    select min(f.reason), 1 from frontier f where ${WITH_REASON}
    union all
    select (select min(f.reason) from frontier f where ${WITH_REASON} and f.reason > found.reason), nth + 1 from found
      where found.reason is not null and nth < ${MAX_DISTINCT_REASONS}
  )
  select reason, (select count(*) from (select 1 from frontier f where ${WITH_REASON} and f.reason = found.reason limit ${MAX_COUNTED_URLS}) counted) as count,
    (select f.url from frontier f where ${WITH_REASON} and f.reason = found.reason order by f.url_key limit 1) as example
  from found where reason is not null order by count desc, reason limit $3`;

const selectEnded = `select reason, count, example from run_reasons where run_id = $1 and outcome = $2 order by count desc, reason limit $3`;
const insertEnded = `insert into run_reasons (run_id, outcome, reason, count, example) values ($1, $2, $3, $4, $5) on conflict do nothing`;

/** Reasons of an outcome that are kept with an ended run. */
const MAX_CACHED_REASONS = 100;

export async function readReasons(
  reader: Executor,
  run: number,
  { outcome: name, limit }: { readonly outcome: OutcomeName; readonly limit: number },
): Promise<OutcomeReason[]> {
  const outcome = OUTCOME_CODES[name];
  const ended = await reader.all<OutcomeReason>(selectEnded, [run, outcome, limit]);
  return ended.length > 0 ? ended : reader.all<OutcomeReason>(selectReasons, [run, outcome, limit]);
}

/** In the transaction that ends the run. */
export async function keepReasons(tx: Executor, run: number): Promise<void> {
  for (const outcome of EXPLAINED_OUTCOMES.map((name) => OUTCOME_CODES[name]))
    for (const { reason, count, example } of await tx.all<OutcomeReason>(selectReasons, [
      run,
      outcome,
      MAX_CACHED_REASONS,
    ]))
      await tx.all(insertEnded, [run, outcome, reason, count, example]);
}

/** No outcome has this code. */
const ANY_OUTCOME = 0;

const selectUrls = `select url_key, url, state, outcome, reason, found_by, depth, attempts, enqueued_at, settled_at from frontier
  where version_id = $1 and run_id = $2 and url_key > $3 and ($4 = ${ANY_OUTCOME} or outcome = $4) and ($6 = '' or reason = $6) order by url_key limit $5`;

interface UrlRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly state: number;
  readonly outcome: number | null;
  readonly reason: string | null;
  readonly found_by: number;
  readonly depth: number;
  readonly attempts: number;
  readonly enqueued_at: number;
  readonly settled_at: number | null;
}

export async function listUrls(
  { engine, lookup }: { readonly engine: Engine; readonly lookup: FrontierLookup },
  run: RunId,
  { outcome, reason, after, limit }: UrlQuery,
): Promise<{ urls: readonly FrontierUrl[]; after: string | null }> {
  const { version } = await lookup.runInfo(run);
  const code = outcome === null ? ANY_OUTCOME : OUTCOME_CODES[outcome];
  const from = Buffer.from(after ?? '', 'hex');
  const rows = await engine.reader.all<UrlRow>(selectUrls, [version, run, from, code, limit, reason ?? '']);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { urls: rows.map(toUrl), after: last === undefined ? null : hex(last.url_key) };
}

const selectUrl = `select f.url, f.run_id, f.raw_urls, f.fetches, f.state, f.outcome, f.reason, f.found_by, f.depth, f.attempts, f.enqueued_at, f.settled_at,
  p.url as parent from frontier f left join frontier p on p.version_id = f.version_id and p.url_key = f.parent_key
  where f.version_id = $1 and f.url_key = $2`;

export async function locateUrl(engine: Engine, version: VersionId, url: PageUrl): Promise<LocatedUrl | null> {
  const [row] = await engine.reader.all<LocatedRow>(selectUrl, [version, keyBytes(url)]);
  if (row === undefined) return null;
  return {
    ...toUrl(row),
    run: row.run_id as RunId,
    parent: row.parent as PageUrl | null,
    rawUrls: row.raw_urls?.split(URL_SEPARATOR) ?? [],
    fetches: readFetches(row.fetches),
  };
}

const selectVersionsOf = `select v.id from versions v join frontier f on f.version_id = v.id and f.url_key = $1 order by v.id`;

export async function versionsOfUrl(engine: Engine, url: PageUrl): Promise<readonly VersionId[]> {
  const rows = await engine.reader.all<{ id: number }>(selectVersionsOf, [keyBytes(url)]);
  return rows.map(({ id }) => id as VersionId);
}

interface LocatedRow extends UrlRow {
  readonly run_id: number;
  readonly parent: string | null;
  readonly raw_urls: string | null;
  readonly fetches: string | null;
}

function toUrl(row: UrlRow): FrontierUrl {
  return {
    url: row.url as PageUrl,
    state: stateOf(row.state),
    outcome: OUTCOME_NAMES.find((name) => OUTCOME_CODES[name] === row.outcome) ?? null,
    reason: row.reason,
    foundBy: DISCOVERY_KINDS[row.found_by] ?? 'link',
    depth: row.depth,
    attempts: row.attempts,
    enqueuedAt: new Date(row.enqueued_at),
    settledAt: dateOf(row.settled_at),
  };
}

const STATES = Object.keys(URL_STATE) as readonly FrontierState[];

function stateOf(code: number): FrontierState {
  return STATES.find((state) => URL_STATE[state] === code) ?? 'settled';
}
