// Progress of a run over time: a sample every ten seconds, thinned as the run goes on.

import type { RunId } from '../../../core/model/run.ts';
import type { RunProgress } from '../../port.ts';
import type { Executor } from '../engine/engine.ts';
import { QUEUE_SIZE } from './run-row.ts';

const SAMPLE_MS = 10_000;
const MAX_SAMPLES = 400;

/** Time since the start of a run, in SQL. */
export const SAMPLE_NTH = `cast((now_ms() - coalesce(started_at, created_at)) / ${SAMPLE_MS} as integer)`;

const COUNTS = `runs.n_found, ${QUEUE_SIZE}, runs.n_new + runs.n_changed + runs.n_unchanged, runs.n_failed, runs.n_bytes`;
const insertSample = `insert into run_samples (run_id, nth, at, found, queue_size, stored, failed, bytes)
  select runs.id, $2, now_ms(), ${COUNTS} from runs where runs.id = $1
  on conflict (run_id, nth) do update set at = excluded.at, found = excluded.found, queue_size = excluded.queue_size,
    stored = excluded.stored, failed = excluded.failed, bytes = excluded.bytes`;
const thin = `delete from run_samples where run_id = $1 and nth % $2 <> 0`;

const SAMPLE = `select run_id, at, found, queue_size, stored, failed, bytes from run_samples`;
const selectSamples = `${SAMPLE} where run_id = $1 order by nth`;

interface SampleRow {
  readonly at: number;
  readonly found: number;
  readonly queue_size: number;
  readonly stored: number;
  readonly failed: number;
  readonly bytes: number;
}

/** While a run is live. Of a long run every second, fourth … sample is kept. */
export async function addSample(tx: Executor, run: RunId, nth: number): Promise<void> {
  let step = 1;
  while (nth / step >= MAX_SAMPLES) step *= 2;
  if (step > 1) await tx.all(thin, [run, step]);
  if (nth % step === 0) await tx.all(insertSample, [run, nth]);
}

/** The last one, whatever its time. */
export async function addLastSample(tx: Executor, run: RunId, nth: number): Promise<void> {
  await tx.all(insertSample, [run, nth]);
}

export async function readSamples(reader: Executor, run: RunId): Promise<readonly RunProgress[]> {
  const rows = await reader.all<SampleRow>(selectSamples, [run]);
  return rows.map(({ at, queue_size, found, stored, failed, bytes }) => {
    return { at: new Date(at), found, queueSize: queue_size, stored, failed, bytes };
  });
}
