// The queries of the views. The event stream invalidates them when their data changes.

import { EXPLAINED_OUTCOMES } from '../../src/core/outcome/outcome-labels.table.ts';
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  AnalysesResult,
  AnalysisDetail,
  CoverageView,
  EventsResult,
  HostsResult,
  LibraryGrowth,
  MilestonesResult,
  LibraryStats,
  BacklinksResult,
  PageBody,
  PageDetail,
  PageRevisions,
  PagesResult,
  PresetsResult,
  ProjectsResult,
  SamplesResult,
  SearchAnswer,
  Settings,
  RunStatus,
  Tokens,
  UrlsResult,
  VerifyResult,
  VersionDiffResult,
} from './responses.ts';
import { ApiError, fetchSession, get, type Query } from './client.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnWindowFocus: true,
      retry: (times, error) => times < 2 && error instanceof ApiError && error.status === 0,
    },
  },
});

export const libraryQuery = queryOptions({
  queryKey: ['library'],
  queryFn: ({ signal }) => get<LibraryStats>('/library/stats', {}, signal),
  refetchInterval: 30_000,
});

export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: ({ signal }) => get<RunStatus>('/runs', { limit: 100 }, signal),
});

/** The newest runs of one source, as many as one response holds. */
export function sourceRunsQuery(source: string) {
  return queryOptions({
    queryKey: ['runs', source],
    queryFn: ({ signal }) => get<RunStatus>('/runs', { source, limit: 100 }, signal),
  });
}

const MAX_HISTORY_RUNS = 500;

/** The newest runs, of one source or of all, for the plots: one response holds 100 of them. */
export function historyRunsQuery(source: string | undefined) {
  return queryOptions({
    queryKey: ['runs', 'history', source],
    queryFn: async ({ signal }) => {
      const runs: RunStatus['runs'] = [];
      let before: number | undefined;
      do {
        const batch: RunStatus = await get<RunStatus>('/runs', { source, before, limit: 100 }, signal);
        runs.push(...batch.runs);
        before = batch.cursors.nextBefore ?? undefined;
      } while (before !== undefined && runs.length < MAX_HISTORY_RUNS);
      return { runs, isComplete: before === undefined };
    },
  });
}

/** The size of the library, or of one source, by day: one year. */
export function growthQuery(source: string | undefined) {
  return queryOptions({
    queryKey: ['library', 'growth', source],
    queryFn: ({ signal }) => get<LibraryGrowth>('/library/growth', { source, days: 366 }, signal),
  });
}

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => get<Settings>('/settings', {}, signal),
});

export function coverageQuery(source: string) {
  return queryOptions({
    queryKey: ['coverage', source],
    queryFn: ({ signal }) => get<CoverageView>(`/sources/${encodeURIComponent(source)}/coverage`, {}, signal),
  });
}

