// Runs: started once, coordinated under a lease with a fencing token, ended in exactly one state.

import { type PinakesError, pinakesError } from '../../../core/model/errors.ts';
import type { EndedRunState, SourceId } from '../../../core/model/run.ts';
import type { JsonObject } from '../../port/json.ts';
import type { Run, RunLease, Runs } from '../../port/runs.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import type { WakeHosts } from '../frontier/host-schedule.ts';
import { keepReasons } from '../frontier/read-urls.ts';
import { createRunControl } from './control-run.ts';
import { LEASE_HELD, leaseValues, RUN_COLUMNS, RUN_IS_DRAINED, RUN_PROGRESS, toRun, type RunRow } from './run-row.ts';
import { insertProblem } from './problems-and-milestones.ts';
import { readRange } from './read-range.ts';
import { keepHostDelays, readRunHosts } from './run-hosts.ts';
import { recordDay } from '../sources/daily-sizes.ts';
import { lockSourceOf } from '../sources/lock-source.ts';
import { addLastSample, addSample, readRecentSample, readSamples, SAMPLE_NTH } from './run-samples.ts';
import { appendEvent } from './transaction-tail.ts';

/** After the source was locked. */
export const insertRun = `insert into runs (source_id, version_id, state, mode, settings, created_at)
  select source_id, versions.id, 'queued', $2, $3, now_ms() from versions join sources on sources.id = source_id and removed_at is null where versions.id = $1
  on conflict do nothing returning ${RUN_COLUMNS}`;

/** A second caller finds the next run already scheduled. */
const claimDue = `update sources set due_at = now_ms() + $2
  where id = (select source_id from versions where id = $1) and removed_at is null and due_at <= now_ms() returning id`;

const selectLiveOfSource = `select runs.id, sources.name from versions join sources on sources.id = versions.source_id
  join runs on runs.source_id = sources.id and runs.ended_at is null where versions.id = $1`;

const selectNewest = `select ${RUN_COLUMNS} from runs order by id desc limit $1`;
const selectNewestOfSource = `select ${RUN_COLUMNS} from runs where source_id = $2 order by id desc limit $1`;
const selectLatest = batch(
  { wanted: 'int' },
  `select ${RUN_COLUMNS} from runs, {rows} r where runs.id = (select max(own.id) from runs own where own.source_id = r.wanted)`,
);
const selectFailedSources = `select name, count(*) over () as n from sources where removed_at is null
  and (select state from runs where runs.source_id = sources.id order by id desc limit 1) = 'failed' order by name limit $1`;
const selectLive = `select ${RUN_COLUMNS} from runs where ended_at is null order by id`;

/** A folder of another machine waits for that machine. */
const IS_REMOTE = `source_id in (select id from sources where machine is not null and machine <> $1)`;

const selectActive = `select count(*) as n from runs where ended_at is null and state in ('queued', 'running') and not ${IS_REMOTE}`;
const selectOrdinal = `select count(*) as n from runs where version_id = (select version_id from runs where id = $1) and id <= $1`;

/** The oldest live run without a coordinator. The row is taken by a conditional update, so two workers never share it. */
const selectLeasable = `select id from runs where ended_at is null and state <> 'paused' and (lease_until is null or lease_until <= now_ms())
  and not ${IS_REMOTE} order by id limit 1`;
/** A run that still has a lease was not released: its coordinator crashed. Crashes are counted until there is progress. */
const takeLease = `update runs set worker = $2, lease_until = now_ms() + $3, fence = fence + 1, started_at = coalesce(started_at, now_ms()),
    crashes = case when lease_until is null then crashes when crash_progress = ${RUN_PROGRESS} then crashes + 1 else 1 end,
    crash_progress = case when lease_until is null then crash_progress else ${RUN_PROGRESS} end,
    state = case when state = 'queued' then 'running' else state end
  where id = $1 and ended_at is null and state <> 'paused' and (lease_until is null or lease_until <= now_ms()) returning ${RUN_COLUMNS}`;

