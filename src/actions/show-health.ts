// The state of what the library depends on: database, disk, process, embedding, search index and webhooks.

import { z } from 'zod';
import { PinakesError } from '../core/model/errors.ts';
import { pluralize } from '../core/text/plural.ts';
import { PROGRAM_VERSION } from '../platform/program-version.ts';
import type { SearchIndex } from '../index/port.ts';
import { action, type ServiceState, type SystemAccess } from './action.ts';
import type { Store } from '../store/port.ts';
import { webhookProblems, WebhookProblem } from './show-stats.ts';

/** Failed sources that are named. */
const MAX_NAMES = 5;

const Service = z.enum(['off', 'ready', 'failing']);

export const Health = z.object({
  status: z.enum(['ok', 'degraded']),
  problems: z.array(z.string()).describe('What needs attention, one sentence each'),
  sources: z.object({
    total: z.int(),
    failed: z.int().describe('Sources whose latest run failed'),
    failedNames: z.array(z.string()).describe(`Names of the first ${MAX_NAMES} of them`),
  }),
  database: z.object({
    kind: z.string().describe('sqlite or postgres'),
    bytes: z.int(),
    walBytes: z.int().nullable().describe('Size of the write-ahead log; null if only the server of the database knows'),
    journalMode: z.string(),
  }),
  disk: z
    .object({ freeBytes: z.int().nullable(), minFreeBytes: z.int().describe('Below it crawling pauses') })
    .nullable()
    .describe('The volume of a local database; null if the database is on a server'),
  process: z.object({
    version: z.string(),
    rss: z.int().describe('Resident memory in bytes'),
    heapUsed: z.int().describe('In bytes'),
    cpuUser: z.number().describe('In seconds'),
    cpuSystem: z.number().describe('In seconds'),
    uptime: z.number().describe('In seconds'),
  }),
  crawl: z.object({
    running: z.int(),
    paused: z.int(),
    queueSize: z.int().describe('URLs of live runs that are not settled yet'),
    lastProgressAt: z.iso.datetime().nullable(),
    hostsSuspended: z.int().describe('Hosts of live runs that failed several times in a row'),
  }),
  embedding: z.object({
    state: Service,
    reason: z.string().nullable(),
    pending: z.int().describe('Texts waiting for a vector'),
    failed: z.int(),
  }),
  index: z.object({
    backend: z.enum(['database', 'qdrant']),
    state: Service,
    reason: z.string().nullable(),
    unindexed: z.int().describe('Changed pages that are not searchable yet'),
    lagSeconds: z.number().describe('Age of the oldest of them'),
  }),
  webhooks: z.array(WebhookProblem).describe('Webhooks that do not work'),
});

export type Health = z.output<typeof Health>;

export const showHealth = action({
  name: 'show_health',
  summary: 'Show the state of database, disk, process, embedding and index',
  effect: 'read',
  needsAllSources: true,
  input: z.strictObject({}),
  output: Health,
  bindings: {
    cli: { command: 'health', group: 'maintain', positional: [], example: 'pinakes health' },
    http: [
      { method: 'GET', path: '/health' },
      // A specification fixes this route.
      { method: 'GET', path: '/system-health', operation: 'system_health' },
    ],
  },

  async run(_input, { store, index, system }) {
    const { countTexts, readCrawlActivity } = await import('../library/library-state.ts');
    const [sources, bytes, wal, activity, hostsSuspended, lag, spaces, webhooks, embedding, engine] = await Promise.all(
      [
        countSources(store),
        store.stats.bytes(),
        store.stats.writeAheadLog(),
        readCrawlActivity(store),
        store.hosts.countSuspended(),
        index.lag(),
        store.stats.spaces(),
        store.webhooks.list(),
        system.embedding(),
        indexState(index, system),
      ],
    );
    const { running, paused, queueSize, lastProgressAt } = activity;
    const checked = {
      sources,
      database: { kind: store.engine, bytes: bytes ?? 0, walBytes: wal.bytes, journalMode: wal.mode },
      disk: system.disk(),
      process: processInfo(),
      crawl: { running, paused, queueSize, lastProgressAt: lastProgressAt?.toISOString() ?? null, hostsSuspended },
      embedding: { ...embedding, ...countTexts(spaces) },
      index: { ...engine, unindexed: lag.pages, lagSeconds: lag.ageMs / 1000 },
      webhooks: webhookProblems(webhooks),
    };
    const problems = [
      ...sourceProblems(checked),
      ...serviceProblems(checked),
      ...crawlProblems(checked, activity.stalledMs),
    ];
    const status = problems.length === 0 ? ('ok' as const) : ('degraded' as const);
    return { status, problems, ...checked };
  },
});

type IndexState = Awaited<ReturnType<SystemAccess['index']>>;

async function indexState(index: Pick<SearchIndex, 'problem'>, system: SystemAccess): Promise<IndexState> {
  const server = await system.index();
  const reason = server.state === 'ready' ? await index.problem().catch(reasonOf) : null;
  return reason === null ? server : { ...server, state: 'failing', reason };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PinakesError)) throw error;
  return error.message;
}

function processInfo(): Health['process'] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const seconds = { cpuUser: user / 1e6, cpuSystem: system / 1e6, uptime: process.uptime() };
  return { version: PROGRAM_VERSION, rss, heapUsed, ...seconds };
}

type HealthInfo = Omit<Health, 'status' | 'problems'>;

/** Older changes than this are late: the index follows within seconds. */
const MAX_LAG_SECONDS = 300;
const MAX_STALL_MS = 900_000;

async function countSources({ sources, runs }: Store): Promise<Health['sources']> {
  const [total, { count, names }] = await Promise.all([sources.count(), runs.failedSources(MAX_NAMES)]);
  return { total, failed: count, failedNames: [...names] };
}

function sourceProblems({ sources: { total, failed, failedNames } }: HealthInfo): string[] {
  const more = failed > failedNames.length ? ' …' : '';
  return failed === 0
    ? []
    : [`The latest run of ${failed} of ${pluralize(total, 'source')} failed: ${failedNames.join(', ')}${more}`];
}

function serviceProblems({ disk, embedding, index, webhooks }: HealthInfo): string[] {
  const isFull = disk !== null && disk.freeBytes !== null && disk.freeBytes < disk.minFreeBytes;
  return [
    ...(isFull
      ? [`Crawling pauses: ${disk.freeBytes} bytes of disk space are left, ${disk.minFreeBytes} are needed`]
      : []),
    ...failure('The embedding model fails', embedding),
    ...failure('The search index fails', index),
    ...(index.lagSeconds > MAX_LAG_SECONDS
      ? [`Search lags behind: the oldest change waits for ${Math.round(index.lagSeconds)} s`]
      : []),
    ...webhooks.map(
      ({ webhook, state, failures, lastFailure }) =>
        `Webhook ${webhook} is ${state}${failures === 0 ? '' : ` after ${pluralize(failures, 'failed attempt')}`}: ${lastFailure ?? 'unknown'}`,
    ),
  ];
}

function failure(what: string, { state, reason }: Pick<ServiceState, 'state' | 'reason'>): string[] {
  return state === 'failing' ? [`${what}: ${reason ?? 'unknown'}`] : [];
}

function crawlProblems({ crawl: { hostsSuspended } }: HealthInfo, stalledMs: number): string[] {
  return [
    ...(hostsSuspended > 0 ? [`${pluralize(hostsSuspended, 'host')} of live runs failed and will be tried later`] : []),
    ...(stalledMs > MAX_STALL_MS ? [`A run has settled no URL for ${Math.round(stalledMs / 60_000)} minutes`] : []),
  ];
}
