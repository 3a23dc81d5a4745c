// Analysis runs and their leases.

import type { AnalysisStage, AnalysisStatus } from '../../../core/analysis/analysis-run.ts';
import type { SourceId } from '../../../core/model/run.ts';
import type { Analysis, AnalysisEvent, AnalysisLease, AnalysisRun, AnalysisChange } from '../../port/analysis.ts';
import { dateOf, jsonObject, jsonText } from '../engine/codec.ts';
import type { Engine, Executor, Value } from '../engine/engine.ts';
import type { Announcer } from '../engine/wakeups.ts';
import { createAnalyzedPages, upsertAnalyses, upsertHosts } from './analyzed-pages.ts';
import { createSiteCoverage } from './site-coverage.ts';
import { createAwards } from '../runs/problems-and-milestones.ts';

const COLUMNS = `id, started_at, ended_at, status, stage, analysis_version, page_limit, domain_limit, skip_pages, skip_domains, dry_run, "verbose", summary, last_progress, error, source_id, fence, crashes, now_ms() as read_at`;

const insert = `insert into analysis_runs (id, started_at, status, stage, analysis_version, page_limit, domain_limit, skip_pages, skip_domains, dry_run, "verbose", source_id)
  values ($1, now_ms(), 'queued', 'starting', $2, $3, $4, $5, $6, $7, $8, $9)`;
const selectById = `select ${COLUMNS} from analysis_runs where id = $1`;
const selectNewest = `select ${COLUMNS} from analysis_runs order by started_at desc, id desc limit $1 offset $2`;
const countAll = `select count(*) as n from analysis_runs`;
const selectEvents = `select id, run_id, ts, stage, message, details from analysis_run_events where run_id = $1 order by id desc limit $2`;

const IS_LIVE = `status in ('queued', 'running')`;
const selectLive = `select id from analysis_runs where ${IS_LIVE} limit 1`;
const selectOldest = `select id, lease_until > now_ms() as is_held from analysis_runs where ${IS_LIVE} order by started_at, id limit 1`;
/** A run that still has a lease was not released: its worker crashed, or was lost. */
const takeLease = `update analysis_runs set worker = $2, lease_until = now_ms() + $3, fence = fence + 1, status = 'running',
    crashes = case when lease_until is null then crashes else crashes + 1 end
  where id = $1 and ended_at is null and (lease_until is null or lease_until <= now_ms()) returning ${COLUMNS}`;
const HELD = `id = $1 and worker = $2 and fence = $3 and ended_at is null`;
const renew = `update analysis_runs set lease_until = now_ms() + $4 where ${HELD} returning id`;
const release = `update analysis_runs set worker = null, lease_until = null where ${HELD}`;
const saveStep = `update analysis_runs set stage = coalesce($4, stage), summary = coalesce($5, summary), last_progress = coalesce($6, last_progress), crashes = 0
  where ${HELD} returning stage`;
const finish = `update analysis_runs set status = $4, stage = $4, summary = coalesce($5, summary), last_progress = coalesce($6, last_progress), error = $7,
    ended_at = now_ms(), worker = null, lease_until = null where ${HELD} returning stage`;
const stop = `update analysis_runs set status = 'stopped', ended_at = now_ms(), worker = null, lease_until = null where id = $1 and ended_at is null returning stage`;
const insertEvent = `insert into analysis_run_events (run_id, ts, stage, message, details) values ($1, now_ms(), $2, $3, $4)`;

interface RunRow {
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly status: AnalysisStatus;
  readonly stage: AnalysisStage;
  readonly analysis_version: number;
  readonly page_limit: number | null;
  readonly domain_limit: number | null;
  readonly skip_pages: number;
  readonly skip_domains: number;
  readonly dry_run: number;
  readonly verbose: number;
  readonly summary: string | null;
  readonly last_progress: string | null;
  readonly error: string | null;
  readonly source_id: number | null;
  readonly fence: number;
  readonly crashes: number;
  readonly read_at: number;
}

interface EventRow {
  readonly id: number;
  readonly run_id: string;
  readonly ts: number;
  readonly stage: AnalysisStage;
  readonly message: string;
  readonly details: string | null;
}

