// The state of the library: what each source holds, how fresh it is, how its last run ended, and what is pending.

import { z } from 'zod';
import { storedTerms } from '../core/discover/licenses.ts';
import type { VersionStats } from '../store/port.ts';
import type { JsonObject } from '../store/port/json.ts';
import type { Source, Version } from '../store/port/sources.ts';
import type { Webhook } from '../store/port/webhooks.ts';
import { action } from './action.ts';
import { loadRunViews, RunView } from './support/run-view.ts';

const VersionHealth = z.object({
  version: z.string(),
  declaredVersion: z
    .string()
    .nullable()
    .describe('Version that the site declares for the documented product; null if none'),
  pages: z.int(),
  duplicates: z.int().describe('Pages with the same content as another one'),
  chunks: z.int(),
  oldestCheckAt: z.iso.datetime().nullable().describe('When the stalest page was last confirmed current'),
  newestCheckAt: z.iso.datetime().nullable(),
  changedAt: z.iso.datetime().nullable().describe('When a page last changed'),
  usageTerms: z.array(z.string()).describe('Terms of use in its robots.txt, in the words of the site: untrusted'),
  licenses: z.array(z.string()).describe('URLs of licenses that its robots.txt and its pages name: untrusted'),
});

const SourceStats = z.object({
  source: z.string(),
  kind: z.string(),
  startUrl: z.string(),
  addedAt: z.iso.datetime(),
  versions: z.array(VersionHealth),
  settings: z.record(z.string(), z.unknown()),
  run: RunView.nullable().describe('The latest run'),
  nextRunAt: z.iso.datetime().nullable().describe('Next scheduled run; null if there is none'),
});

export type SourceStats = z.output<typeof SourceStats>;

export const WebhookProblem = z.object({
  webhook: z.string(),
  state: z.enum(['failing', 'disabled']),
  failures: z.int(),
  failingSince: z.iso.datetime().nullable(),
  lastFailure: z.string().nullable(),
});

export const LibraryStats = z.object({
  database: z.string().describe('sqlite or postgres'),
  bytes: z.int().nullable().describe('Size of the database; null for a token with the right to some sources'),
  unindexed: z.int().describe('Pages stored but not searchable yet'),
  spaces: z
    .array(
      z.object({
        space: z.string().describe('Model, revision, dtype, pooling, prefix and dimensions'),
        pending: z.int().describe('Texts waiting for a vector'),
        embedded: z.int(),
        failed: z.int(),
      }),
    )
    .describe('Embedding spaces; empty if no model is configured, and for a token with the right to some sources'),
  lastSeq: z.int().describe('Sequence number of the latest event'),
  webhooks: z.array(WebhookProblem).describe('Webhooks that do not work; empty if all do'),
  sources: z.array(SourceStats),
});

export type LibraryStats = z.output<typeof LibraryStats>;

export const showStats = action({
  name: 'show_stats',
  summary: 'Show how complete and how fresh the library is',
  effect: 'read',
  input: z.strictObject({}),
  output: LibraryStats,
  bindings: {
    cli: { command: 'stats', group: 'maintain', positional: [], example: 'pinakes stats' },
    http: { method: 'GET', path: '/library/stats' },
  },

  async run(_input, { store, index }) {
    const sources = await store.sources.list();
    const versions = sources.flatMap((source) => source.versions.map(({ id }) => id));
    const stats = new Map((await store.stats.versions(versions)).map((one) => [one.version, one]));
    const profiles = await store.sources.siteProfiles(versions);
    const runs = await store.runs.latest(sources.map(({ id }) => id));
    const runViews = await loadRunViews(store, runs);
    const latest = new Map(runs.map((run, i) => [run.source, runViews[i] ?? null]));
    const views = sources.map((source) => sourceStats(source, latest.get(source.id) ?? null, { stats, profiles }));
    const spaces = (await store.stats.spaces()).map(({ fingerprint: space, pending, embedded, failed }) => {
      return { space, pending, embedded, failed };
    });
    const [bytes, lag, lastSeq] = await Promise.all([store.stats.bytes(), index.lag(), store.journal.lastSeq()]);
    const webhooks = webhookProblems(await store.webhooks.list());
    return { database: store.engine, bytes, unindexed: lag.pages, spaces, lastSeq, webhooks, sources: views };
  },
});

export function webhookProblems(webhooks: readonly Webhook[]): Array<z.output<typeof WebhookProblem>> {
  const failing = webhooks.filter(({ failures, state }) => failures > 0 || state === 'disabled');
  return failing.map(({ name, state, failures, failingSince, lastFailure }) => {
    const since = failingSince?.toISOString() ?? null;
    const shown = state === 'disabled' ? state : ('failing' as const);
    return { webhook: name, state: shown, failures, failingSince: since, lastFailure };
  });
}

interface About {
  readonly stats: ReadonlyMap<number, VersionStats>;
  /** The site profile of each version. */
  readonly profiles: ReadonlyMap<number, JsonObject>;
}

function sourceStats(source: Source, run: RunView | null, about: About): SourceStats {
  return {
    source: source.name,
    kind: source.kind,
    startUrl: source.startUrl,
    addedAt: source.createdAt.toISOString(),
    settings: { ...source.settings },
    versions: source.versions.map((version) => versionHealth(version, about)),
    run,
    nextRunAt: source.dueAt?.toISOString() ?? null,
  };
}

type VersionHealth = z.output<typeof VersionHealth>;

function versionHealth({ id, label, declaredVersion }: Version, { stats, profiles }: About): VersionHealth {
  const { usageTerms, licenses } = storedTerms(profiles.get(id));
  const named = { version: label, declaredVersion, usageTerms: [...usageTerms], licenses: [...licenses] };
  const found = stats.get(id);
  if (found === undefined) {
    const never = { oldestCheckAt: null, newestCheckAt: null, changedAt: null };
    return { ...named, pages: 0, duplicates: 0, chunks: 0, ...never };
  }
  const { pages, duplicates, chunks, oldestCheckAt, newestCheckAt, changedAt } = found;
  return {
    ...named,
    pages,
    duplicates,
    chunks,
    oldestCheckAt: oldestCheckAt.toISOString(),
    newestCheckAt: newestCheckAt.toISOString(),
    changedAt: changedAt.toISOString(),
  };
}
