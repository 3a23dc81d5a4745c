// The requests of a run by host: counted in the transaction that settles the URL, and kept with the ended run.

import type { RunId } from '../../../core/model/run.ts';
import type { RunHost } from '../../port/runs.ts';
import { batch, type Executor } from '../engine/engine.ts';

export interface CountedRequest {
  readonly run: number;
  readonly host: string;
  readonly isPage: boolean;
  readonly isError: boolean;
  readonly bytes: number;
  readonly status: number | null;
}

const MINUTE_MS = 60_000;
const MINUTE = `cast(now_ms() / ${MINUTE_MS} as integer)`;

/** After the row of the run, whose lock keeps the others of the same run away. */
const addRequests = batch(
  {
    run_id: 'int',
    host: 'text',
    requests: 'int',
    pages: 'int',
    errors: 'int',
    bytes: 'int',
    status: 'int',
  },
  `insert into run_hosts (run_id, host, requests, pages, errors, bytes, last_status, last_at, minute, in_minute, in_minute_before)
   select r.run_id, r.host, r.requests, r.pages, r.errors, r.bytes, r.status, now_ms(), ${MINUTE}, r.requests, 0 from {rows} r where true
   on conflict (run_id, host) do update set requests = run_hosts.requests + excluded.requests, pages = run_hosts.pages + excluded.pages,
     errors = run_hosts.errors + excluded.errors, bytes = run_hosts.bytes + excluded.bytes,
     last_status = excluded.last_status, last_at = excluded.last_at, minute = excluded.minute,
     in_minute = excluded.in_minute + case when run_hosts.minute = excluded.minute then run_hosts.in_minute else 0 end,
     in_minute_before = case when run_hosts.minute = excluded.minute then run_hosts.in_minute_before
       when run_hosts.minute = excluded.minute - 1 then run_hosts.in_minute else 0 end`,
);

/** The share of the minute before that is less than a minute ago is estimated. */
const PER_MINUTE = `case when runs.ended_at is not null then 0
  when h.minute = ${MINUTE} then h.in_minute + h.in_minute_before * (${MINUTE_MS} - now_ms() % ${MINUTE_MS}) / ${MINUTE_MS}
  when h.minute = ${MINUTE} - 1 then h.in_minute * (${MINUTE_MS} - now_ms() % ${MINUTE_MS}) / ${MINUTE_MS} else 0 end`;
const selectHosts = `select h.host, h.requests, h.pages, h.errors, h.bytes, h.last_status, h.last_at, cast(${PER_MINUTE} as integer) as per_minute,
    coalesce(h.delay_ms, hosts.delay_ms) as delay_ms
  from run_hosts h join runs on runs.id = h.run_id left join hosts on hosts.host = h.host
  where h.run_id = $1 order by h.requests desc, h.host limit $2`;

const keepDelays = `update run_hosts set delay_ms = (select hosts.delay_ms from hosts where hosts.host = run_hosts.host) where run_id = $1`;

interface RunHostRow {
  readonly host: string;
  readonly requests: number;
  readonly pages: number;
  readonly errors: number;
  readonly bytes: number;
  readonly last_status: number | null;
  readonly last_at: number;
  readonly per_minute: number;
  readonly delay_ms: number | null;
}

/** One row for each run and host, in the order of both, so that two transactions wait for each other at most once. */
export async function addToHosts(tx: Executor, requests: readonly CountedRequest[]): Promise<void> {
  const groups = Map.groupBy(requests, ({ run, host }) => `${String(run).padStart(12)} ${host}`);
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => rowOf(group));
  await tx.each(addRequests, rows);
}

function rowOf(group: readonly CountedRequest[]): readonly (string | number | null)[] {
  const { run, host, status } = group.at(-1) as CountedRequest;
  const pages = group.filter(({ isPage }) => isPage).length;
  const errors = group.filter(({ isError }) => isError).length;
  const bytes = group.reduce((sum, one) => sum + one.bytes, 0);
  return [run, host, group.length, pages, errors, bytes, status];
}

/** In the transaction that ends the run. */
export async function keepHostDelays(tx: Executor, run: RunId): Promise<void> {
  await tx.all(keepDelays, [run]);
}

export async function readRunHosts(reader: Executor, run: RunId, limit: number): Promise<readonly RunHost[]> {
  const rows = await reader.all<RunHostRow>(selectHosts, [run, limit]);
  return rows.map(({ last_status, last_at, per_minute, delay_ms, ...counts }) => {
    const { host, requests, pages, errors, bytes } = counts;
    const last = { lastStatus: last_status, lastAt: new Date(last_at) };
    return { host, requests, pages, errors, bytes, ...last, requestsPerMinute: per_minute, delayMs: delay_ms };
  });
}
