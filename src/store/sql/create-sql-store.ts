// The whole store over an engine and its parts.

import type { Store } from '../port.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Engine } from './engine.ts';
import { createFigures } from './figures.ts';
import { createFrontier } from './frontier.ts';
import { createHosts } from './hosts.ts';
import { createJournal } from './journal.ts';
import { createMetLinks } from './met-links.ts';
import { createFrontierFacts } from './offer-urls.ts';
import { createPages } from './pages.ts';
import { createRuns } from './runs.ts';
import { createSearchRows } from './search/search-rows.ts';
import { createSources } from './sources.ts';
import { createTokens } from './tokens.ts';
import { createVectors } from './vectors.ts';
import { verify } from './verify.ts';
import { createWakeHosts } from './wake-hosts.ts';

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
