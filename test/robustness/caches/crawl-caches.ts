// Caches of a crawl: users are hosts, runs, folders, links and problems.

import type { CacheCase } from './cache-case.ts';
import { createLoadCounter, fake } from './cache-case.ts';
import { createHashRoutes } from '../../../src/core/url/hash-route.ts';
import { createTrapBudget } from '../../../src/core/url/crawl-traps.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { RunId } from '../../../src/core/model/run.ts';
import { createReportProblem } from '../../../src/crawl/context/report-problem.ts';
import { createEnqueuedLinks } from '../../../src/crawl/context/run-rules.ts';
import { createLocalSourceOpener, MAX_OPEN_SOURCES } from '../../../src/crawl/files/open-local-source.ts';
import { createHostRateTracker } from '../../../src/crawl/politeness/host-rate-tracker.ts';
import { createRobotsCache, type RobotsDeps } from '../../../src/crawl/politeness/robots-cache.ts';
import { createSiteProfileLoader } from '../../../src/crawl/site/site-profile.ts';
import type { Engine } from '../../../src/store/sql/engine/engine.ts';
import type { Problem } from '../../../src/store/port/journal.ts';
import { createFrontierLookup } from '../../../src/store/sql/frontier/frontier-lookup.ts';
import { createWakeHosts } from '../../../src/store/sql/frontier/host-schedule.ts';

const { signal } = new AbortController();
const siteOf = (user: number) => pageUrl(`https://${user}.example/`);
const TRAP_LIMITS = { maxShapesPerPath: 10, maxUrlsPerPattern: 10, duplicateCheckPages: 3, maxDuplicateShare: 0.5 };

