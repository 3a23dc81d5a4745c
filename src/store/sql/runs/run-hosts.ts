// What a run requested from each of its hosts, as the ends of transactions counted it; kept with the ended run.

import type { RunId } from '../../../core/model/run.ts';
import type { RunHost } from '../../port/runs.ts';
import type { Executor } from '../engine/engine.ts';
import { MINUTE, MINUTE_MS } from './transaction-tail.ts';

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
