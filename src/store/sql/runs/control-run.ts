// Control of live runs: pausing, resuming and stopping them, and dropping the URLs that a stopped run does not fetch.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { Run, RunLease, Runs } from '../../port/runs.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import type { Announcer } from '../engine/wakeups.ts';
import type { WakeHosts } from '../frontier/host-schedule.ts';
import { walkUnfetched } from '../frontier/walk-unfetched.ts';
import { LEASE_HELD, leaseValues, underLease } from './run-row.ts';
import { appendEvent, createTransactionTail } from './transaction-tail.ts';

const setMaxUrls = `update runs set max_urls = $4 where ${LEASE_HELD}`;
const markSeeded = `update runs set seeded_at = coalesce(seeded_at, now_ms()) where ${LEASE_HELD}`;
const setConcurrency = `update runs set concurrency = $4 where ${LEASE_HELD}`;

const COMMANDS = {
  pause: `update runs set state = 'paused' where id = $1 and state in ('queued', 'running') returning source_id`,
  resume: `update runs set state = 'running' where id = $1 and state = 'paused' returning source_id`,
  stop: `update runs set state = 'stopping' where id = $1 and state in ('queued', 'running', 'paused') returning source_id`,
} as const;

/** If a run is stopped twice, the earlier time counts. */
const setAbort = `update runs set aborts_at = case when aborts_at <= now_ms() + $2 then aborts_at else now_ms() + $2 end
  where id = $1 and state = 'stopping' and ended_at is null returning source_id`;

const COMMAND_EVENTS = { pause: 'run-paused', resume: 'run-resumed', stop: 'run-stopping' } as const;

const selectHostQueues = `select host_id from host_queues where run_id = $1 order by host_id`;

const dropUrls = (...states: readonly number[]) =>
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `update frontier set state = ${URL_STATE.settled}, outcome = ${OUTCOME_CODES.dropped}, reason = $1, worker = null, due_at = null, settled_at = now_ms(), settled_fence = fence
   from {rows} r where frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state in (${states.join(', ')}) returning frontier.url, frontier.depth`,
    ['text'],
  );
const dropQueued = dropUrls(URL_STATE.queued, URL_STATE.waiting);
const dropClaimed = dropUrls(URL_STATE.claimed);

const selectClaimed = `select version_id, url_key from frontier where due_at is not null and state = ${URL_STATE.claimed} and run_id = $1 order by url_key`;

type RunControl = Pick<
  Runs,
  'control' | 'stopWithin' | 'markSeeded' | 'limitConcurrency' | 'limitUrls' | 'dropUnfetched' | 'dropInFlight'
>;

export function createRunControl(engine: Engine, announcer: Announcer, wakeHosts: WakeHosts): RunControl {
  return {
    control: (run, command) =>
      engine.transaction((tx) => controlRun(tx, wakeHosts, run, command)).finally(() => announcer.announce('runs')),

    stopWithin: (run, graceMs) =>
      engine
        .transaction(async (tx) => {
          await controlRun(tx, wakeHosts, run, 'stop');
          return (await tx.all(setAbort, [run, graceMs])).length > 0;
        })
        .finally(() => announcer.announce('runs')),

    async markSeeded(lease) {
      await engine.transaction((tx) => tx.all(markSeeded, leaseValues(lease)));
    },

    async limitConcurrency(lease, urls) {
      await engine.transaction((tx) => tx.all(setConcurrency, [...leaseValues(lease), urls]));
    },

    async limitUrls(lease, urls) {
      await engine.transaction((tx) => tx.all(setMaxUrls, [...leaseValues(lease), urls]));
    },

    dropUnfetched: (lease, reason) =>
      walkUnfetched(engine, lease, (tx, rows) => dropRows(tx, lease, { rows, drop: dropQueued, reason })),

    async dropInFlight(lease, reason) {
      const dropped = await underLease(engine, lease, 0, async (tx) => {
        const rows = await tx.all<UrlRow>(selectClaimed, [lease.run.id]);
        return dropRows(tx, lease, { rows, drop: dropClaimed, reason });
      });
      // Their workers renew them and find that they are lost.
      if (dropped > 0) announcer.announce('runs');
      return dropped;
    },
  };
}

/** While a run is paused its hosts become idle; resuming it wakes them. */
async function controlRun(
  tx: Executor,
  wakeHosts: WakeHosts,
  run: Run['id'],
  command: keyof typeof COMMANDS,
): Promise<boolean> {
  const [changed] = await tx.all<{ source_id: number }>(COMMANDS[command], [run]);
  if (changed === undefined) return false;
  if (command === 'resume') {
    const hosts = await tx.all<{ host_id: number }>(selectHostQueues, [run]);
    await wakeHosts(
      tx,
      run,
      hosts.map((row) => row.host_id),
    );
  }
  await appendEvent(tx, { source: changed.source_id, run, kind: COMMAND_EVENTS[command], url: null, detail: {} });
  return true;
}

interface UrlRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
}

async function dropRows(
  tx: Executor,
  { run: { id: run, source } }: RunLease,
  {
    rows,
    drop,
    reason,
  }: { readonly rows: readonly UrlRow[]; readonly drop: typeof dropQueued; readonly reason: string },
): Promise<number> {
  const keys = rows.map((row) => [row.version_id, row.url_key]);
  const dropped = await tx.each<{ url: string; depth: number }>(drop, keys, [reason]);
  const tail = createTransactionTail();
  tail.count(run, 'dropped', dropped.length);
  for (const { url, depth } of dropped) tail.dropped({ run, source }, { url, outcome: 'dropped', depth, reason });
  await tail.write(tx);
  return dropped.length;
}
