// The state of the library: what each source holds, how fresh it is, how its last run ended, and what is pending.

import { z } from 'zod';
import type { Source, Version, VersionStats, Webhook } from '../store/port.ts';
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
});

const SourceHealth = z.object({
  source: z.string(),
  kind: z.string(),
  start: z.string(),
  addedAt: z.iso.datetime(),
  versions: z.array(VersionHealth),
  settings: z.record(z.string(), z.unknown()),
  run: RunView.nullable().describe('The latest run'),
  nextRunAt: z.iso.datetime().nullable().describe('Next scheduled run; null if there is none'),
});

export type SourceHealth = z.output<typeof SourceHealth>;

export const WebhookProblem = z.object({
  webhook: z.string(),
  state: z.enum(['failing', 'disabled']),
  failures: z.int(),
  failingSince: z.iso.datetime().nullable(),
  lastFailure: z.string().nullable(),
});

export const LibraryHealth = z.object({
  engine: z.string(),
  bytes: z.int().describe('Size of the database'),
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
    .describe('Embedding spaces; empty if no model is configured'),
  lastSeq: z.int().describe('Sequence number of the latest event'),
  webhooks: z.array(WebhookProblem).describe('Webhooks that do not work; empty if all do'),
  sources: z.array(SourceHealth),
});

export type LibraryHealth = z.output<typeof LibraryHealth>;

export const libraryHealth = action({
  name: 'library_health',
  summary: 'Show how complete and how fresh the library is',
  effect: 'read',
  input: z.strictObject({}),
  output: LibraryHealth,
  bindings: {
    cli: { command: 'health', positional: [], example: 'pinakes health' },
    http: { method: 'GET', path: '/library' },
  },

  async run(_input, { store, index }) {
    const sources = await store.sources.list();
    const stats = new Map((await store.stats.versions()).map((one) => [one.version, one]));
    const runs = await store.runs.latest();
    const runViews = await loadRunViews(store, runs, sources);
    const latest = new Map(runs.map((run, i) => [run.source, runViews[i] ?? null]));
    const views = sources.map((source) => sourceHealth(source, latest.get(source.id) ?? null, stats));
    const spaces = (await store.stats.spaces()).map(({ fingerprint: space, pending, embedded, failed }) => {
      return { space, pending, embedded, failed };
    });
    const [bytes, lag, lastSeq] = await Promise.all([store.stats.bytes(), index.lag(), store.journal.lastSeq()]);
    const webhooks = webhookProblems(await store.webhooks.list());
    return { engine: store.engine, bytes, unindexed: lag.pages, spaces, lastSeq, webhooks, sources: views };
  },
});

export function webhookProblems(webhooks: readonly Webhook[]): Array<z.output<typeof WebhookProblem>> {
  const failing = webhooks.filter(({ failures }) => failures > 0);
  return failing.map(({ name, state, failures, failingSince, lastFailure }) => {
    const since = failingSince?.toISOString() ?? null;
    const shown = state === 'disabled' ? state : ('failing' as const);
    return { webhook: name, state: shown, failures, failingSince: since, lastFailure };
  });
}

function sourceHealth(source: Source, run: RunView | null, stats: ReadonlyMap<number, VersionStats>): SourceHealth {
  return {
    source: source.name,
    kind: source.kind,
    start: source.start,
    addedAt: source.createdAt.toISOString(),
    settings: { ...source.settings },
    versions: source.versions.map((version) => versionHealth(version, stats.get(version.id))),
    run,
    nextRunAt: source.dueAt?.toISOString() ?? null,
  };
}

type VersionHealth = z.output<typeof VersionHealth>;

function versionHealth({ label, declaredVersion }: Version, stats: VersionStats | undefined): VersionHealth {
  const named = { version: label, declaredVersion };
  if (stats === undefined) {
    const never = { oldestCheckAt: null, newestCheckAt: null, changedAt: null };
    return { ...named, pages: 0, duplicates: 0, chunks: 0, ...never };
  }
  const { pages, duplicates, chunks, oldestCheckAt, newestCheckAt, changedAt } = stats;
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
