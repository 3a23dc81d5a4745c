// The activity of the whole library: the figures of `/health`, `/metrics` and `show_health`. Read on the query thread: a scrape
// never makes the thread that serves requests wait.

import type { IndexLag, SearchIndex } from '../index/port.ts';
import { unsettledUrls } from '../core/model/outcome.ts';
import { LIVE_RUN_STATES } from '../core/model/run.ts';
import { freeBytes } from '../platform/check-machine.ts';
import { gauge, type MetricSample } from '../platform/metrics.ts';
import type { Store } from '../store/port.ts';
import type { Run } from '../store/port/runs.ts';

/** Runs that have not ended. */
export interface CrawlActivity {
  readonly running: number;
  readonly paused: number;
  /** URLs that are not settled yet. */
  readonly queueSize: number;
  /** When a run last settled a URL or changed its state; null if none ever did. */
  readonly lastProgressAt: Date | null;
  /** Longest time that a running run has made no progress. */
  readonly stalledMs: number;
  /** Longest time that a queued run has waited for a worker. */
  readonly unclaimedMs: number;
}

/** Where a local database is; null if it is on a server. */
export interface LocalVolume {
  readonly directory: string;
  readonly minFreeBytes: number;
}

export async function readCrawlActivity({ runs, journal }: Pick<Store, 'runs' | 'journal'>): Promise<CrawlActivity> {
  const live = await runs.live();
  return activityOf(live, journal);
}

async function activityOf(live: readonly Run[], journal: Store['journal']): Promise<CrawlActivity> {
  const newestOf = async (run: Run['id']): Promise<number> =>
    (await journal.list({ run, kind: null, before: null, after: null, limit: 1 }))[0]?.at.getTime() ?? 0;
  const [newest] = await journal.after((await journal.lastSeq()) - 1, 1);
  const running = live.filter(({ state }) => state === 'running');
  const queued = live.filter(({ state }) => state === 'queued');
  const stalls = await Promise.all(
    running.map(async ({ id, readAt, startedAt, createdAt }) => {
      const since = Math.max(await newestOf(id), (startedAt ?? createdAt).getTime());
      return readAt.getTime() - since;
    }),
  );
  return {
    running: running.length,
    paused: live.filter(({ state }) => state === 'paused').length,
    queueSize: live.reduce((sum, run) => sum + unsettledUrls(run.counts), 0),
    lastProgressAt: newest?.at ?? null,
    stalledMs: Math.max(0, ...stalls),
    unclaimedMs: Math.max(0, ...queued.map(({ readAt, createdAt }) => readAt.getTime() - createdAt.getTime())),
  };
}

export interface LibraryState {
  readonly activity: CrawlActivity;
  readonly samples: readonly MetricSample[];
}

export async function readLibraryState(
  store: Store,
  index: SearchIndex,
  volume: LocalVolume | null,
): Promise<LibraryState> {
  const live = await store.runs.live();
  const [sources, pages, failed, activity, suspended, lag, webhooks] = await Promise.all([
    store.sources.count(),
    store.stats.totalPages(),
    store.runs.failedSources(1),
    activityOf(live, store.journal),
    store.hosts.countSuspended(),
    index.lag(),
    store.webhooks.list(),
  ]);
  const samples = [
    gauge('sources', sources),
    gauge('sources_failed', failed.count),
    gauge('pages', pages),
    ...runSamples(live, activity),
    gauge('hosts_suspended', suspended),
    ...lagSamples(lag),
    ...(await embeddingSamples(store)),
    gauge('webhooks_failing', webhooks.filter(({ failures }) => failures > 0).length),
    ...(await storageSamples(store, volume)),
  ];
  return { activity, samples };
}

function runSamples(live: readonly Run[], { queueSize, stalledMs, unclaimedMs }: CrawlActivity): MetricSample[] {
  const inState = (state: string): number => live.filter((run) => run.state === state).length;
  return [
    ...LIVE_RUN_STATES.map((state) => gauge('runs', inState(state), { state })),
    gauge('queue_urls', queueSize),
    gauge('run_stalled_seconds', stalledMs / 1000),
    gauge('run_unclaimed_seconds', unclaimedMs / 1000),
  ];
}

function lagSamples({ pages, ageMs }: IndexLag): MetricSample[] {
  return [gauge('pages_unindexed', pages), gauge('index_lag_seconds', ageMs / 1000)];
}

interface TextCounts {
  /** Texts that wait for a vector. */
  readonly pending: number;
  readonly failed: number;
}

/** Over all embedding spaces. */
export function countTexts(spaces: readonly TextCounts[]): TextCounts {
  const sum = (field: keyof TextCounts): number => spaces.reduce((all, space) => all + space[field], 0);
  return { pending: sum('pending'), failed: sum('failed') };
}

async function embeddingSamples({ stats }: Store): Promise<MetricSample[]> {
  const { pending, failed } = countTexts(await stats.spaces());
  return [gauge('embedding_texts_pending', pending), gauge('embedding_texts_failed', failed)];
}

async function storageSamples({ stats }: Store, volume: LocalVolume | null): Promise<MetricSample[]> {
  const [bytes, { bytes: logBytes }] = await Promise.all([stats.bytes(), stats.writeAheadLog()]);
  const free = volume === null ? null : freeBytes(volume.directory);
  return [
    ...(bytes === null ? [] : [gauge('database_bytes', bytes)]),
    ...(logBytes === null ? [] : [gauge('database_wal_bytes', logBytes)]),
    ...(free === null ? [] : [gauge('disk_free_bytes', free)]),
    ...(volume === null ? [] : [gauge('disk_min_free_bytes', volume.minFreeBytes)]),
  ];
}
