// The row of a run, and its counters.

import { OUTCOME_NAMES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { RunId, RunMode, RunState, SourceId, VersionId } from '../../../core/model/run.ts';
import type { Run, RunCounts } from '../../port.ts';
import { dateOf, jsonObject } from '../engine/codec.ts';

export interface RunRow {
  readonly id: number;
  readonly source_id: number;
  readonly version_id: number;
  readonly state: RunState;
  readonly mode: RunMode;
  readonly settings: string;
  readonly reason: string | null;
  readonly fence: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly [counter: `n_${string}`]: number;
}

export const COUNTERS = ['found', ...OUTCOME_NAMES, 'bytes'] as const;
export type Counter = OutcomeName | 'found' | 'bytes';

/** Every outcome of an accepted URL; what is refused was never accepted. */
const SETTLED = OUTCOME_NAMES.filter((name) => name !== 'refused');

export const RUN_COLUMNS = `id, source_id, version_id, state, mode, settings, reason, fence, created_at, started_at, ended_at, ${COUNTERS.map(
  (name) => `n_${name}`,
).join(', ')}`;

/** True in SQL when nothing of the run is queued, claimed or waiting: counters move with rows, so this is exact. */
export const RUN_IS_DRAINED = `n_found = ${SETTLED.map((name) => `n_${name}`).join(' + ')}`;

export function runOf(row: RunRow): Run {
  return {
    id: row.id as RunId,
    source: row.source_id as SourceId,
    version: row.version_id as VersionId,
    state: row.state,
    mode: row.mode,
    settings: jsonObject(row.settings),
    reason: row.reason,
    createdAt: new Date(row.created_at),
    startedAt: dateOf(row.started_at),
    endedAt: dateOf(row.ended_at),
    counts: Object.fromEntries(COUNTERS.map((name) => [name, row[`n_${name}`]])) as RunCounts,
  };
}
