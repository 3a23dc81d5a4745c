// The whole store over an engine and its parts.

import type { Store } from '../port.ts';
import type { EngineParts } from './engine/engine-parts.ts';
import type { Engine } from './engine/engine.ts';
import { createFigures } from './sources/stats.ts';
import { createFrontier } from './frontier/frontier.ts';
import { createHosts } from './frontier/hosts.ts';
import { createJournal } from './runs/journal.ts';
import { createMetLinks } from './frontier/enqueued-links-cache.ts';
import { createFrontierFacts } from './frontier/enqueue-urls.ts';
import { createPages } from './pages/pages.ts';
import { createRuns } from './runs/runs.ts';
import { createSearchRows } from './search/search-index.ts';
import { createSources } from './sources/sources.ts';
import { createTokens } from './sources/tokens.ts';
import { createVectors } from './vectors/vectors.ts';
import { verify } from './verify.ts';
import { createWakeHosts } from './frontier/host-schedule.ts';

export interface StoreSettings {
  /** Delay between two requests to a host that is met for the first time. */
  readonly startDelayMs: number;
  /** How often a URL may be claimed in one run. */
  readonly maxAttempts: number;
}

export function createSqlStore(engine: Engine, parts: EngineParts, settings: StoreSettings): Store {
  const facts = createFrontierFacts(engine, settings.startDelayMs);
  const wakeHosts = createWakeHosts();
  const met = createMetLinks();
  return {
    engine: parts.name,
    sources: createSources(engine, parts),
    runs: createRuns(engine, wakeHosts),
    frontier: createFrontier({ engine, facts, parts, wakeHosts, met, maxAttempts: settings.maxAttempts }),
    hosts: createHosts(engine, settings.startDelayMs),
    pages: createPages(engine, parts),
    searchRows: createSearchRows(engine, parts),
    vectors: createVectors(engine, parts),
    figures: createFigures(engine, parts),
    journal: createJournal(engine, facts),
    tokens: createTokens(engine),
    verify: () => verify(engine, settings.maxAttempts),
    backup: (file) => parts.backup(file),
    close: () => engine.close(),
  };
}
