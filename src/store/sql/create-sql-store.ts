// Creates the store over an engine and its specific parts.

import type { Store } from '../port.ts';
import { createAnalysis } from './analysis/analysis.ts';
import { createChanges } from './changes/changes.ts';
import type { EngineParts } from './engine/engine-parts.ts';
import type { Engine } from './engine/engine.ts';
import { createFrontierLookup } from './frontier/frontier-lookup.ts';
import { createFrontier } from './frontier/frontier.ts';
import { createWakeHosts } from './frontier/host-schedule.ts';
import { createGazetteer } from './gazetteer/gazetteer.ts';
import { createHosts } from './frontier/hosts.ts';
import { createShortenedUrls } from './frontier/shortened-urls.ts';
import { createPages } from './pages/pages.ts';
import { createPointRecords } from './points/point-records.ts';
import { createCommittedHistory, createHistory } from './runs/history.ts';
import { createJournal } from './runs/journal.ts';
import { createPlans } from './runs/plans.ts';
import { createRuns } from './runs/runs.ts';
import { createChunkReader } from './search/read-chunks.ts';
import { createSegmentTables } from './search/segment-tables.ts';
import { createAuditLog } from './sources/audit-log.ts';
import { createSessions } from './sources/sessions.ts';
import { createSources } from './sources/sources.ts';
import { createStats } from './sources/stats.ts';
import { createProjects } from './sources/projects.ts';
import { createTokens } from './sources/tokens.ts';
import { createVectors } from './vectors/vectors.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import { findDamage, verifyInvariants } from './verify-store.ts';

export interface StoreSettings {
  /** Initial delay between two requests to a host. */
  readonly startDelayMs: number;
  /** Maximum number of claims of a URL in one run. */
  readonly maxAttempts: number;
  /** How many URLs a run may have for `enqueued` and `dequeued` events to be written; none by default. */
  readonly queueEventMaxUrls?: number;
  /** The machine whose files this process reads, if processes on other machines use the same database. */
  readonly machine?: string;
}

export function createSqlStore(engine: Engine, parts: EngineParts, settings: StoreSettings): Store {
  const { startDelayMs, maxAttempts, queueEventMaxUrls = 0, machine = null } = settings;
  const lookup = createFrontierLookup(engine, { startDelayMs, queueEventMaxUrls });
  const wakeHosts = createWakeHosts(parts.announcer);
  const committed = createCommittedHistory(engine);
  return {
    engine: parts.name,
    sources: createSources(engine, parts, machine),
    runs: createRuns(committed.engine, parts, { wakeHosts, machine }),
    frontier: {
      ...createFrontier({ engine: committed.engine, lookup, parts, wakeHosts, maxAttempts, queueEventMaxUrls }),
      ...createShortenedUrls(committed.engine),
    },
    hosts: createHosts(engine, { startDelayMs, machine }),
    pages: createPages(committed.engine, parts),
    chunks: createChunkReader(engine.reader),
    segments: createSegmentTables(committed.engine, parts),
    points: createPointRecords(engine, parts),
    vectors: createVectors(engine, parts),
    changes: createChanges(engine),
    webhooks: createWebhooks(engine),
    stats: createStats(engine, parts),
    journal: createJournal(committed.engine, parts, lookup),
    analysis: createAnalysis(engine, parts.announcer),
    plans: createPlans(committed.engine),
    history: createHistory(engine, committed),
    gazetteer: createGazetteer(engine),
    tokens: createTokens(engine),
    sessions: createSessions(engine),
    audit: createAuditLog(engine),
    projects: createProjects(engine),
    wakeups: parts.announcer,
    verify: () => verifyInvariants(engine, settings.maxAttempts),
    findDamage: (depth) => findDamage(engine, parts, depth),
    backup: (file) => parts.backup(file),
    async close() {
      await parts.announcer.close();
      await engine.close();
    },
  };
}
