// Every setting of the program: type, limits, default and description, once. The names of environment variables, the
// reference page and `config print` are derived from here.

import { isIP } from 'node:net';
import { z } from 'zod';
import { OwnPresets } from '../../core/model/preset.ts';
import { OPENED_SECRET } from '../secrets.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** The value holds a password or a key: it is masked wherever it is shown. */
    secret?: boolean;
    /** What the reference page says where the default depends on the machine. */
    defaultText?: string;
  }
}

const ms = (initial: number) => z.int().min(1).max(86_400_000).default(initial);
/** 0 means none. */
const pause = (initial: number) => z.int().min(0).max(86_400_000).default(initial);
const count = (initial: number, max: number) => z.int().min(1).max(max).default(initial);

const cidr = z.string().refine(isCidr, 'not an address range such as 10.1.0.0/16 or fd00::/8');

const postgresUrl = z
  .string()
  .refine(isPostgresUrl, 'not a URL such as postgres://user:password@host:5432/database')
  .meta({ secret: true });

const log = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('The least level that is written to stderr'),
});

const fetch = z.strictObject({
  timeoutMs: ms(60_000).describe('Longest time for one answer, from asking to the last byte'),
  headerTimeoutMs: ms(15_000).describe('Longest wait for the head of an answer'),
  maxBodyBytes: count(10_485_760, 1_073_741_824).describe('Largest body that is read, counted after decompression'),
  maxRedirects: z.int().min(0).max(50).default(10).describe('Redirects that are followed before a page is given up'),
  allowCidrs: z
    .array(cidr)
    .default([])
    .describe('Address ranges that may be asked although they are not public; nothing else opens them'),
  allowHosts: z
    .array(z.string().regex(/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/i, 'not a host name such as docs.corp.example'))
    .default([])
    .describe('Host names that may lead to addresses that are not public; the addresses themselves stay closed'),
  allowPorts: z
    .array(z.coerce.number().int().min(1).max(65_535))
    .default([])
    .describe('Ports that may be asked beside 80, 443 and 8000 to 8999'),
  secrets: z
    .array(z.string().regex(OPENED_SECRET, 'not a variable and an origin such as DOCS_TOKEN@https://docs.corp.example'))
    .default([])
    .describe('Environment variables that headers of a source may name, each with the one origin that gets it'),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters')
    .default('pinakes (+https://www.npmjs.com/package/pinakes)')
    .describe('What Pinakes calls itself; name a way to reach you'),
});

const crawl = z.strictObject({
  leaseMs: ms(30_000).describe('How long a worker may hold a URL without a sign of life'),
  renewMs: ms(10_000).describe('How often a worker gives a sign of life; must be below the lease'),
  maxAttempts: count(8, 100).describe('Attempts at a URL before it is settled as failed'),
  poisonAfterCrashes: count(3, 100).describe(
    'Workers that a URL may bring down before it is set aside; the last time it is alone',
  ),
  concurrency: count(16, 1000).describe('URLs that one worker process holds at once'),
  maxBytesInWork: count(16_777_216, 1_073_741_824).describe(
    'Bytes of pages that one worker process asks for, reads and settles at once; a longer page is read alone',
  ),
  maxFailureRate: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('Share of the URLs asked that may fail; above it, and from 25 failures on, a run stops itself'),
  maxUrlsPerShape: count(1000, 10_000_000).describe(
    'URLs with one path and the same parameters before they are called a trap',
  ),
  repeatSample: count(500, 10_000_000).describe(
    'Pages of one folder that may say nearly the same before the folder is called a trap',
  ),
  keepEventsDays: z
    .int()
    .min(0)
    .max(36_500)
    .default(90)
    .describe('Days after which events of runs are dropped, when a run ends; 0 keeps them'),
  presets: OwnPresets.default({}).describe(
    'Presets of your own: names for settings of a crawl, such as {"handbook":{"preset":"sitemap-only","maxDepth":3}}',
  ),
  minDelayMs: pause(200).describe('Shortest pause between two requests to one host, when it answers quickly'),
  retryBaseMs: ms(1000).describe('First wait before a URL that failed is asked again; it doubles each time'),
  breakerMs: ms(60_000).describe('How long a host is left alone after five failures in a row'),
  startDelayMs: pause(1000).describe(
    'Pause between two requests to a host that is not known yet; 0 only for servers of your own',
  ),
});

const chunk = z.strictObject({
  target: count(1200, 1_000_000).describe('Characters that a chunk of a page from the web should have'),
  cap: count(2400, 1_000_000).describe('Characters that a chunk of a page from the web never passes'),
  localTarget: count(4000, 1_000_000).describe('Characters that a chunk of a local file should have'),
  localCap: count(8000, 1_000_000).describe('Characters that a chunk of a local file never passes'),
});

const parse = z.strictObject({
  timeoutMs: ms(10_000).describe('Longest time for reading one page; then its thread is ended'),
  threads: z
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('Threads that read pages; 0 means one less than the processors, at least one'),
  memoryMb: z.int().min(32).max(65_536).default(512).describe('Memory that a reading thread may use'),
});

