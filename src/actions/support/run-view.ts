// A run as every interface shows it.

import { z } from 'zod';
import { unsettledUrls } from '../../core/model/outcome.ts';
import type { Run, Source } from '../../store/port.ts';

const Counts = z.object({
  found: z.int().describe('URLs accepted into the run'),
  queued: z.int().describe('URLs not settled yet'),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  missing: z.int().describe('Pages reported missing, until the run confirms it'),
  gone: z.int(),
  moved: z.int().describe('Aliases of other pages'),
  skipped: z.int().describe('Pages without content, or marked noindex'),
  failed: z.int(),
  dropped: z.int().describe('URLs not fetched because the run was stopped or reached a limit'),
  excluded: z.int().describe('URLs excluded by a rule'),
  bytes: z.int(),
});

export const RunView = z.object({
  run: z.int(),
  source: z.string(),
  state: z.string(),
  mode: z.string(),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  counts: Counts,
});

export type RunView = z.output<typeof RunView>;

export function viewOfRun(run: Run, sources: readonly Source[]): RunView {
  const { found, excluded, bytes, ...outcomes } = run.counts;
  return {
    run: run.id,
    source: sources.find(({ id }) => id === run.source)?.name ?? '',
    state: run.state,
    mode: run.mode,
    reason: run.reason,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
    counts: { found, queued: unsettledUrls(run.counts), ...outcomes, excluded, bytes },
  };
}
