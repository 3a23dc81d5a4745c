// A run as every interface shows it.

import { z } from 'zod';
import { storedPages, unsettledUrls } from '../../core/model/outcome.ts';
import { etaSeconds, NO_RATES, runRates, type RunRates } from '../../core/model/run-rates.ts';
import { folderName, isFilePath } from '../../core/model/source-name.ts';
import type { Store } from '../../store/port.ts';
import type { RunProgress } from '../../core/model/run-rates.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source } from '../../store/port/sources.ts';
import { PerHost } from './run-hosts.ts';

const Counts = z.object({
  found: z.int().describe('URLs accepted into the run'),
  queued: z.int().describe('URLs not settled yet'),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  missing: z.int().describe('Stored pages that were not found, until the end of the run confirms it'),
  removed: z.int().describe('Stored pages whose deletion was confirmed'),
  'not-found': z.int().describe('URLs that the site does not have and that were never stored'),
  moved: z.int().describe('Aliases of other pages'),
  skipped: z.int().describe('Pages fetched but not stored: without content, or marked noindex'),
  failed: z.int(),
  dropped: z.int().describe('URLs not fetched because the run was stopped or reached a limit'),
  excluded: z.int().describe('URLs not fetched because a rule excludes them'),
  bytes: z.int(),
});

const rate = z.number().nullable();

const Metrics = z
  .object({
    visited: z.int().describe('Requests for URLs of the run'),
    downloaded: z.int().describe('Requests that were answered with a body'),
    found: z.int(),
    saved: z.int().describe('New, changed and unchanged pages'),
    errors: z.int().describe('URLs that failed'),
    queueSize: z.int(),
    requestsPerSec: rate,
    downloadsPerSec: rate,
    errorRatePerMin: rate,
    bytesPerSec: rate,
  })
  .describe(
    'A specification fixes the names; the numbers are those of `counts`. Rates are those of the last half minute, or of the whole run once it has ended; null if not measured',
  );

export const RunView = z.object({
  run: z.int(),
  source: z.string(),
  startUrl: z.string(),
  state: z.string(),
  mode: z.string(),
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  lastActivityAt: z.iso.datetime().nullable().describe('When a URL was last found or settled'),
  events: z.int().describe('Events that it has written'),
  lastEventAt: z.iso.datetime().nullable(),
  etaSeconds: z
    .int()
    .nullable()
    .describe('Estimated time left; null if it cannot be estimated, as while the queue grows'),
  counts: Counts,
  metrics: Metrics,
  perHost: PerHost.optional().describe('In frames of the event stream: the busiest hosts of a live run'),
});

export type RunView = z.output<typeof RunView>;

/** The views of runs, in the order of the runs. */
export async function loadRunViews(store: Store, runs: readonly Run[]): Promise<readonly RunView[]> {
  const sources = await store.sources.byIds([...new Set(runs.map(({ source }) => source))]);
  const byId = new Map(sources.map((source) => [source.id, source]));
  const views: RunView[] = [];
  for (const run of runs) views.push(viewOfRun(run, byId.get(run.source), await earlierPoint(store, run)));
  return views;
}

/** A sample that is older belongs to the time before a pause or a crash. */
const MAX_WINDOW_MS = 120_000;

/** The baseline of the current rates: a recent sample, or the start. */
async function earlierPoint({ runs }: Store, run: Run): Promise<RunProgress | null> {
  if (run.startedAt === null) return null;
  const start = { ...NOTHING, at: run.startedAt };
  if (run.endedAt !== null) return start;
  const earlier = (await runs.recentSample(run.id)) ?? start;
  return run.readAt.getTime() - earlier.at.getTime() > MAX_WINDOW_MS ? null : earlier;
}

const NOTHING = { found: 0, queueSize: 0, stored: 0, failed: 0, bytes: 0, requests: 0, downloads: 0 };

function viewOfRun(run: Run, source: Source | undefined, earlier: RunProgress | null): RunView {
  const { found, excluded, bytes, requests, downloads, ...outcomes } = run.counts;
  const { name = '', startUrl = '' } = source ?? {};
  const now = pointOf(run);
  const isRunning = run.state === 'running' && earlier !== null;
  return {
    run: run.id,
    source: name,
    // Anyone who may read sees the view, so it has the name of a folder, and not where it is.
    startUrl: isFilePath(startUrl) ? folderName(startUrl) : startUrl,
    state: run.state,
    mode: run.mode,
    reason: run.reason,
    createdAt: run.createdAt.toISOString(),
    startedAt: timeText(run.startedAt),
    endedAt: timeText(run.endedAt),
    lastActivityAt: timeText(run.activeAt),
    events: run.events,
    lastEventAt: timeText(run.lastEventAt),
    etaSeconds: isRunning ? etaSeconds(earlier, now, maxPagesOf(run, source)) : null,
    counts: { found, queued: now.queueSize, ...outcomes, excluded, bytes },
    metrics: metricsOf(now, earlier === null ? null : runRates(earlier, now)),
  };
}

function timeText(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function metricsOf(now: RunProgress, rates: RunRates | null): RunView['metrics'] {
  const { requests, downloads, found, stored, failed, queueSize } = now;
  const counted = { visited: requests, downloaded: downloads, found, saved: stored, errors: failed, queueSize };
  return { ...counted, ...(rates ?? NO_RATES) };
}

function pointOf({ counts, endedAt, readAt }: Run): RunProgress {
  const { found, failed, bytes, requests, downloads } = counts;
  const stored = storedPages(counts);
  const at = endedAt ?? readAt;
  return { at, found, queueSize: unsettledUrls(counts), stored, failed, bytes, requests, downloads };
}

/** A limit of the operator is not known here. */
function maxPagesOf(run: Run, source: Source | undefined): number | null {
  const limit = run.settings['maxPages'] ?? source?.settings['maxPages'];
  return typeof limit === 'number' ? limit : null;
}
