// Runs: started once, conducted under a lease with a fence, ended in exactly one state.

import { pinakesError } from '../../../core/model/errors.ts';
import type { Run, RunLease, Runs } from '../../port.ts';
import { jsonText } from '../engine/codec.ts';
import { createTally, tell } from './tally.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import type { WakeHosts } from '../frontier/host-schedule.ts';
import { RUN_COLUMNS, RUN_IS_DRAINED, runOf, type RunRow } from './run-row.ts';

const insert = `insert into runs (source_id, version_id, state, mode, settings, created_at)
  select source_id, id, 'queued', $2, $3, now_ms() from versions where id = $1
  on conflict do nothing returning ${RUN_COLUMNS}`;

/** Whoever comes second finds the next time already set. */
const takeDue = `update sources set due_at = now_ms() + $2
  where id = (select source_id from versions where id = $1) and removed_at is null and due_at <= now_ms() returning id`;

const live = `select id from runs where source_id = (select source_id from versions where id = $1) and ended_at is null`;

const newest = `select ${RUN_COLUMNS} from runs order by id desc limit $1`;
const newestOfSource = `select ${RUN_COLUMNS} from runs where source_id = $2 order by id desc limit $1`;
const everyLive = `select ${RUN_COLUMNS} from runs where ended_at is null order by id`;

/** The oldest live run without a conductor. The row is taken by a conditional update, so two workers never share it. */
const leasable = `select id from runs where ended_at is null and state <> 'paused' and (lease_until is null or lease_until <= now_ms()) order by id limit 1`;
const take = `update runs set worker = $2, lease_until = now_ms() + $3, fence = fence + 1, started_at = coalesce(started_at, now_ms()),
    state = case when state = 'queued' then 'running' else state end
  where id = $1 and ended_at is null and state <> 'paused' and (lease_until is null or lease_until <= now_ms()) returning ${RUN_COLUMNS}`;

const HELD = `id = $1 and worker = $2 and fence = $3 and ended_at is null`;
const renew = `update runs set lease_until = now_ms() + $4 where ${HELD} returning id`;
const release = `update runs set lease_until = null, worker = null where ${HELD}`;
const finish = `update runs set state = $4, reason = $5, ended_at = now_ms(), worker = null, lease_until = null where ${HELD} and ${RUN_IS_DRAINED} returning id`;
const dropLanes = `delete from lanes where run_id = $1`;

const WISHES = {
  pause: `update runs set state = 'paused' where id = $1 and state in ('queued', 'running') returning source_id`,
  resume: `update runs set state = 'running' where id = $1 and state = 'paused' returning source_id`,
  stop: `update runs set state = 'stopping' where id = $1 and state in ('queued', 'running', 'paused') returning source_id`,
} as const;

const WISH_EVENTS = { pause: 'run-paused', resume: 'run-resumed', stop: 'run-stopping' } as const;

const lanesOf = `select host_id from lanes where run_id = $1 order by host_id`;

/** Two statements, because each partial index answers one state: queued rows stand together, waiting ones are few. */
const queued = `select version_id, url_key from frontier where run_id = $1 and state = 0 limit $2`;
const waiting = `select version_id, url_key from frontier where run_id = $1 and state = 2 and wake_at is not null limit $2`;
const drop = batch(
  { version_id: 'int', url_key: 'bytes' },
  `update frontier set state = 3, outcome = 9, reason = $1, wake_at = null, settled_at = now_ms(), settled_fence = fence
   from {rows} r where frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state in (0, 2) returning 1 as one`,
  ['text'],
);