const embed = z.strictObject({
  provider: z
    .enum(['none', 'local', 'tei', 'openai', 'ollama'])
    .default('none')
    .describe('Where vectors come from: nowhere, a model on this machine, or a server'),
  model: z
    .string()
    .min(1)
    .default('default')
    .describe('A model that `pinakes model pull` brought, or the name by which a server knows it'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The embedding server; its host and port are opened for it, and for nothing else'),
  keyEnv: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'not the name of an environment variable')
    .optional()
    .describe('Name of the environment variable that holds the key of the server'),
  dimensions: z.int().min(1).max(16_384).optional().describe('Numbers of a vector; unset asks the server'),
  queryPrefix: z.string().max(500).default('').describe('Put before every question, where the model wants it'),
  passagePrefix: z.string().max(500).default('').describe('Put before every passage, where the model wants it'),
  maxTokens: count(512, 32_768).describe('Longer passages are cut, where the server does not say its own limit'),
  batchTexts: count(32, 1000).describe('Passages of one request to a server'),
  batchTokens: count(8192, 1_000_000).describe('Tokens of one request to a server'),
  threads: count(1, 64).describe('Threads of a local model; each holds a copy of it'),
  timeoutMs: ms(60_000).describe('Longest time for one answer of a server'),
  leaseMs: ms(120_000).describe('How long a worker may hold passages before another takes them'),
  modelHost: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Host that `pinakes model pull` asks in place of the preset’s own, such as a mirror'),
});

const local = z.strictObject({
  roots: z
    .array(z.string().min(1))
    .default([])
    .describe('Folders that may be read; none means any that the command line names, and no other door reads files'),
  maxFileBytes: count(10_485_760, 1_073_741_824).describe('Largest local file that is read'),
  maxBatchBytes: count(52_428_800, 17_179_869_184).describe('Bytes of all files of one local source together'),
  maxFiles: count(100_000, 10_000_000).describe('Files of one local source'),
  refuseHardLinks: z.boolean().default(false).describe('Refuse local files that have a second name elsewhere'),
});

const serve = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; any but loopback needs a token'),
  port: z.int().min(0).max(65_535).default(7465).describe('Port to listen on; 0 takes a free one'),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe('Names under which the server is reached, beside loopback and its own address'),
  origins: z
    .array(z.url({ protocol: /^https?$/ }))
    .default([])
    .describe('Origins of pages elsewhere that may ask, such as https://docs.corp.example'),
  requestsPerMinute: count(1200, 1_000_000).describe('Requests that one token may make in a minute'),
  maxRequestsInFlight: count(1000, 100_000).describe(
    'Requests that are worked on at once; more, or any while memory is short, are told to come back with 503',
  ),
  adminTools: z.boolean().default(false).describe('Offer tools that change the library over MCP'),
  changesPerHour: count(60, 1_000_000).describe('Changes to the library that one MCP client may make in an hour'),
});

const owner = z.strictObject({
  mode: z
    .enum(['background', 'in-process'])
    .default('background')
    .describe(
      'Who writes to the local database: a process in the background that every command finds or starts, or the command itself',
    ),
  idleMs: ms(30_000).describe('How long a process in the background stays when nothing is left to do'),
});

/** `dataDir` is given, since its default depends on the machine. */
export function configSchema(dataDir: string) {
  return z
    .strictObject({
      dataDir: z
        .string()
        .min(1)
        .default(dataDir)
        .describe('Folder of the local database; not used with databaseUrl')
        .meta({ defaultText: 'the data folder of the system, such as `~/.local/share/pinakes`' }),
      minFreeBytes: z
        .int()
        .min(0)
        .default(524_288_000)
        .describe('Room that is kept free on the volume of the local database: below it no new work begins'),
      server: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Pinakes server to ask instead of a library on this machine; its token is read from PINAKES_TOKEN'),
      databaseUrl: postgresUrl.optional().describe('PostgreSQL to use instead of the local database'),
      databasePoolSize: count(10, 1000).describe('Connections to PostgreSQL that one process opens at most'),
      databaseTimeoutMs: ms(30_000).describe(
        'Longest time for one statement of PostgreSQL, and how long a silent connection is trusted',
      ),
      log: log.prefault({}),
      fetch: fetch.prefault({}),
      crawl: crawl.prefault({}),
      chunk: chunk.prefault({}),
      parse: parse.prefault({}),
      embed: embed.prefault({}),
      local: local.prefault({}),
      owner: owner.prefault({}),
      serve: serve.prefault({}),
    })
    .superRefine(
      (
        { crawl: { renewMs, leaseMs }, chunk: { target, cap, localTarget, localCap }, embed: { provider, url } },
        context,
      ) => {
        const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
        if (renewMs >= leaseMs)
          refuse(['crawl', 'renewMs'], `${renewMs} is not below crawl.leaseMs, which is ${leaseMs}`);
        if (url === undefined && provider !== 'none' && provider !== 'local')
          refuse(['embed', 'url'], `${provider} needs the address of a server`);
        if (target > cap) refuse(['chunk', 'target'], `${target} is above chunk.cap, which is ${cap}`);
        if (localTarget > localCap)
          refuse(['chunk', 'localTarget'], `${localTarget} is above chunk.localCap, which is ${localCap}`);
      },
    );
}

export type Config = z.output<ReturnType<typeof configSchema>>;

function isCidr(text: string): boolean {
  const [address = '', prefix = '', more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined || !/^(0|[1-9]\d{0,2})$/.test(prefix)) return false;
  return Number(prefix) <= (family === 4 ? 32 : 128);
}

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'postgres:' || url.protocol === 'postgresql:');
}
