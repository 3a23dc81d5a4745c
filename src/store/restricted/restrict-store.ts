// The store for a caller with rights to some sources: no other source exists in it. Every list, count and error derived from it is about
// these sources alone, so no action has to filter.

import { pinakesError } from '../../core/model/errors.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import type { SourceRights } from '../../core/model/source-rights.ts';
import type { Store } from '../port.ts';
import type { Changes } from '../port/changes.ts';
import type { Pages } from '../port/pages.ts';
import type { Projects, Stats } from '../port.ts';
import type { Sources } from '../port/sources.ts';
import { restrictAnalysis, restrictJournal, restrictRuns } from './restrict-runs.ts';
import { closedBut, createVisibleSources, guarded, notFound, type VisibleSources } from './visible-sources.ts';

/** Restricts the store for one call. Returns the same store if the rights are to all sources. */
export function restrictStore(store: Store, rights: SourceRights): Store {
  if (rights === null) return store;
  const visible = createVisibleSources(store, rights);
  const isVersion = (id: VersionId): Promise<boolean> => visible.hasVersion(id);
  const isRun = (id: RunId): Promise<boolean> => visible.hasRun(id);
  return {
    engine: store.engine,
    sources: restrictSources(store.sources, visible),
    runs: restrictRuns(store.runs, visible),
    frontier: closedBut<Store['frontier']>('frontier', {
      ...guarded(store.frontier, ['urls', 'reasons', 'queueByDepth', 'isDrained'], isRun),
      ...guarded(store.frontier, ['locate'], isVersion),
      versionsOf: async (url) => visible.versions(await store.frontier.versionsOf(url)),
    }),
    hosts: closedBut<Store['hosts']>('hosts', {
      ...guarded(store.hosts, ['list'], isRun),
      localHost: store.hosts.localHost,
      get: (host) => store.hosts.get(host),
      countSuspended: () => countSuspended(store, visible),
    }),
    pages: restrictPages(store.pages, visible),
    // Texts of proposed candidates: the index is queried for visible versions only.
    chunks: store.chunks,
    vectors: closedBut<Store['vectors']>('vectors', {
      spaces: () => store.vectors.spaces(),
      findSpace: (fingerprint) => store.vectors.findSpace(fingerprint),
      byContentHash: (space, texts) => store.vectors.byContentHash(space, texts),
      requireSearch: () => store.vectors.requireSearch(),
    }),
    changes: restrictChanges(store.changes, visible),
    webhooks: closedBut<Store['webhooks']>('webhooks', {
      list: async () => (await store.webhooks.list()).filter(({ source }) => source !== null && visible.mayUse(source)),
    }),
    stats: restrictStats(store, visible),
    journal: restrictJournal(store.journal, visible),
    analysis: restrictAnalysis(store.analysis, visible),
    plans: closedBut<Store['plans']>('plans', guarded(store.plans, ['load'], isRun)),
    gazetteer: restrictGazetteer(store, isVersion),
    history: closedBut<Store['history']>('history', {}),
    audit: closedBut<Store['audit']>('audit', {}),
    tokens: closedBut<Store['tokens']>('tokens', {}),
    sessions: closedBut<Store['sessions']>('sessions', {}),
    projects: restrictProjects(store.projects, visible),
    wakeups: store.wakeups,
    segments: closedBut<Store['segments']>('segments', {}),
    points: closedBut<Store['points']>('points', {}),
    verify: async () => Promise.reject(notFound()),
    findDamage: async () => Promise.reject(notFound()),
    backup: async () => Promise.reject(notFound()),
    // The store that it shows stays open.
    close: async () => undefined,
  };
}

function restrictSources(sources: Sources, visible: VisibleSources): Sources {
  const isVersion = (id: VersionId): Promise<boolean> => visible.hasVersion(id);
  const requireName = (name: string): void => {
    if (!visible.mayUse(name))
      throw pinakesError('http.forbidden', { reason: `The rights of this token do not cover a source named ${name}` });
  };
  return closedBut<Store['sources']>('sources', {
    async add(definition, ...more) {
      requireName(definition.name);
      return sources.add(definition, ...more);
    },
    async addWithRun(definition, ...more) {
      requireName(definition.name);
      return sources.addWithRun(definition, ...more);
    },
    ...guarded(sources, ['addVersion', 'remove'], (id) => visible.hasSource(id)),
    ...guarded(sources, ['removeVersion', 'siteProfile', 'changeSiteProfile', 'saveDeclaredVersion'], isVersion),
    ...guarded(sources, ['file', 'saveFile'], isVersion),
    async change(source, change) {
      if (!(await visible.hasSource(source))) throw notFound();
      requireName(change.name);
      return sources.change(source, change);
    },
    byName: async (name) => (visible.mayUse(name) ? sources.byName(name) : null),
    async byId(id) {
      const source = await sources.byId(id);
      return source !== null && visible.mayUse(source.name) ? source : null;
    },
    byIds: async (ids) => (await sources.byIds(ids)).filter(({ name }) => visible.mayUse(name)),
    list: () => visible.list(),
    count: async () => (await visible.list()).length,
    async scheduled(limit) {
      const due = (await visible.list()).filter(({ dueAt }) => dueAt !== null);
      return due.toSorted((left, right) => Number(left.dueAt) - Number(right.dueAt)).slice(0, limit);
    },
    finishRemovals: () => sources.finishRemovals(),
    siteProfiles: async (versions) => sources.siteProfiles(await visible.versions(versions)),
  });
}