export function versionDiffQuery(
  source: string,
  versions: { readonly before: string; readonly after: string; readonly budget: number },
) {
  return queryOptions({
    queryKey: ['diff', source, versions],
    queryFn: ({ signal }) =>
      get<VersionDiffResult>(`/sources/${encodeURIComponent(source)}/diff`, { ...versions }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

const FOLLOW_MS = 5000;

export const analysesQuery = queryOptions({
  queryKey: ['analyses'],
  queryFn: ({ signal }) => get<AnalysesResult>('/analysis', { limit: 200 }, signal),
  refetchInterval: ({ state }) => (state.data?.items.some(({ endedAt }) => endedAt === null) ? FOLLOW_MS : false),
});

export function analysisQuery(id: string) {
  return queryOptions({
    queryKey: ['analyses', id],
    queryFn: ({ signal }) => get<AnalysisDetail>(`/analysis/${encodeURIComponent(id)}`, { eventsLimit: 200 }, signal),
    refetchInterval: ({ state }) => (state.data?.run.endedAt === null ? FOLLOW_MS : false),
  });
}

export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: ({ signal }) => get<PresetsResult>('/presets', {}, signal),
  staleTime: 60_000,
});

/** Who is signed in, and where one signs in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => fetchSession(signal),
  staleTime: 60_000,
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => get<ProjectsResult>('/projects', {}, signal),
});

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => get<Tokens>('/tokens', {}, signal),
});

export const verifyQuery = queryOptions({
  queryKey: ['verify'],
  queryFn: ({ signal }) => get<VerifyResult>('/verify', {}, signal),
  enabled: false,
});

export function runQuery(run: number, isLive: boolean) {
  return queryOptions({
    queryKey: ['run', run],
    queryFn: ({ signal }) => get<RunStatus>(`/runs/${run}`, { brief: true }, signal),
    refetchInterval: isLive ? 2000 : false,
  });
}

export async function latestRun(): Promise<number | undefined> {
  return (await get<RunStatus>('/runs/latest', { brief: true })).runs[0]?.run;
}

/** The progress of a run over time, which stays when the run has ended. */
export function samplesQuery(run: number) {
  return queryOptions({
    queryKey: ['run', run, 'samples'],
    queryFn: ({ signal }) => get<SamplesResult>(`/runs/${run}/samples`, {}, signal),
  });
}

export function hostsQuery(run: number, isLive: boolean) {
  return queryOptions({
    queryKey: ['run', run, 'hosts'],
    queryFn: ({ signal }) => get<HostsResult>(`/runs/${run}/hosts`, {}, signal),
    refetchInterval: isLive ? 2000 : false,
  });
}

export function milestonesQuery(run: number, isLive: boolean) {
  return queryOptions({
    queryKey: ['run', run, 'milestones'],
    queryFn: ({ signal }) => get<MilestonesResult>(`/runs/${run}/milestones`, {}, signal),
    refetchInterval: isLive ? 10_000 : false,
  });
}

/** What happened before the stream was opened: fetched once. */
export function newestEventsQuery(run: number) {
  return queryOptions({
    queryKey: ['run', run, 'newest-events'],
    queryFn: ({ signal }) => get<EventsResult>(`/runs/${run}/events`, { limit: 1000 }, signal),
    staleTime: Infinity,
  });
}

/** Counting reasons scans every URL of the run, so it is refetched less often. */
export function runReasonsQuery(run: number, isLive: boolean) {
  return queryOptions({
    queryKey: ['run', run, 'reasons'],
    queryFn: ({ signal }) => get<RunStatus>(`/runs/${run}`, {}, signal),
    refetchInterval: isLive ? 10_000 : false,
  });
}

export function reasonUrlsQuery(run: number, outcome: string, reason: string) {
  return queryOptions({
    queryKey: ['run', run, 'reasons', outcome, reason],
    queryFn: ({ signal }) => get<UrlsResult>(`/runs/${run}/urls`, { outcome, reason, limit: 50 }, signal),
  });
}

const MAX_UNSTORED = 5000;

/** URLs of a run that are not stored, up to a number of each outcome. */
export function unstoredUrlsQuery(run: number | null) {
  return queryOptions({
    queryKey: ['run', run, 'unstored'],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        EXPLAINED_OUTCOMES.map((outcome) =>
          get<UrlsResult>(`/runs/${run}/urls`, { outcome, limit: MAX_UNSTORED }, signal),
        ),
      );
      return { urls: lists.flatMap(({ urls }) => urls), isComplete: lists.every((list) => list.nextCursor === null) };
    },
    enabled: run !== null,
  });
}

export function pagesQuery(source: string, version: string | undefined) {
  return queryOptions({
    queryKey: ['pages', source, version],
    queryFn: ({ signal }) => fetchAllPages(source, version, signal),
  });
}

const MAX_PAGES = 50_000;

/** Page entries are small, so a whole source is fetched and then sorted and filtered in the browser. */
async function fetchAllPages(
  source: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<PagesResult['pages']> {
  const all: PagesResult['pages'] = [];
  let cursor: string | undefined;
  do {
    const query = { version, cursor, limit: 10_000 };
    const batch: PagesResult = await get<PagesResult>(`/sources/${encodeURIComponent(source)}/pages`, query, signal);
    all.push(...batch.pages);
    cursor = batch.nextCursor ?? undefined;
  } while (cursor !== undefined && all.length < MAX_PAGES);
  return all;
}

export function pageQuery(source: string, url: string, version: string | undefined) {
  return queryOptions({
    queryKey: ['page', source, version, url],
    queryFn: ({ signal }) => get<PageDetail>(`/sources/${encodeURIComponent(source)}/page`, { url, version }, signal),
  });
}

function pageResourceQuery<T>(resource: string, source: string, url: string, version: string) {
  return queryOptions({
    queryKey: ['page', source, version, url, resource],
    queryFn: ({ signal }) => {
      const versionParam = version === '' ? {} : { version };
      return get<T>(`/sources/${encodeURIComponent(source)}/page/${resource}`, { url, ...versionParam }, signal);
    },
  });
}

export function backlinksQuery(source: string, url: string, version: string) {
  return pageResourceQuery<BacklinksResult>('backlinks', source, url, version);
}

export function pageRevisionsQuery(source: string, url: string, version: string) {
  return pageResourceQuery<PageRevisions>('revisions', source, url, version);
}

export function pageBodyQuery(source: string, url: string, version: string) {
  return pageResourceQuery<PageBody>('body', source, url, version);
}

export function searchQuery(query: Query) {
  return queryOptions({
    queryKey: ['search', query],
    queryFn: async ({ signal }) => {
      const begun = performance.now();
      const answer = await get<SearchAnswer>('/search', query, signal);
      return { ...answer, tookMs: performance.now() - begun };
    },
    enabled: query['query'] !== '',
  });
}
