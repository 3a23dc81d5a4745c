// Why URLs of a run got their outcome: from the frontier while the run has its rows, and from what its end kept of it.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { OutcomeReason } from '../../port.ts';
import type { Executor } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';

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
  select reason, (select count(*) from (select 1 from frontier f where ${WITH_REASON} and f.reason = found.reason limit ${MAX_COUNTED_URLS}) counted) as times,
    (select f.url from frontier f where ${WITH_REASON} and f.reason = found.reason order by f.url_key limit 1) as example
  from found where reason is not null order by times desc, reason limit $3`;

/** Outcomes that have reasons. */
const EXPLAINED = [
  'failed',
  'excluded',
  'skipped',
  'gone',
  'missing',
  'dropped',
] as const satisfies readonly OutcomeName[];

const selectEnded = `select reason, times, example from run_reasons where run_id = $1 and outcome = $2 order by times desc, reason limit $3`;
const insertEnded = `insert into run_reasons (run_id, outcome, reason, times, example) values ($1, $2, $3, $4, $5) on conflict do nothing`;

/** Reasons of an outcome that are kept with an ended run. */
const MAX_KEPT_REASONS = 100;

export async function readReasons(
  reader: Executor,
  run: number,
  { outcome, limit }: { readonly outcome: number; readonly limit: number },
): Promise<OutcomeReason[]> {
  const ended = await reader.all<OutcomeReason>(selectEnded, [run, outcome, limit]);
  return ended.length > 0 ? ended : reader.all<OutcomeReason>(selectReasons, [run, outcome, limit]);
}

/** In the transaction that ends the run. */
export async function keepReasons(tx: Executor, run: number): Promise<void> {
  for (const outcome of EXPLAINED.map((name) => OUTCOME_CODES[name]))
    for (const { reason, times, example } of await tx.all<OutcomeReason>(selectReasons, [
      run,
      outcome,
      MAX_KEPT_REASONS,
    ]))
      await tx.all(insertEnded, [run, outcome, reason, times, example]);
}