export function createAnalysis(engine: Engine, announcer: Announcer): Analysis {
  const { reader } = engine;
  return {
    ...createAnalyzedPages(reader),
    ...createAwards(engine),
    ...createSiteCoverage(engine),
    async start(id, options) {
      const { analysisVersion, pageLimit, domainLimit, skipPages, skipDomains, dryRun, verbose, source } = options;
      const flags = [skipPages, skipDomains, dryRun, verbose].map(Number);
      const values = [id, analysisVersion, pageLimit, domainLimit, ...flags, source];
      await engine.transaction((tx) => tx.all(insert, values));
      announcer.announce('runs');
    },
    async byId(id) {
      const [row] = await reader.all<RunRow>(selectById, [id]);
      return row === undefined ? null : toRun(row);
    },
    async list({ limit, offset }) {
      const rows = await reader.all<RunRow>(selectNewest, [limit, offset]);
      const [count] = await reader.all<{ n: number }>(countAll);
      return { total: count?.n ?? 0, runs: rows.map(toRun) };
    },
    events: async (run, limit) => (await reader.all<EventRow>(selectEvents, [run, limit])).map(toEvent),
    isLive: async () => (await reader.all(selectLive)).length > 0,
    lease: (worker, leaseMs) => leaseOldest(engine, worker, leaseMs),
    renew: (lease, leaseMs) => changes(engine, renew, [...held(lease), leaseMs]),
    release: async (lease) => void (await changes(engine, release, held(lease))),
    save: (lease, step) => underLease(engine, lease, step),
    savePages: (lease, pages, step) => underLease(engine, lease, step, (tx) => upsertAnalyses(tx, lease, pages)),
    saveHosts: (lease, version, hosts, step) =>
      underLease(engine, lease, step, (tx) => upsertHosts(tx, version, hosts)),
    stop: (id) =>
      engine.transaction(async (tx) => {
        const [stopped] = await tx.all<{ stage: AnalysisStage }>(stop, [id]);
        if (stopped === undefined) return false;
        await tx.all(insertEvent, [id, stopped.stage, 'Stopped', null]);
        return true;
      }),
    finish: (lease, status, { error, ...step }) =>
      engine.transaction(async (tx) => {
        const values = [...held(lease), status, textOrNull(step.summary), textOrNull(step.lastProgress), error];
        if ((await tx.all(finish, values)).length === 0) return false;
        await appendEvents(tx, lease, status, step);
        return true;
      }),
  };
}

async function changes(engine: Engine, sql: string, values: readonly Value[]): Promise<boolean> {
  return engine.transaction(async (tx) => (await tx.all(sql, values)).length > 0);
}

async function leaseOldest(engine: Engine, worker: string, leaseMs: number): Promise<AnalysisLease | null> {
  // Read first: a transaction makes others wait, and nearly always there is no run.
  const [oldest] = await engine.reader.all<{ id: string; is_held: number | boolean | null }>(selectOldest);
  if (oldest === undefined || Boolean(oldest.is_held)) return null;
  const [row] = await engine.transaction((tx) => tx.all<RunRow>(takeLease, [oldest.id, worker, leaseMs]));
  return row === undefined ? null : { run: toRun(row), worker, fence: row.fence, crashes: row.crashes };
}

const LEASE_LOST = new Error('the lease is lost');

/** The row of the run is changed last: who takes it over waits for the commit, or came first and nothing is written. */
async function underLease(
  engine: Engine,
  lease: AnalysisLease,
  step: AnalysisChange,
  write: (tx: Executor) => Promise<void> = async () => undefined,
): Promise<boolean> {
  try {
    await engine.transaction(async (tx) => {
      await write(tx);
      const values = [...held(lease), step.stage ?? null, textOrNull(step.summary), textOrNull(step.lastProgress)];
      const [row] = await tx.all<{ stage: AnalysisStage }>(saveStep, values);
      if (row === undefined) throw LEASE_LOST;
      await appendEvents(tx, lease, row.stage, step);
    });
    return true;
  } catch (error) {
    if (error !== LEASE_LOST) throw error;
    return false;
  }
}

async function appendEvents(
  tx: Executor,
  { run }: AnalysisLease,
  stage: AnalysisStage,
  { events = [] }: AnalysisChange,
): Promise<void> {
  for (const { message, details } of events)
    await tx.all(insertEvent, [run.id, stage, message, details === null ? null : jsonText(details)]);
}

function held({ run, worker, fence }: AnalysisLease): readonly Value[] {
  return [run.id, worker, fence];
}

function textOrNull(value: Parameters<typeof jsonText>[0] | undefined): string | null {
  return value === undefined ? null : jsonText(value);
}

function toRun(row: RunRow): AnalysisRun {
  return {
    id: row.id,
    status: row.status,
    stage: row.stage,
    startedAt: new Date(row.started_at),
    endedAt: dateOf(row.ended_at),
    readAt: new Date(row.read_at),
    analysisVersion: row.analysis_version,
    pageLimit: row.page_limit,
    domainLimit: row.domain_limit,
    skipPages: row.skip_pages === 1,
    skipDomains: row.skip_domains === 1,
    dryRun: row.dry_run === 1,
    verbose: row.verbose === 1,
    source: row.source_id as SourceId | null,
    summary: row.summary === null ? null : jsonObject(row.summary),
    lastProgress: row.last_progress === null ? null : jsonObject(row.last_progress),
    error: row.error,
  };
}

function toEvent({ run_id: run, ts, details, ...event }: EventRow): AnalysisEvent {
  return { ...event, run, at: new Date(ts), details: details === null ? null : jsonObject(details) };
}