function restrictPages(pages: Pages, visible: VisibleSources): Pages {
  return closedBut<Store['pages']>('pages', {
    ...guarded(
      pages,
      [
        'get',
        'list',
        'byUrl',
        'outlines',
        'symbols',
        'text',
        'textLength',
        'chunksOf',
        'chunk',
        'declaredVersions',
        'aliasesOf',
        'revisions',
        'removed',
        'backlinks',
        'mostLinked',
        'pipelineVersions',
        'byPipelineVersion',
        'resolveCanonical',
      ],
      (id) => visible.hasVersion(id),
    ),
    titles: async (versions, limit) => pages.titles(await visible.versions(versions), limit),
  });
}

/** Positions are those of the library, so that they mean the same to everyone. A change of another source has no content. */
function restrictChanges(changes: Changes, visible: VisibleSources): Changes {
  const versions = async (): ReturnType<Changes['versions']> =>
    (await changes.versions()).filter(({ source }) => visible.mayUse(source));
  return closedBut<Store['changes']>('changes', {
    versions,
    async after(position, limit, keys) {
      const shown = new Set((await versions()).map(({ version }) => version));
      const rows = await changes.after(position, limit, keys);
      return rows.map((row) =>
        shown.has(row.version) ? row : { ...row, isHidden: true, url: '' as never, added: [], removed: [] },
      );
    },
    range: () => changes.range(),
    timeOf: (position) => changes.timeOf(position),
    ...guarded(changes, ['listPages'], (id) => visible.hasVersion(id)),
    latest: () => changes.latest(),
    oldestComplete: () => changes.oldestComplete(),
  });
}

function restrictStats({ stats }: Store, visible: VisibleSources): Stats {
  const versionsOf = async (ids: readonly VersionId[]) => stats.versions(await visible.versions(ids));
  return closedBut<Store['stats']>('stats', {
    versions: versionsOf,
    async totalPages() {
      const ids = (await visible.list()).flatMap(({ versions }) => versions.map(({ id }) => id));
      return (await versionsOf(ids)).reduce((sum, { pages }) => sum + pages, 0);
    },
    // The size of the database would reveal how much other sources hold.
    bytes: async () => null,
    async libraryDays(since, source) {
      if (source !== null && !visible.mayUse(source)) return [];
      const rows = (await stats.libraryDays(since, source)).filter((row) => visible.mayUse(row.source));
      return rows.map((row) => ({ ...row, databaseBytes: null }));
    },
    spaces: async () => [],
  });
}

const MAX_COUNTED_HUBS = 10_000;
const FIRST_READ = 200;

/** As many as without the hidden items: a list that is shorter than its limit would reveal how many of them there are. */
async function firstVisible<Item>(
  limit: number,
  read: (limit: number) => Promise<readonly Item[]>,
  isShown: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  for (let size = Math.max(limit, FIRST_READ); ; size *= 4) {
    const rows = await read(size);
    const admitted = await Promise.all(rows.map(isShown));
    const shown = rows.filter((_, at) => admitted[at]);
    if (shown.length >= limit || rows.length < size) return shown.slice(0, limit);
  }
}

/** Places belong to no source; pages that mention them, and hubs, do. */
function restrictGazetteer({ gazetteer }: Store, isVersion: (id: VersionId) => Promise<boolean>): Store['gazetteer'] {
  const isShown = ({ version }: { readonly version: VersionId }): Promise<boolean> => isVersion(version);
  const hubs: Store['gazetteer']['hubs'] = (query) =>
    firstVisible(query.limit, (limit) => gazetteer.hubs({ ...query, limit }), isShown);
  return closedBut<Store['gazetteer']>('gazetteer', {
    counts: async () => {
      const visible = await hubs({ host: null, place: null, limit: MAX_COUNTED_HUBS });
      return { ...(await gazetteer.counts()), hubs: visible.length };
    },
    hubs,
    list: (query) => gazetteer.list(query),
    byId: (id) => gazetteer.byId(id),
    named: (slugs) => gazetteer.named(slugs),
    matchable: (cities) => gazetteer.matchable(cities),
    pagesMentioning: (place, limit) =>
      firstVisible(limit, (wanted) => gazetteer.pagesMentioning(place, wanted), isShown),
  });
}

function restrictProjects(projects: Projects, visible: VisibleSources): Projects {
  return closedBut<Store['projects']>('projects', {
    async list() {
      const all = await projects.list();
      const shown = await Promise.all(
        all.map(async (project) => ({ ...project, versions: await visible.versions(project.versions) })),
      );
      return shown.filter(({ versions }) => versions.length > 0);
    },
  });
}

const MAX_HOSTS_OF_RUN = 1000;

async function countSuspended({ runs, hosts }: Store, visible: VisibleSources): Promise<number> {
  const suspended = new Set<string>();
  for (const { id } of await visible.runs(await runs.live()))
    for (const { host, breaker } of (await hosts.list(id)).slice(0, MAX_HOSTS_OF_RUN))
      if (breaker !== 'closed') suspended.add(host);
  return suspended.size;
}