const renew = `update runs set lease_until = now_ms() + $4, worked_ms = worked_ms + $5 where ${LEASE_HELD} returning ${SAMPLE_NTH} as nth`;
const release = `update runs set lease_until = null, worker = null where ${LEASE_HELD}`;
const finish = `update runs set state = $4, reason = $5, ended_at = now_ms(), worker = null, lease_until = null where ${LEASE_HELD} and ${RUN_IS_DRAINED} returning ${SAMPLE_NTH} as nth, n_bytes as bytes`;
const selectSourceSettings = `select settings from sources where id = $1`;
const selectRunMessages = `select message from problems where run_id = $1 and scope = 'run'`;
const deleteHostQueues = `delete from host_queues where run_id = $1`;

/** Why a run was not started. */
async function notStarted(engine: Engine, version: number): Promise<PinakesError> {
  const [other] = await engine.reader.all<{ id: number; name: string }>(selectLiveOfSource, [version]);
  return other === undefined
    ? pinakesError('source.unknown', { source: `of version ${version}` })
    : pinakesError('source.busy', { source: other.name, run: other.id });
}

interface RunsDeps {
  readonly wakeHosts: WakeHosts;
  readonly machine: string | null;
}

async function readLatest(engine: Engine, sources: readonly SourceId[]): Promise<readonly Run[]> {
  const rows = await engine.reader.each<RunRow>(
    selectLatest,
    sources.map((source) => [source]),
  );
  return rows.map(toRun);
}

export function createRuns(engine: Engine, parts: EngineParts, { wakeHosts, machine }: RunsDeps): Runs {
  const { announcer } = parts;
  const readAll = async (sql: string, values: readonly number[] = []): Promise<readonly Run[]> =>
    (await engine.reader.all<RunRow>(sql, values)).map(toRun);
  return {
    async start(version, mode, settings) {
      const [row] = await engine.transaction(async (tx) => {
        const isKnown = await lockSourceOf(tx, version);
        return isKnown ? tx.all<RunRow>(insertRun, [version, mode, jsonText(settings)]) : [];
      });
      announcer.announce('runs');
      if (row !== undefined) return toRun(row);
      throw await notStarted(engine, version);
    },

    startDue: (version, nextAfterMs) =>
      engine.transaction(async (tx) => {
        if ((await tx.all(claimDue, [version, nextAfterMs])).length === 0) return null;
        const [row] = await tx.all<RunRow>(insertRun, [version, 'incremental', '{}']);
        if (row !== undefined) announcer.announce('runs');
        return row === undefined ? null : toRun(row);
      }),

    byId: async (run) => (await readAll(`select ${RUN_COLUMNS} from runs where id = $1`, [run]))[0] ?? null,

    list: (limit, source) =>
      source === undefined ? readAll(selectNewest, [limit]) : readAll(selectNewestOfSource, [limit, source]),

    async listPage({ source, state, ...range }) {
      const list = { select: `select ${RUN_COLUMNS} from runs`, order: 'id', filters: { source_id: source, state } };
      return (await readRange<RunRow>(engine.reader, list, range)).map(toRun);
    },

    samples: (run) => readSamples(engine.reader, run),
    recentSample: (run) => readRecentSample(engine.reader, run),
    hosts: (run, limit) => readRunHosts(engine.reader, run, limit),

    ordinal: (run) => countRuns(engine, selectOrdinal, [run]),
    countActive: () => countRuns(engine, selectActive, [machine ?? '']),
    latest: (sources) => readLatest(engine, sources),
    async failedSources(limit) {
      const rows = await engine.reader.all<{ name: string; n: number }>(selectFailedSources, [limit]);
      return { count: rows[0]?.n ?? 0, names: rows.map(({ name }) => name) };
    },
    live: () => readAll(selectLive),

    lease: (worker, leaseMs) => leaseRun(engine, parts, { worker, leaseMs, machine }),

    async renew(lease, leaseMs, workedMs = 0) {
      await parts.eventPartitions?.extend();
      return engine.transaction(async (tx) => {
        const [renewed] = await tx.all<{ nth: number }>(renew, [...leaseValues(lease), leaseMs, Math.round(workedMs)]);
        if (renewed !== undefined) {
          await addSample(tx, lease.run.id, renewed.nth);
          await recordDay(tx, lease.run.source);
        }
        return renewed !== undefined;
      });
    },

    async release(lease) {
      await engine.transaction((tx) => tx.all(release, leaseValues(lease)));
      announcer.announce('runs');
    },

    ...createRunControl(engine, announcer, wakeHosts),

    async finish(lease, state, reason) {
      const [size] = await engine.reader.all<{ bytes: number }>(parts.databaseBytes);
      const end = { state, reason, databaseBytes: size?.bytes ?? 0 };
      return engine.transaction((tx) => finishRun(tx, lease, end));
    },
  };
}

