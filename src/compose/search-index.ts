// The search engine that this process uses: segments in the store's database, or a Qdrant that the operator names.

import { withSegmentFallback, type ExternalIndex } from '../index/segment-fallback.ts';
import type { SearchIndex } from '../index/port.ts';
import { createSegmentIndex } from '../index/segments/segment-index.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import type { Store } from '../store/port.ts';
import type { AppContext } from './app-context.ts';

const sharedIndexes = new WeakMap<Store, SearchIndex>();

/** One per store: it caches postings, or holds connections. */
export function getSearchIndex(store: Store, context: Pick<AppContext, 'config' | 'log'>): SearchIndex {
  const existing = sharedIndexes.get(store);
  if (existing !== undefined) return existing;
  const created = createSearchIndex(store, context);
  sharedIndexes.set(store, created);
  return created;
}

function createSearchIndex(store: Store, { config, log }: Pick<AppContext, 'config' | 'log'>): SearchIndex {
  const { databaseFallback, cacheMb } = config.index;
  const { urls } = config.qdrant;
  const segments = createSegmentIndex(store.segments, cacheMb);
  if (urls.length === 0) return segments;
  return withSegmentFallback({
    external: createLazyQdrant(store, config.qdrant),
    segments: databaseFallback ? segments : null,
    onState: (error) =>
      error === null
        ? log.info('the search index responds again')
        : log.warn('the search index is not available; crawling continues', { error }),
  });
}

type QdrantSettings = AppContext['config']['qdrant'];

/** The client is loaded when it is first needed: most commands do not search. */
function createLazyQdrant(store: Store, settings: QdrantSettings): ExternalIndex {
  const load = async (): Promise<ExternalIndex> => {
    const { openNodes } = await import('../index/qdrant/nodes.ts');
    const { createQdrantIndex } = await import('../index/qdrant/qdrant-index.ts');
    const nodes = openNodes({ urls: settings.urls, apiKey: settings.apiKey });
    const { points: records, changes, history } = store;
    return createQdrantIndex({ nodes, records, changes, history, timeoutMs: settings.timeoutMs });
  };
  let loaded: Promise<ExternalIndex> | null = null;
  const opened = (): Promise<ExternalIndex> => {
    loaded ??= load();
    loaded.catch(() => (loaded = null));
    return loaded;
  };
  return {
    frequencies: async (versions, terms, signal) => (await opened()).frequencies(versions, terms, signal),
    candidates: async (query, signal) => (await opened()).candidates(query, signal),
    suggest: async (versions, word) => (await opened()).suggest(versions, word),
    nearest: async (query, signal) => (await opened()).nearest(query, signal),
    unsentVectors: async (space) => (await opened()).unsentVectors(space),
    index: async (limit) => (await opened()).index(limit),
    compact: async (budgetMs) => (await opened()).compact(budgetMs),
    reindex: async (version) => (await opened()).reindex(version),
    isIndexed: async (version) => (await opened()).isIndexed(version),
    problem: async () => (await opened()).problem(),
    lag: async (maxPages) => (await opened()).lag(maxPages),
    verify: async (sample) => (await opened()).verify(sample),
    isFilled: async () => (await opened()).isFilled(),
  };
}

/** The requests are tested with this version; neighbouring minor versions understand them. */
const TESTED_VERSION = { major: 1, minor: 16 } as const;

/** The check of doctor: whether each node responds, with a version that is known to work. None if none is configured. */
export async function checkIndexServer({ config }: Pick<AppContext, 'config'>): Promise<readonly CheckResult[]> {
  const { urls, apiKey, timeoutMs } = config.qdrant;
  if (urls.length === 0) return [];
  const { openNodes } = await import('../index/qdrant/nodes.ts');
  const nodes = await openNodes({ urls, apiKey }).versions({ timeoutMs });
  const name = 'search index';
  const detail = nodes.map(({ url, version }) => `${url} ${stateOf(version)}`).join(', ');
  if (nodes.some(({ version }) => version instanceof Error)) {
    const hint = 'Start the node, or correct PINAKES_QDRANT_URLS and PINAKES_QDRANT_API_KEY';
    return [{ name, state: 'failed', detail, hint }];
  }
  if (nodes.every(({ version }) => isUnderstood(String(version)))) return [{ name, state: 'ok', detail, hint: null }];
  const { major, minor } = TESTED_VERSION;
  return [{ name, state: 'failed', detail, hint: `Use Qdrant ${major}.${minor - 1} to ${major}.${minor + 1}` }];
}

function stateOf(version: string | Error): string {
  return version instanceof Error ? `does not respond (${version.message})` : `Qdrant ${version}`;
}

function isUnderstood(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === TESTED_VERSION.major && Math.abs(minor - TESTED_VERSION.minor) <= 1;
}
