// Politeness as stored facts: pace, pause and breaker of each host, shared by all runs and workers.

import type { RunId } from '../../../core/model/run.ts';
import type { Hosts, HostState } from '../../port.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { Engine } from '../engine/engine.ts';
import { SPACING } from '../turns.ts';

interface HostRow {
  readonly host: string;
  readonly delay_ms: number;
  readonly crawl_delay_ms: number | null;
  readonly paused_for: number;
  readonly breaker: HostState['breaker'];
  readonly failures: number;
}

const COLUMNS = `host, delay_ms, crawl_delay_ms, case when paused_until > now_ms() then paused_until - now_ms() else 0 end as paused_for, breaker, failures`;

const insert = `insert into hosts (host, delay_ms) values ($1, $2) on conflict do nothing`;
const select = `select ${COLUMNS} from hosts where host = $1`;
/** Writing the row to itself takes its lock on either engine, so that two workers decide one after the other. */
const lock = `update hosts set failures = failures where host = $1 returning ${COLUMNS}`;
/** A slower pace holds for the next turn as well: it stands that much later. */
const later = (column: string): string =>
  `${column} + case when cast($2 as integer) > delay_ms then cast($2 as integer) - delay_ms else 0 end`;
/**
 * A pause pushes the next request away; ending one early pulls it no nearer than it was paced. $7 is 1 when the
 * probe of a breaker was answered: it held the host for a whole lease, and now its pace or its new pause counts again.
 */
const LONGER = `case when cast($6 as integer) > cast($2 as integer) then cast($6 as integer) else cast($2 as integer) end`;
const update = `update hosts set delay_ms = cast($2 as integer), crawl_delay_ms = $3, breaker = $4, failures = $5, paused_until = now_ms() + $6,
    next_at = case when cast($7 as integer) = 1 then now_ms() + ${LONGER} when now_ms() + $6 > ${later('next_at')} then now_ms() + $6 else ${later('next_at')} end,
    ready_at = case when cast($7 as integer) = 1 then now_ms() + ${LONGER} when now_ms() + $6 > ${later('ready_at')} then now_ms() + $6 else ${later('ready_at')} end
  where host = $1`;
const ofRun = `select ${COLUMNS} from hosts join lanes on lanes.host_id = hosts.id where lanes.run_id = $1 order by host`;

const reserve = `update hosts set next_at = ${SPACING} + case when next_at > now_ms() then next_at else now_ms() end,
    ready_at = ${SPACING} + case when ready_at > now_ms() then ready_at else now_ms() end
  where host = $1 returning next_at - ${SPACING} - now_ms() as wait, delay_ms`;

const readRobots = `select access, body, now_ms() - fetched_at as age, fresh_until > now_ms() as fresh from robots_files where authority = $1`;
const keepRobots = `insert into robots_files (authority, access, body, fetched_at, fresh_until) values ($1, $2, $3, now_ms(), now_ms() + $4)
  on conflict (authority) do update set access = excluded.access, body = excluded.body, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until`;

interface RobotsRow {
  readonly access: string;
  readonly body: string | null;
  readonly age: number;
  readonly fresh: boolean | number;
}

export function createHosts(engine: Engine, startDelayMs: number): Hosts {
  const unknown = (host: string): HostState => ({
    host,
    delayMs: startDelayMs,
    crawlDelayMs: null,
    pausedForMs: 0,
    breaker: 'closed',
    failures: 0,
  });
  return {
    async get(host) {
      const [row] = await engine.reader.all<HostRow>(select, [host]);
      return row === undefined ? unknown(host) : stateOf(row);
    },
    async list(run: RunId) {
      return (await engine.reader.all<HostRow>(ofRun, [run])).map(stateOf);
    },
    async adjust(host, decide) {
      return engine.transaction(async (tx) => {
        await tx.all(insert, [host, startDelayMs]);
        const [row] = await tx.all<HostRow>(lock, [host]);
        const state = row === undefined ? unknown(host) : stateOf(row);
        const next = decide(state);
        const { delayMs, crawlDelayMs, breaker, failures, pausedForMs } = next;
        const wasProbed =
          state.breaker !== 'closed' && (breaker === 'closed' || (state.pausedForMs <= 0 && pausedForMs > 0));
        await tx.all(update, [host, delayMs, crawlDelayMs, breaker, failures, pausedForMs, wasProbed ? 1 : 0]);
        return next;
      });
    },
    async reserve(host) {
      const [row] = await engine.transaction(async (tx) => {
        await tx.all(insert, [host, startDelayMs]);
        return tx.all<{ wait: number; delay_ms: number }>(reserve, [host]);
      });
      return { startsInMs: Math.max(0, row?.wait ?? 0), paceMs: row?.delay_ms ?? startDelayMs };
    },
    async robots(authority) {
      const [row] = await engine.reader.all<RobotsRow>(readRobots, [authority]);
      if (row === undefined) return null;
      return { access: jsonObject(row.access), body: row.body, ageMs: row.age, fresh: Boolean(row.fresh) };
    },
    async keepRobots(authority, access, body, freshForMs) {
      await engine.transaction((tx) => tx.all(keepRobots, [authority, jsonText(access), body, freshForMs]));
    },
  };
}

function stateOf(row: HostRow): HostState {
  return {
    host: row.host,
    delayMs: row.delay_ms,
    crawlDelayMs: row.crawl_delay_ms,
    pausedForMs: row.paused_for,
    breaker: row.breaker,
    failures: row.failures,
  };
}
