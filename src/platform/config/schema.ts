// Every setting: type, limits, default and description, declared once. The names of environment variables, the reference
// page and `config print` are derived from it.

import { hostname } from 'node:os';
import { z } from 'zod';
import { CustomPresets } from '../../core/model/preset.ts';
import { auditSettings, oauthSettings, serveSettings, workerSettings } from './access-settings.ts';
import { catalog, fetch, registry } from './fetch-settings.ts';
import { renderProblem, renderSettings } from './render-settings.ts';
import { count, days, delay, enable, lower, minutes, ms, raise } from './setting-kinds.ts';

const postgresUrl = z
  .string()
  .refine(isPostgresUrl, 'not a URL such as postgres://user:password@host:5432/database')
  .meta({ secret: true });

const log = z.strictObject({
  level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Minimum log level'),
});

/** 0 means forever. */

const crawl = z.strictObject({
  leaseMs: ms(30_000).describe('Lease on a claimed URL; it expires without renewal'),
  renewMs: ms(10_000).describe('Interval between lease renewals; must be below the lease'),
  maxAttempts: count(8, 100).describe('Attempts before a URL is settled as failed'),
  quarantineAfterCrashes: count(3, 100).describe(
    'Worker crashes before a URL is quarantined; its last attempt runs in isolation',
  ),
  maxRunCrashes: count(5, 1000).describe(
    'Crashes of the process that coordinates a run, without progress in between, before the run fails',
  ),
  concurrency: count(16, 1000).describe('URLs that one worker process fetches concurrently').meta(lower),
  maxRuns: count(100, 100_000)
    .describe('Runs that one process coordinates concurrently; further ones wait in the queue')
    .meta(lower),
  maxScheduledRuns: count(16, 100_000)
    .describe('Scheduled runs start while fewer runs than this are running or queued; paused ones do not count')
    .meta(lower),
  maxInFlightBytes: count(16_777_216, 1_073_741_824)
    .describe('In-flight bytes of pages per worker process; a larger page is processed alone')
    .meta(lower),
  maxFailureRate: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('Failure rate above which a run aborts, once at least 25 URLs have failed'),
  maxPages: count(100_000, 1_000_000_000)
    .describe('Pages after which a run ends, if its source has no maxPages')
    .meta(lower),
  maxMinutes: minutes(1440)
    .describe('Minutes after which a run ends, without its pauses, if its source has no maxMinutes')
    .meta(lower),
  maxStallMinutes: minutes(5).describe(
    'How long a run waits for hosts that fail or throttle before it ends with what it has',
  ),
  maxUrlsPerPattern: count(1000, 10_000_000).describe(
    'URLs with the same path and parameter names before they count as a crawler trap',
  ),
  duplicateCheckPages: count(500, 10_000_000).describe(
    'Pages in one folder after which its share of near-duplicates is checked; above 95 % the folder is a crawler trap',
  ),
  stopGraceMs: delay(5000).describe(
    'How long a run that is stopped waits for URLs in flight; then their requests are aborted and they are dropped',
  ),
  eventRetentionDays: days(90).describe(
    'Days after which events are deleted, at the end of a run; 0 keeps them. On PostgreSQL many events are deleted together, up to a quarter later',
  ),
  queueEventMaxUrls: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(100_000)
    .describe('URLs a run may have for its enqueued and dequeued URLs to be recorded as events; 0 records none'),
  changeRetentionDays: days(90).describe(
    'Days after which only the newest change of each page is kept, at the end of a run; 0 keeps all',
  ),
  presets: CustomPresets.default({}).describe(
    'Custom presets: names for crawl settings, such as {"handbook":{"preset":"sitemap-only","maxDepth":3}}',
  ),
  minDelayMs: delay(200).describe('Minimum delay between two requests to a host that responds quickly').meta(raise),
  retryBaseMs: ms(1000).describe('Delay before the first retry of a failed URL; it doubles each time').meta(raise),
  circuitBreakerMs: ms(60_000)
    .describe('How long requests to a host are suspended after five consecutive failures')
    .meta(raise),
  startDelayMs: delay(1000)
    .describe('Delay between two requests to a new host; use 0 only for your own servers')
    .meta(raise),
  heartbeatFile: z
    .string()
    .min(1)
    .optional()
    .describe('File whose modification time a process that crawls renews every ten seconds, for a liveness probe'),
});

const chunk = z.strictObject({
  targetChars: count(1200, 1_000_000).describe('Target size of a chunk of a web page'),
  maxChars: count(2400, 1_000_000).describe('Maximum size of a chunk of a web page'),
  fileTargetChars: count(4000, 1_000_000).describe('Target size of a chunk of a local file'),
  fileMaxChars: count(8000, 1_000_000).describe('Maximum size of a chunk of a local file'),
  maxPerFile: count(2000, 1_000_000).describe(
    'Maximum number of chunks of a file or page; what follows is dropped with a warning',
  ),
});

