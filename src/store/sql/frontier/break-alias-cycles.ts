// Breaks alias cycles: two pages that declare each other canonical, or redirects that never end. One URL of each cycle is
// requeued with a higher hop count, so that it is stored as a page.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { Run, RunLease } from '../../port/runs.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { FIRST_KEY, LAST_KEY } from '../engine/key-window.ts';
import { URL_STATE } from '../engine/states.ts';
import { underLease } from '../runs/run-row.ts';
import { createTransactionTail } from '../runs/transaction-tail.ts';
import type { FrontierLookup } from './frontier-lookup.ts';
import type { WakeHosts } from './host-schedule.ts';

/** Longer cycles are not searched for; redirect chains are shorter. */
const MAX_STEPS = 12;

/** Redirects of the run that one statement looks at. */
const EXAMINED_URLS = 5000;

/** The last of the next redirects of the run. */
const selectEnd = `select url_key from frontier where run_id = $1 and outcome = ${OUTCOME_CODES.moved} and url_key > $2 order by url_key limit 1 offset $3`;

/** The lowest URL of each cycle. Most aliases lead to a page, so most trails end after one step. */
const selectCycles = `with recursive trail (origin, at, low, steps) as (
    select url_key, target_key, url, 1 from frontier where run_id = $2 and state = ${URL_STATE.settled} and outcome = ${OUTCOME_CODES.moved} and url_key > $4 and url_key <= $5
    union all
    select t.origin, f.target_key, case when f.url < t.low then f.url else t.low end, t.steps + 1 from trail t
      join frontier f on f.version_id = $1 and f.url_key = t.at
      where f.run_id = $2 and f.state = ${URL_STATE.settled} and f.outcome = ${OUTCOME_CODES.moved} and t.at <> t.origin and t.steps < ${MAX_STEPS}
  )
  select f.url_key from trail t join frontier f on f.version_id = $1 and f.url_key = t.origin
  where t.at = t.origin and t.low = f.url order by f.url_key limit $3`;

const requeue = batch(
  { url_key: 'bytes' },
  `update frontier set state = ${URL_STATE.queued}, attempts = 0, crashes = 0, hops = frontier.hops + 1 from {rows} r
   where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.state = ${URL_STATE.settled}
   returning frontier.host_id, frontier.url, frontier.depth`,
  ['int', 'int'],
);

export async function breakAliasCycles(
  deps: { readonly engine: Engine; readonly wakeHosts: WakeHosts; readonly lookup: FrontierLookup },
  lease: RunLease,
  limit: number,
): Promise<number> {
  const { run } = lease;
  const cycles = await findCycles(deps.engine.reader, run, limit);
  if (cycles.length === 0) return 0;
  const info = await deps.lookup.runInfo(run.id);
  return underLease(deps.engine, lease, 0, async (tx) => {
    const requeued = await tx.each<{ host_id: number; url: string; depth: number }>(
      requeue,
      cycles.map((key) => [key]),
      [run.version, run.id],
    );
    if (requeued.length === 0) return 0;
    const hosts = [...new Set(requeued.map((row) => row.host_id))].sort((a, b) => a - b);
    await deps.wakeHosts(tx, run.id, hosts);
    const tail = createTransactionTail();
    tail.count(run.id, 'moved', -requeued.length);
    for (const { url, depth } of requeued) tail.enqueued(info, { url, depth, reason: 'alias-cycle' });
    await tail.write(tx);
    return requeued.length;
  });
}

/** The run is drained and has one coordinator, so nothing changes between two windows. */
async function findCycles(reader: Executor, run: Run, limit: number): Promise<readonly Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (let after = FIRST_KEY; ;) {
    const [last] = await reader.all<{ url_key: Uint8Array }>(selectEnd, [run.id, after, EXAMINED_URLS - 1]);
    const values = [run.version, run.id, limit, after, last?.url_key ?? LAST_KEY];
    for (const row of await reader.all<{ url_key: Uint8Array }>(selectCycles, values)) found.push(row.url_key);
    if (last === undefined || found.length >= limit) return found;
    after = last.url_key;
  }
}
