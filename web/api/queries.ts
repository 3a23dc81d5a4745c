// What the views ask for, by name. Each list is fetched again when the stream says that it changed.

import { QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  LibraryHealth,
  LinkingPages,
  PageBody,
  PageDetail,
  PageHistory,
  Pages,
  SearchAnswer,
  Settings,
  Status,
  Tokens,
  Urls,
  Verdict,
} from './responses.ts';
import { ApiError, get, type Query } from './client.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnWindowFocus: true,
      retry: (times, error) => times < 2 && error instanceof ApiError && error.status === 0,
    },
  },
});

export const library = queryOptions({
  queryKey: ['library'],
  queryFn: ({ signal }) => get<LibraryHealth>('/library', {}, signal),
  refetchInterval: 30_000,
});

export const runs = queryOptions({
  queryKey: ['runs'],
  queryFn: ({ signal }) => get<Status>('/runs', { limit: 100 }, signal),
});

export const settings = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => get<Settings>('/settings', {}, signal),
});

export const tokens = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => get<Tokens>('/tokens', {}, signal),
});

export const verify = queryOptions({
  queryKey: ['verify'],
  queryFn: ({ signal }) => get<Verdict>('/verify', {}, signal),
  enabled: false,
});

export function oneRun(run: number, isLive: boolean) {
  return queryOptions({
    queryKey: ['run', run],
    queryFn: ({ signal }) => get<Status>(`/runs/${run}`, { brief: true }, signal),
    refetchInterval: isLive ? 2000 : false,
  });
}

/** Counting reasons is a look at every URL of the run, so it is done less often. */
export function runReasons(run: number, isLive: boolean) {
  return queryOptions({
    queryKey: ['run', run, 'reasons'],
    queryFn: ({ signal }) => get<Status>(`/runs/${run}`, {}, signal),
    refetchInterval: isLive ? 10_000 : false,
  });
}

export function urlsOfReason(run: number, outcome: string, reason: string) {
  return queryOptions({
    queryKey: ['run', run, 'reasons', outcome, reason],
    queryFn: ({ signal }) => get<Urls>(`/runs/${run}/urls`, { outcome, reason, limit: 50 }, signal),
  });
}

export function pagesOf(source: string, version: string | undefined) {
  return queryOptions({
    queryKey: ['pages', source, version],
    queryFn: ({ signal }) => allPages(source, version, signal),
  });
}

const MOST_PAGES = 50_000;

/** Names of pages are small: a whole source is fetched, so that it can be sorted and filtered at once. */
async function allPages(source: string, version: string | undefined, signal: AbortSignal): Promise<Pages['pages']> {
  const all: Pages['pages'] = [];
  let after: string | undefined;
  do {
    const query = { version, after, limit: 10_000 };
    const piece: Pages = await get<Pages>(`/sources/${encodeURIComponent(source)}/pages`, query, signal);
    all.push(...piece.pages);
    after = piece.after ?? undefined;
  } while (after !== undefined && all.length < MOST_PAGES);
  return all;
}

export function onePage(source: string, url: string, version: string | undefined) {
  return queryOptions({
    queryKey: ['page', source, version, url],
    queryFn: ({ signal }) => get<PageDetail>(`/sources/${encodeURIComponent(source)}/page`, { url, version }, signal),
  });
}

function aboutPage<T>(what: string, source: string, url: string, version: string) {
  return queryOptions({
    queryKey: ['page', source, version, url, what],
    queryFn: ({ signal }) => {
      const named = version === '' ? {} : { version };
      return get<T>(`/sources/${encodeURIComponent(source)}/page/${what}`, { url, ...named }, signal);
    },
  });
}

export function linkingPages(source: string, url: string, version: string) {
  return aboutPage<LinkingPages>('linking', source, url, version);
}

export function pageHistory(source: string, url: string, version: string) {
  return aboutPage<PageHistory>('history', source, url, version);
}

export function pageBody(source: string, url: string, version: string) {
  return aboutPage<PageBody>('body', source, url, version);
}

export function search(query: Query) {
  return queryOptions({
    queryKey: ['search', query],
    queryFn: ({ signal }) => get<SearchAnswer>('/search', query, signal),
    enabled: query['query'] !== '',
  });
}