const parse = z.strictObject({
  timeoutMs: ms(10_000).describe(
    'How long parsing one page may use a processor, six times as long for a PDF or a package; its thread is then terminated',
  ),
  threads: z
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('Parser threads; 0 means one less than the number of processors, at least one'),
  memoryMb: z
    .int()
    .min(32)
    .max(65_536)
    .default(512)
    .describe('Memory limit of a parser thread: of its heap, and of what it holds outside the heap'),
});

const embed = z.strictObject({
  provider: z
    .enum(['none', 'local', 'tei', 'openai', 'ollama'])
    .default('none')
    .describe('Source of embeddings: none, a model on this machine, or a server'),
  model: z
    .string()
    .min(1)
    .default('minilm')
    .describe('A model installed with `pinakes models pull`, or its name on the server'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of the embedding server; its host and port are allowed for embedding only'),
  keyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'not the name of an environment variable')
    .optional()
    .describe('Environment variable with the API key of the server'),
  dimensions: z.int().min(1).max(16_000).optional().describe('Vector dimensions; detected from the server if not set'),
  queryPrefix: z.string().max(500).default('').describe('Prefix of every query, if the model expects one'),
  passagePrefix: z.string().max(500).default('').describe('Prefix of every passage, if the model expects one'),
  maxTokens: count(512, 32_768).describe('Longer passages are truncated, unless the server reports its own limit'),
  batchTexts: count(32, 1000).describe('Passages per request to a server'),
  batchTokens: count(8192, 1_000_000).describe('Tokens per request to a server'),
  threads: count(1, 64).describe('Threads of a local model; each loads a copy of it'),
  timeoutMs: ms(60_000).describe('Timeout of a request to a server'),
  leaseMs: ms(120_000).describe('Lease on claimed passages before another worker may take them'),
  modelHost: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Host that `pinakes models pull` downloads from instead of the default, such as a mirror'),
});

const index = z.strictObject({
  databaseFallback: z
    .boolean()
    .default(false)
    .describe(
      'With a Qdrant server: also keep the index in the database, and search it while the server does not respond',
    ),
  cacheMb: count(128, 100_000).describe(
    'Memory for parts of an index in the database that were read, per query thread; more of it makes queries over millions of chunks faster',
  ),
});

const qdrant = z.strictObject({
  urls: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(100)
    .default([])
    .describe(
      'URLs of the nodes of a Qdrant server, which then holds the search index; without one it is in the database',
    ),
  apiKey: z.string().min(1).optional().describe('API key of the Qdrant server').meta({ secret: true }),
  timeoutMs: ms(10_000).describe('Timeout of a query to the Qdrant server, with its retries on other nodes'),
});

const search = z.strictObject({
  wordVectors: z
    .boolean()
    .default(true)
    .describe('Rank pages that answer in other words higher, by word vectors that come with the program'),
});

const sink = z.strictObject({
  qdrantApiKey: z
    .string()
    .min(1)
    .optional()
    .describe('API key of the Qdrant server of pinakes sink')
    .meta({ secret: true }),
});

const files = z.strictObject({
  roots: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Folders that may be read; if empty, any folder named on the command line. No other interface reads files',
    )
    .meta({ isPath: true }),
  maxFileBytes: count(10_485_760, 1_073_741_824).describe('Maximum size of a local file').meta(lower),
  maxSourceBytes: count(52_428_800, 17_179_869_184)
    .describe('Maximum total size of the files of one source')
    .meta(lower),
  maxFiles: count(100_000, 10_000_000).describe('Maximum number of files of one source').meta(lower),
  machine: z
    .string()
    .min(1)
    .max(200)
    .default(hostname())
    .describe(
      'With a shared database: folders are read only by processes with the same machine name as the one that added them',
    )
    .meta({ defaultText: 'the host name' }),
  refuseHardLinks: z.boolean().default(false).describe('Refuse local files with more than one hard link').meta(enable),
});

const webhooks = z.strictObject({
  timeoutMs: ms(15_000).describe('How long a receiver may take to answer').meta(lower),
  minRetryMs: ms(5000).describe('Delay after the first failed attempt; it doubles with each further one').meta(raise),
  maxRetryMs: ms(3_600_000).describe('Longest delay between two attempts').meta(raise),
});

const owner = z.strictObject({
  mode: z
    .enum(['background', 'in-process'])
    .default('background')
    .describe(
      'Which process writes to the local database: a background process that commands find or start, or the command itself',
    ),
  idleMs: ms(30_000).describe('How long an idle background process stays'),
});

