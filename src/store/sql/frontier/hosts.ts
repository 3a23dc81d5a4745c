// Stored rate-limit state of hosts: delay, pause and circuit breaker, shared by all runs and workers.

import type { RunId } from '../../../core/model/run.ts';
import type { Hosts, HostState } from '../../port/hosts.ts';
import { monotonicMs } from '../../../platform/clock.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import { localHostOf, SLOT_SPACING_SQL } from './host-schedule.ts';

interface HostRow {
  readonly host: string;
  readonly delay_ms: number;
  readonly crawl_delay_ms: number | null;
  readonly paused_for: number;
  readonly breaker: HostState['breaker'];
  readonly failures: number;
  readonly throttles: number;
}

const COLUMNS = `host, delay_ms, crawl_delay_ms, case when paused_until > now_ms() then paused_until - now_ms() else 0 end as paused_for, breaker, failures, throttles`;

const insert = `insert into hosts (host, delay_ms) values ($1, $2) on conflict do nothing`;
const select = `select ${COLUMNS} from hosts where host = $1`;
/** Writing the row to itself takes its lock on either engine, so that the decisions of two workers are serialized. */
const lock = `update hosts set failures = failures where host = $1 returning ${COLUMNS}`;
/** A longer delay applies to the next slot as well, which moves back by the difference. */
const later = (column: string): string =>
  `${column} + case when cast($2 as integer) > delay_ms then cast($2 as integer) - delay_ms else 0 end`;
/**
 * A pause moves the next request back; ending one early moves it no further forward than the delay allows. $7 is 1 when the
 * probe of a breaker was answered: the probe had blocked the host for a whole lease, and now its delay or its new pause applies.
 */
const LONGER_SQL = `case when cast($6 as integer) > cast($2 as integer) then cast($6 as integer) else cast($2 as integer) end`;
const update = `update hosts set delay_ms = cast($2 as integer), crawl_delay_ms = $3, breaker = $4, failures = $5, throttles = $8, paused_until = now_ms() + $6,
    next_at = case when cast($7 as integer) = 1 then now_ms() + ${LONGER_SQL} when now_ms() + $6 > ${later('next_at')} then now_ms() + $6 else ${later('next_at')} end,
    ready_at = case when cast($7 as integer) = 1 then now_ms() + ${LONGER_SQL} when now_ms() + $6 > ${later('ready_at')} then now_ms() + $6 else ${later('ready_at')} end
  where host = $1`;
const ofRun = `select ${COLUMNS} from hosts join host_queues on host_queues.host_id = hosts.id where host_queues.run_id = $1 order by host`;

const countSuspended = `select count(distinct hosts.id) as n from runs join host_queues on host_queues.run_id = runs.id
  join hosts on hosts.id = host_queues.host_id where runs.ended_at is null and hosts.breaker <> 'closed'`;

const reserve = `update hosts set next_at = ${SLOT_SPACING_SQL} + case when next_at > now_ms() then next_at else now_ms() end,
    ready_at = ${SLOT_SPACING_SQL} + case when ready_at > now_ms() then ready_at else now_ms() end
  where host = $1 returning next_at - ${SLOT_SPACING_SQL} - now_ms() as wait, delay_ms`;

const readRobots = `select access, body, now_ms() - fetched_at as age, fresh_until > now_ms() as fresh from robots_files where authority = $1`;
const keepRobots = `insert into robots_files (authority, access, body, fetched_at, fresh_until) values ($1, $2, $3, now_ms(), now_ms() + $4)
  on conflict (authority) do update set access = excluded.access, body = excluded.body, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until`;

interface RobotsRow {
  readonly access: string;
  readonly body: string | null;
  readonly age: number;
  readonly fresh: boolean | number;
}

export function createHosts(
  engine: Engine,
  { startDelayMs, machine }: { readonly startDelayMs: number; readonly machine: string | null },
): Hosts {
  const unknown = (host: string): HostState => ({
    host,
    delayMs: startDelayMs,
    crawlDelayMs: null,
    pausedForMs: 0,
    breaker: 'closed',
    failures: 0,
    throttles: 0,
  });
  const ofHost = <Row>(tx: Executor, host: string, statement: string): Promise<Row | undefined> =>
    executeOnHost<Row>(tx, host, statement, startDelayMs);
  return {
    localHost: localHostOf(machine),
    async get(host) {
      const [row] = await engine.reader.all<HostRow>(select, [host]);
      return row === undefined ? unknown(host) : stateOf(row);
    },
    async list(run: RunId) {
      return (await engine.reader.all<HostRow>(ofRun, [run])).map(stateOf);
    },
    async countSuspended() {
      const [row] = await engine.reader.all<{ n: number }>(countSuspended);
      return row?.n ?? 0;
    },
    async adjust(host, decide) {
      return engine.transaction(async (tx) => {
        const row = await ofHost<HostRow>(tx, host, lock);
        const state = row === undefined ? unknown(host) : stateOf(row);
        const next = decide(state);
        const { delayMs, crawlDelayMs, breaker, failures, pausedForMs, throttles } = next;
        const wasProbed =
          state.breaker !== 'closed' && (breaker === 'closed' || (state.pausedForMs <= 0 && pausedForMs > 0));
        const rate = [delayMs, crawlDelayMs, breaker, failures, pausedForMs];
        await tx.all(update, [host, ...rate, wasProbed ? 1 : 0, throttles]);
        return next;
      });
    },
    async reserveSlot(host) {
      const [reservedAfterMs, row] = await engine.transaction(
        async (tx) => [monotonicMs(), await ofHost<{ wait: number; delay_ms: number }>(tx, host, reserve)] as const,
      );
      return { startsInMs: Math.max(0, row?.wait ?? 0), delayMs: row?.delay_ms ?? startDelayMs, reservedAfterMs };
    },
    async robots(authority) {
      const [row] = await engine.reader.all<RobotsRow>(readRobots, [authority]);
      if (row === undefined) return null;
      return { access: jsonObject(row.access), body: row.body, ageMs: row.age, isFresh: Boolean(row.fresh) };
    },
    async saveRobots(authority, access, body, freshForMs) {
      await engine.transaction((tx) => tx.all(keepRobots, [authority, jsonText(access), body, freshForMs]));
    },
  };
}

/** Inserts the host only if it is new: an insert waits for every transaction that changes the host, and most hosts are known. */
async function executeOnHost<Row>(
  tx: Executor,
  host: string,
  statement: string,
  delayMs: number,
): Promise<Row | undefined> {
  const [known] = await tx.all<Row>(statement, [host]);
  if (known !== undefined) return known;
  await tx.all(insert, [host, delayMs]);
  return (await tx.all<Row>(statement, [host]))[0];
}

function stateOf(row: HostRow): HostState {
  return {
    host: row.host,
    delayMs: row.delay_ms,
    crawlDelayMs: row.crawl_delay_ms,
    pausedForMs: row.paused_for,
    breaker: row.breaker,
    failures: row.failures,
    throttles: row.throttles,
  };
}
