// The routes of the dashboard. What a view shows is in its URL, so that it can be shared.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { requireServer } from './api/client.ts';
import { latestRun } from './api/queries.ts';
import { NotFound, ViewError } from './components/error-notice.tsx';
import { AppShell } from './shell/app-shell.tsx';
import type { ComparedVersions } from './views/compare/compare-view.tsx';
import type { SearchParams } from './views/search/search-view.tsx';
import { SourcesView } from './views/source/sources-view.tsx';

const root = createRootRoute({ component: AppShell, notFoundComponent: NotFound });

const sources = createRoute({ getParentRoute: () => root, path: '/', component: SourcesView });

const add = createRoute({
  getParentRoute: () => root,
  path: '/add',
  component: lazyView(() => import('./views/source/add-view.tsx'), 'AddView'),
});

const source = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source',
  component: lazyView(() => import('./views/source/source-view.tsx'), 'SourceView'),
});

const edit = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/edit',
  component: lazyView(() => import('./views/source/edit-view.tsx'), 'EditView'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/compare',
  validateSearch: (params: Record<string, unknown>): ComparedVersions => ({
    ...(text(params['before']) !== '' && { before: text(params['before']) }),
    ...(text(params['after']) !== '' && { after: text(params['after']) }),
  }),
  component: lazyView(() => import('./views/compare/compare-view.tsx'), 'CompareView'),
});

const recrawl = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/recrawl',
  component: lazyView(() => import('./views/source/recrawl-view.tsx'), 'RecrawlView'),
});

const remove = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/remove',
  component: lazyView(() => import('./views/source/remove-view.tsx'), 'RemoveView'),
});

const page = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/page',
  validateSearch: (params: Record<string, unknown>): { url: string; version?: string } => ({
    url: text(params['url']),
    ...(text(params['version']) !== '' && { version: text(params['version']) }),
  }),
  component: lazyView(() => import('./views/page/page-view.tsx'), 'PageView'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  component: lazyView(() => import('./views/run/runs-view.tsx'), 'RunsView'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  // The number takes its place, so that the URL names the same run later.
  beforeLoad: async ({ params }) => {
    if (params.run !== 'latest') return;
    throw redirect({ to: '/runs/$run', params: { run: String(await latestRun()) }, replace: true });
  },
  component: lazyView(() => import('./views/run/run-view.tsx'), 'RunView'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: (params: Record<string, unknown>): SearchParams => ({
    ...(text(params['q']) !== '' && { q: text(params['q']) }),
    ...(text(params['source']) !== '' && { source: text(params['source']) }),
    ...(text(params['passageKind']) !== '' && { passageKind: text(params['passageKind']) }),
    ...((params['as'] === 'agent' || params['as'] === 'compare') && { as: params['as'] }),
    ...(Number(params['budget']) >= 200 && { budget: Math.min(8000, Number(params['budget'])) }),
  }),
  component: lazyView(() => import('./views/search/search-view.tsx'), 'SearchView'),
});

const library = createRoute({
  getParentRoute: () => root,
  path: '/library',
  component: lazyView(() => import('./views/library/library-view.tsx'), 'LibraryView'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: (params: Record<string, unknown>): { source?: string } => ({
    ...(text(params['source']) !== '' && { source: text(params['source']) }),
  }),
  component: lazyView(() => import('./views/history/history-view.tsx'), 'HistoryView'),
});

const analyses = createRoute({
  getParentRoute: () => root,
  path: '/analysis',
  component: lazyView(() => import('./views/analysis/analyses-view.tsx'), 'AnalysesView'),
});

const analysis = createRoute({
  getParentRoute: () => root,
  path: '/analysis/$id',
  component: lazyView(() => import('./views/analysis/analysis-view.tsx'), 'AnalysisRunView'),
});

const ROUTES = [sources, add, source, compare, edit, recrawl, remove, page, runs, run, analyses, analysis] as const;

export const router = createRouter({
  routeTree: root.addChildren([...ROUTES, history, search, library]),
  defaultErrorComponent: ViewError,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#content'],
});

/** Unless the server is down, a module that cannot be loaded belongs to an earlier build, and the router reloads the page. */
function lazyView<Module extends Readonly<Record<string, unknown>>>(
  load: () => Promise<Module>,
  name: keyof Module & string,
): ReturnType<typeof lazyRouteComponent<Module, keyof Module & string>> {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      await requireServer();
      throw error;
    }
  }, name);
}

/** The router parses numbers in a URL as numbers. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