export function createRuns(engine: Engine, wakeHosts: WakeHosts): Runs {
  const one = async (sql: string, values: readonly (string | number)[]): Promise<Run | null> => {
    const [row] = await engine.reader.all<RunRow>(sql, values);
    return row === undefined ? null : runOf(row);
  };
  return {
    async start(version, mode, settings) {
      const [row] = await engine.transaction((tx) => tx.all<RunRow>(insert, [version, mode, jsonText(settings)]));
      if (row !== undefined) return runOf(row);
      const [other] = await engine.reader.all<{ id: number }>(live, [version]);
      throw other === undefined
        ? pinakesError('source.unknown', { source: `of version ${version}` })
        : pinakesError('source.busy', { source: `of version ${version}`, run: other.id });
    },

    startDue: (version, nextAfterMs) =>
      engine.transaction(async (tx) => {
        if ((await tx.all(takeDue, [version, nextAfterMs])).length === 0) return null;
        const [row] = await tx.all<RunRow>(insert, [version, 'incremental', '{}']);
        return row === undefined ? null : runOf(row);
      }),

    byId: (run) => one(`select ${RUN_COLUMNS} from runs where id = $1`, [run]),

    async list(limit, source) {
      const rows =
        source === undefined
          ? engine.reader.all<RunRow>(newest, [limit])
          : engine.reader.all<RunRow>(newestOfSource, [limit, source]);
      return (await rows).map(runOf);
    },

    async live() {
      return (await engine.reader.all<RunRow>(everyLive)).map(runOf);
    },

    async lease(worker, leaseMs) {
      const [next] = await engine.reader.all<{ id: number }>(leasable);
      if (next === undefined) return null;
      const row = await engine.transaction((tx) => takeRun(tx, [next.id, worker, leaseMs]));
      return row === null ? null : { run: runOf(row), worker, fence: row.fence };
    },

    async renew(lease, leaseMs) {
      return (await engine.transaction((tx) => tx.all(renew, [...heldBy(lease), leaseMs]))).length > 0;
    },

    async release(lease) {
      await engine.transaction((tx) => tx.all(release, heldBy(lease)));
    },

    control: (run, wish) => engine.transaction((tx) => controlRun(tx, wakeHosts, run, wish)),

    dropUnasked: (lease, reason, limit) => engine.transaction((tx) => dropUnasked(tx, lease, reason, limit)),

    async finish(lease, state, reason) {
      return engine.transaction(async (tx) => {
        const ended = await tx.all(finish, [...heldBy(lease), state, reason]);
        if (ended.length === 0) return false;
        await tx.all(dropLanes, [lease.run.id]);
        const { id: run, source } = lease.run;
        await tell(tx, { source, run, kind: 'run-ended', url: null, detail: { state, reason } });
        return true;
      });
    },
  };
}

/** The first lease of a run is its beginning. */
async function takeRun(tx: Executor, given: readonly (string | number)[]): Promise<RunRow | null> {
  const [row] = await tx.all<RunRow>(take, given);
  if (row?.fence === 1)
    await tell(tx, { source: row.source_id, run: row.id, kind: 'run-started', url: null, detail: { mode: row.mode } });
  return row ?? null;
}

function heldBy(lease: RunLease): [number, string, number] {
  return [lease.run.id, lease.worker, lease.fence];
}

/** While a run is paused its hosts grow idle; going on wakes them. */
async function controlRun(
  tx: Executor,
  wakeHosts: WakeHosts,
  run: Run['id'],
  wish: keyof typeof WISHES,
): Promise<boolean> {
  const [changed] = await tx.all<{ source_id: number }>(WISHES[wish], [run]);
  if (changed === undefined) return false;
  if (wish === 'resume') {
    const hosts = await tx.all<{ host_id: number }>(lanesOf, [run]);
    await wakeHosts(
      tx,
      run,
      hosts.map((row) => row.host_id),
    );
  }
  await tell(tx, { source: changed.source_id, run, kind: WISH_EVENTS[wish], url: null, detail: {} });
  return true;
}

async function dropUnasked(tx: Executor, lease: RunLease, reason: string, limit: number): Promise<number> {
  const { run } = lease;
  const held = await tx.all(`select id from runs where ${HELD}`, heldBy(lease));
  if (held.length === 0) return 0;
  const rows = await tx.all<{ version_id: number; url_key: Uint8Array }>(queued, [run.id, limit]);
  if (rows.length < limit) rows.push(...(await tx.all<(typeof rows)[number]>(waiting, [run.id, limit - rows.length])));
  const dropped = await tx.each(
    drop,
    rows.map((row) => [row.version_id, row.url_key]),
    [reason],
  );
  const tally = createTally();
  tally.count(run.id, 'dropped', dropped.length);
  await tally.write(tx);
  return dropped.length;
}
