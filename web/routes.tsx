// The places of the dashboard and their addresses. What a view shows is in its address, so it can be sent to somebody.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { NoSuchPlace, ViewError } from './components/error-notice.tsx';
import { AppShell } from './shell/app-shell.tsx';
import type { SearchPlace } from './views/search-place.ts';
import { SourcesView } from './views/source/sources-view.tsx';

const root = createRootRoute({ component: AppShell, notFoundComponent: NoSuchPlace });

const sources = createRoute({ getParentRoute: () => root, path: '/', component: SourcesView });

const add = createRoute({
  getParentRoute: () => root,
  path: '/add',
  component: lazyRouteComponent(() => import('./views/source/add-view.tsx'), 'AddView'),
});

const source = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source',
  component: lazyRouteComponent(() => import('./views/source/source-view.tsx'), 'SourceView'),
});

const edit = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/edit',
  component: lazyRouteComponent(() => import('./views/source/edit-view.tsx'), 'EditView'),
});

const page = createRoute({
  getParentRoute: () => root,
  path: '/sources/$source/page',
  validateSearch: (given: Record<string, unknown>): { url: string; version?: string } => ({
    url: text(given['url']),
    ...(text(given['version']) !== '' && { version: text(given['version']) }),
  }),
  component: lazyRouteComponent(() => import('./views/page/page-view.tsx'), 'PageView'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  component: lazyRouteComponent(() => import('./views/run/runs-view.tsx'), 'RunsView'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  component: lazyRouteComponent(() => import('./views/run/run-view.tsx'), 'RunView'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: (given: Record<string, unknown>): SearchPlace => ({
    ...(text(given['q']) !== '' && { q: text(given['q']) }),
    ...(text(given['source']) !== '' && { source: text(given['source']) }),
    ...(text(given['kind']) !== '' && { kind: text(given['kind']) }),
    ...((given['as'] === 'agent' || given['as'] === 'compare') && { as: given['as'] }),
    ...(Number(given['budget']) >= 200 && { budget: Math.min(8000, Number(given['budget'])) }),
  }),
  component: lazyRouteComponent(() => import('./views/search/search-view.tsx'), 'SearchView'),
});

const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  component: lazyRouteComponent(() => import('./views/health/health-view.tsx'), 'HealthView'),
});

export const router = createRouter({
  routeTree: root.addChildren([sources, add, source, edit, page, runs, run, search, health]),
  defaultErrorComponent: ViewError,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#sheet'],
});

/** Numbers in an address are read as numbers by the router. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