export const CRAWL_CACHES: readonly CacheCase[] = [
  {
    file: 'crawl/politeness/robots-cache.ts',
    users: 'origins',
    size: 1000,
    open() {
      const counter = createLoadCounter();
      const hosts = {
        async robots(origin: string) {
          counter.note(origin);
          return { access: { kind: 'allow-all', reason: origin }, body: null, ageMs: 0, isFresh: true };
        },
      };
      const robots = createRobotsCache(fake<RobotsDeps>({ ports: { store: { hosts } }, now: () => 0 }));
      return {
        async use(user) {
          const access = await robots.accessFor(siteOf(user), 1 as RunId, signal);
          return access.kind === 'allow-all' ? access.reason : access.kind;
        },
        answer: (user) => new URL(siteOf(user)).origin,
        loads: (user) => counter.of(new URL(siteOf(user)).origin),
      };
    },
  },
  {
    file: 'crawl/politeness/host-rate-tracker.ts',
    users: 'hosts',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const hosts = {
        async get(host: string) {
          counter.note(host);
          return { host, pausedForMs: 0 };
        },
      };
      const limits = { startDelayMs: 1000, minDelayMs: 0, circuitBreakerMs: 1000 };
      const deps = { store: { hosts }, limits, nowMs: () => 0, report: async () => undefined };
      const tracker = createHostRateTracker(fake(deps));
      return {
        use: (user) => tracker.pausedForMs(`${user}.example`, 1000),
        answer: () => 0,
        loads: (user) => counter.of(`${user}.example`),
      };
    },
  },
  {
    file: 'crawl/context/report-problem.ts',
    users: 'problems',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const report = createReportProblem(fake({ reportProblem: async ({ target }: Problem) => counter.note(target) }));
      return {
        use: (user) => report(fake<Problem>({ run: 1, kind: 'host-failing', target: String(user) })),
        answer: () => undefined,
        loads: counter.of,
      };
    },
  },
  {
    file: 'crawl/context/run-rules.ts',
    users: 'runs and their links',
    size: 100,
    open() {
      const counter = createLoadCounter();
      const enqueuedOf = createEnqueuedLinks(100);
      return {
        use(user) {
          const links = enqueuedOf(user as RunId);
          for (const link of links.notEnqueued([{ url: siteOf(0), depth: 1 }])) {
            counter.note(user);
            links.add([link]);
          }
          return links.notEnqueued([{ url: siteOf(0), depth: 0 }]).length;
        },
        answer: () => 1,
        loads: counter.of,
      };
    },
  },
  {
    file: 'crawl/files/open-local-source.ts',
    users: 'runs',
    size: 200,
    open: () => localSources((counts) => counts.looked),
  },
  {
    file: 'crawl/files/open-local-source.ts',
    users: 'folders',
    size: MAX_OPEN_SOURCES,
    open: () => localSources((counts) => counts.opened),
  },
  {
    file: 'crawl/site/site-profile.ts',
    users: 'runs',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const sources = {
        async siteProfile(version: number) {
          counter.note(version);
          return { markdownRoute: version % 2 === 0 ? 'alternate' : null };
        },
        file: async () => null,
      };
      const load = createSiteProfileLoader(fake({ sources }));
      return {
        use: async (user) => (await load(user as RunId, user as never)).readsAlternates,
        answer: (user) => user % 2 === 0,
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/url/hash-route.ts',
    users: 'documents with routes',
    size: 100,
    open() {
      const counter = createLoadCounter();
      const routes = createHashRoutes();
      return {
        use(user) {
          if (!routes.knowsDocumentOf(siteOf(user))) {
            counter.note(user);
            routes.record(siteOf(user), `text of ${user}`);
          }
          return routes.knowsDocumentOf(siteOf(user));
        },
        answer: () => true,
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/url/hash-route.ts',
    users: 'documents without routes',
    size: 1000,
    open() {
      const counter = createLoadCounter();
      const routes = createHashRoutes();
      const text = 'first line\nsecond line\nthird line\nfourth line';
      return {
        use(user) {
          if (routes.hasRoutes(siteOf(user))) {
            counter.note(user);
            routes.record(siteOf(user), text);
            routes.isSection(pageUrl(siteOf(user)).concat('#/section') as ReturnType<typeof pageUrl>, text);
          }
          return routes.hasRoutes(siteOf(user));
        },
        answer: () => false,
        loads: counter.of,
      };
    },
  },
  {
    file: 'core/url/crawl-traps.ts',
    users: 'folders of pages that are alike',
    size: 100_000,
    open() {
      const counter = createLoadCounter();
      const budget = createTrapBudget(TRAP_LIMITS);
      return {
        use(user) {
          const url = pageUrl(`https://x.example/${user}/page`);
          if (budget.exclusion(url) === null) {
            counter.note(user);
            for (let nth = 0; nth < 4; nth += 1) budget.record(url, 'alike');
          }
          return budget.exclusion(url) === null;
        },
        answer: () => false,
        loads: counter.of,
      };
    },
  },
  {
    file: 'store/sql/frontier/host-schedule.ts',
    users: 'runs',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const wakeHosts = createWakeHosts(fake({ announce: () => undefined }));
      const none = async () => [];
      return {
        async use(user) {
          const all = async (_: string, [run = 0]: readonly number[]) => {
            counter.note(run);
            return [];
          };
          await wakeHosts(
            fake({ all, each: none, changed: async (_: unknown, rows: readonly unknown[]) => rows.map(() => false) }),
            user,
            [user],
          );
          return user;
        },
        answer: (user) => user,
        loads: counter.of,
      };
    },
  },
  {
    file: 'store/sql/frontier/frontier-lookup.ts',
    users: 'hosts',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const each = async (_: unknown, rows: ReadonlyArray<readonly string[]>) =>
        rows.map(([host = '']) => {
          counter.note(host);
          return { id: Number.parseInt(host), host };
        });
      const engine = fake<Engine>({ transaction: async () => undefined, reader: { each } });
      const lookup = createFrontierLookup(engine, { startDelayMs: 0, queueEventMaxUrls: 0 });
      return {
        use: async (user) => (await lookup.registerHosts([{ url: siteOf(user) }]))({ url: siteOf(user) }),
        answer: (user) => user,
        loads: (user) => counter.of(`${user}.example`),
      };
    },
  },
  {
    file: 'store/sql/frontier/frontier-lookup.ts',
    users: 'runs',
    size: 10_000,
    open() {
      const counter = createLoadCounter();
      const all = async (_: string, [run = 0]: readonly number[]) => {
        counter.note(run);
        // A run with URLs: before that, its levels may change.
        return [{ source_id: run, version_id: run, is_constant: 1 }];
      };
      const lookup = createFrontierLookup(fake<Engine>({ reader: { all } }), { startDelayMs: 0, queueEventMaxUrls: 0 });
      return {
        use: async (user) => (await lookup.runInfo(user as RunId)).version,
        answer: (user) => user,
        loads: counter.of,
      };
    },
  },
];

async function localSources(countOf: (counts: { looked: number; opened: number }) => number) {
  const counts = new Map<number, { looked: number; opened: number }>();
  const countsOf = (user: number) => {
    const known = counts.get(user) ?? { looked: 0, opened: 0 };
    counts.set(user, known);
    return known;
  };
  const store = {
    runs: {
      async byId(id: number) {
        countsOf(id).looked += 1;
        return { id, source: id, version: id, settings: {} };
      },
    },
    sources: {
      byId: async (id: number) => ({ kind: 'local', startUrl: String(id), settings: {} }),
      siteProfile: async () => ({}),
    },
  };
  const local = {
    async open(path: string) {
      countsOf(Number(path)).opened += 1;
      return path;
    },
  };
  const open = createLocalSourceOpener(fake({ ports: { store, local } }));
  return {
    use: (user: number) => open(user as RunId, signal),
    answer: String,
    loads: (user: number) => countOf(countsOf(user)),
  };
}