const database = z.strictObject({
  url: postgresUrl.optional().describe('PostgreSQL URL to use instead of the local database'),
  poolSize: z
    .int()
    .min(4)
    .max(1000)
    .default(10)
    .describe('Maximum PostgreSQL connections of a process, all threads together'),
  timeoutMs: ms(30_000).describe('Timeout of a PostgreSQL statement and of an unresponsive connection'),
  preparedStatements: z
    .boolean()
    .default(true)
    .describe(
      'Prepare PostgreSQL statements; false behind a pooler in transaction mode, such as PgBouncer before 1.21',
    ),
  directUrl: postgresUrl
    .optional()
    .describe('PostgreSQL URL that bypasses a pooler, for migrations and wake-ups; without it workers behind one poll'),
});

interface Combined {
  readonly crawl: z.output<typeof crawl>;
  readonly chunk: z.output<typeof chunk>;
  readonly embed: z.output<typeof embed>;
  readonly render: z.output<typeof renderSettings>;
  readonly oauth: z.output<typeof oauthSettings>;
  readonly fetch: z.output<typeof fetch>;
}

/** Settings that are valid on their own may contradict each other. */
function checkCombinations(
  {
    crawl: { renewMs, leaseMs },
    chunk: { targetChars, maxChars, fileTargetChars, fileMaxChars },
    embed: { provider, url },
    render,
    oauth,
    fetch: { signingKeys, signatureAgent },
  }: Combined,
  context: z.RefinementCtx,
): void {
  const reject = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (renewMs >= leaseMs) reject(['crawl', 'renewMs'], `${renewMs} is not below crawl.leaseMs, which is ${leaseMs}`);
  if (url === undefined && provider !== 'none' && provider !== 'local')
    reject(['embed', 'url'], `${provider} needs the URL of a server`);
  const missing = missingOfOAuth(oauth);
  if (missing !== null) reject(['oauth', missing.setting], missing.message);
  if (signingKeys !== undefined && signatureAgent === undefined)
    reject(['fetch', 'signatureAgent'], 'signing keys need the public origin where sites find them');
  const wrong = renderProblem(render);
  if (wrong !== null) reject(['render', wrong.setting], wrong.message);
  if (targetChars > maxChars)
    reject(['chunk', 'targetChars'], `${targetChars} is above chunk.maxChars, which is ${maxChars}`);
  if (fileTargetChars > fileMaxChars)
    reject(['chunk', 'fileTargetChars'], `${fileTargetChars} is above chunk.fileMaxChars, which is ${fileMaxChars}`);
}

function missingOfOAuth({ issuer, resource, clientId }: Combined['oauth']): {
  readonly setting: string;
  readonly message: string;
} | null {
  if (issuer !== undefined && resource === undefined)
    return { setting: 'resource', message: 'the issuer needs the public URL of this server' };
  if (clientId !== undefined && issuer === undefined)
    return { setting: 'issuer', message: 'sign-in to the dashboard needs an issuer' };
  return null;
}

/** `dataDir` is a parameter, since its default depends on the machine. */
export function configSchema(dataDir: string) {
  return z
    .strictObject({
      dataDir: z
        .string()
        .min(1)
        .default(dataDir)
        .describe('Folder of the local database; unused with database.url')
        .meta({ defaultText: 'the data folder of the system, such as `~/.local/share/pinakes`', isPath: true }),
      minFreeBytes: z
        .int()
        .min(0)
        .default(524_288_000)
        .describe('Free disk space to keep on the volume of the local database; below it crawling pauses')
        .meta(raise),
      server: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Remote Pinakes server to use instead of a local library; its token is read from PINAKES_TOKEN'),
      database: database.prefault({}),
      log: log.prefault({}),
      fetch: fetch.prefault({}),
      crawl: crawl.prefault({}),
      render: renderSettings.prefault({}),
      chunk: chunk.prefault({}),
      parse: parse.prefault({}),
      embed: embed.prefault({}),
      index: index.prefault({}),
      qdrant: qdrant.prefault({}),
      search: search.prefault({}),
      sink: sink.prefault({}),
      files: files.prefault({}),
      registry: registry.prefault({}),
      catalog: catalog.prefault({}),
      owner: owner.prefault({}),
      serve: serveSettings.prefault({}),
      audit: auditSettings.prefault({}),
      oauth: oauthSettings.prefault({}),
      worker: workerSettings.prefault({}),
      webhooks: webhooks.prefault({}),
    })
    .superRefine(checkCombinations);
}

export type Config = z.output<ReturnType<typeof configSchema>>;

/** Settings as they are given: each has a default. */
export type ConfigValues = z.input<ReturnType<typeof configSchema>>;

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'postgres:' || url.protocol === 'postgresql:');
}
