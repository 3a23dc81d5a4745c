// Progress of a run over time: a sample every ten seconds, thinned as the run goes on.

import type { RunId } from '../../../core/model/run.ts';
import type { RunProgress } from '../../../core/model/run-rates.ts';
import type { Executor } from '../engine/engine.ts';
import { QUEUE_SIZE } from './run-row.ts';

const SAMPLE_MS = 10_000;
/** Samples spread over the run, in addition to the latest ones. */
const MAX_SPREAD = 384;
/** Two minutes, from which the rates of a live run are computed. */
const LATEST = 12;
/** The sample that current counters are compared with. */
const WINDOW_MS = 30_000;
const MIN_WINDOW_MS = 5000;

/** Time since the start of a run, in SQL. */
export const SAMPLE_NTH = `cast((now_ms() - coalesce(started_at, created_at)) / ${SAMPLE_MS} as integer)`;

const COUNTS = `runs.n_found, ${QUEUE_SIZE}, runs.n_new + runs.n_changed + runs.n_unchanged, runs.n_failed, runs.n_bytes, runs.n_requests, runs.n_downloads`;
const insertSample = `insert into run_samples (run_id, nth, at, found, queue_size, stored, failed, bytes, requests, downloads)
  select runs.id, $2, now_ms(), ${COUNTS} from runs where runs.id = $1
  on conflict (run_id, nth) do update set at = excluded.at, found = excluded.found, queue_size = excluded.queue_size,
    stored = excluded.stored, failed = excluded.failed, bytes = excluded.bytes,
    requests = excluded.requests, downloads = excluded.downloads`;
const thin = `delete from run_samples where run_id = $1 and nth % $2 <> 0 and nth <= $3`;

const SAMPLE = `select run_id, at, found, queue_size, stored, failed, bytes, requests, downloads from run_samples`;
const selectSamples = `${SAMPLE} where run_id = $1 order by nth`;
const selectRecent = `${SAMPLE} where run_id = $1 and at <= now_ms() - ${WINDOW_MS} order by nth desc limit 1`;
const selectFirst = `${SAMPLE} where run_id = $1 and at <= now_ms() - ${MIN_WINDOW_MS} order by nth limit 1`;

interface SampleRow {
  readonly at: number;
  readonly found: number;
  readonly queue_size: number;
  readonly stored: number;
  readonly failed: number;
  readonly bytes: number;
  readonly requests: number;
  readonly downloads: number;
}

/** While a run is live. Of a long run every second, fourth … sample is kept, except the latest. */
export async function addSample(tx: Executor, run: RunId, nth: number): Promise<void> {
  let step = 1;
  while (nth / step >= MAX_SPREAD) step *= 2;
  if (step > 1) await tx.all(thin, [run, step, nth - LATEST]);
  await tx.all(insertSample, [run, nth]);
}

/** The last one, whatever its time. */
export async function addLastSample(tx: Executor, run: RunId, nth: number): Promise<void> {
  await tx.all(insertSample, [run, nth]);
}

export async function readSamples(reader: Executor, run: RunId): Promise<readonly RunProgress[]> {
  const rows = await reader.all<SampleRow>(selectSamples, [run]);
  return rows.map(toProgress);
}

export async function readRecentSample(reader: Executor, run: RunId): Promise<RunProgress | null> {
  const [recent] = await reader.all<SampleRow>(selectRecent, [run]);
  const [row] = recent === undefined ? await reader.all<SampleRow>(selectFirst, [run]) : [recent];
  return row === undefined ? null : toProgress(row);
}

function toProgress({ at, queue_size, ...counts }: SampleRow): RunProgress {
  const { found, stored, failed, bytes, requests, downloads } = counts;
  return { at: new Date(at), found, queueSize: queue_size, stored, failed, bytes, requests, downloads };
}