async function countRuns({ reader }: Engine, sql: string, values: readonly (string | number)[]): Promise<number> {
  const [row] = await reader.all<{ n: number }>(sql, values);
  return row?.n ?? 0;
}

interface RunEnd {
  readonly state: EndedRunState;
  readonly reason: string | null;
  readonly databaseBytes: number;
}

async function finishRun(tx: Executor, lease: RunLease, { state, reason, databaseBytes }: RunEnd): Promise<boolean> {
  const [ended] = await tx.all<{ nth: number; bytes: number }>(finish, [...leaseValues(lease), state, reason]);
  if (ended === undefined) return false;
  const { id: run, source } = lease.run;
  await tx.all(deleteHostQueues, [run]);
  await keepReasons(tx, run);
  await keepHostDelays(tx, run);
  await addLastSample(tx, run, ended.nth + 1);
  await recordDay(tx, source, { receivedBytes: ended.bytes, databaseBytes });
  await reportResult(tx, lease.run, { state, reason });
  await appendEvent(tx, { source, run, kind: 'run-ended', url: null, detail: { state, reason } });
  return true;
}

/** Why a run failed or is not complete is a problem of the run, unless a problem that ended it states it already. */
async function reportResult(
  tx: Executor,
  { id: run, source }: Pick<Run, 'id' | 'source'>,
  { state, reason }: Pick<RunEnd, 'state' | 'reason'>,
): Promise<void> {
  if (reason === null || (state !== 'failed' && state !== 'partial')) return;
  const reported = await tx.all<{ message: string }>(selectRunMessages, [run]);
  if (reported.some(({ message }) => message.includes(reason))) return;
  const severity = state === 'failed' ? 'error' : 'warning';
  const about = { kind: `run-${state}`, severity, scope: 'run', target: `run ${run}` } as const;
  await insertProblem(tx, source, { run, ...about, message: reason, details: {} });
}

async function leaseRun(
  engine: Engine,
  { requireSchema }: EngineParts,
  { worker, leaseMs, machine }: { readonly worker: string; readonly leaseMs: number; readonly machine: string | null },
): Promise<RunLease | null> {
  const [next] = await engine.reader.all<{ id: number }>(selectLeasable, [machine ?? '']);
  if (next === undefined) return null;
  const row = await engine.transaction(async (tx) => {
    await requireSchema(tx);
    return takeRun(tx, [next.id, worker, leaseMs]);
  });
  return row === null ? null : { run: toRun(row), worker, fence: row.fence, crashes: row.crashes };
}

/** The first lease of a run starts it. */
async function takeRun(tx: Executor, values: readonly (string | number)[]): Promise<RunRow | null> {
  const [row] = await tx.all<RunRow>(takeLease, values);
  if (row?.fence === 1) {
    const { source_id: source, id: run, mode } = row;
    const detail = { mode, settings: await settingsOf(tx, row) };
    await appendEvent(tx, { source, run, kind: 'run-started', url: null, detail });
  }
  return row ?? null;
}

/** The settings of its source, which may change later, and its own. Without headers: every reader may see events. */
async function settingsOf(tx: Executor, { source_id: source, settings }: RunRow): Promise<JsonObject> {
  const [row] = await tx.all<{ settings: string }>(selectSourceSettings, [source]);
  const { headers: _, ...shown } = { ...jsonObject(row?.settings ?? '{}'), ...jsonObject(settings) };
  return shown;
}
