// Politeness as stored facts: pace, pause and breaker of each host, shared by all runs and workers.

import type { RunId } from '../../core/model/run.ts';
import type { Hosts, HostState } from '../port.ts';
import type { Engine } from './engine.ts';

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
/** A pause pushes the next request away; ending one early pulls it no nearer than it was paced. */
const update = `update hosts set delay_ms = $2, crawl_delay_ms = $3, breaker = $4, failures = $5, paused_until = now_ms() + $6,
    next_at = case when now_ms() + $6 > next_at then now_ms() + $6 else next_at end
  where host = $1`;
const ofRun = `select ${COLUMNS} from hosts join lanes on lanes.host_id = hosts.id where lanes.run_id = $1 order by host`;

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
        const next = decide(row === undefined ? unknown(host) : stateOf(row));
        await tx.all(update, [host, next.delayMs, next.crawlDelayMs, next.breaker, next.failures, next.pausedForMs]);
        return next;
      });
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
