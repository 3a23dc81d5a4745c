// What the process does: reads its settings, hands the command line what it may ask for. Loads little, so that help and
// mistakes answer at once; compose brings the rest when needed.

import { readFileSync } from 'node:fs';
import type { Surroundings } from './compose/store.ts';
import { loadConfig, type LoadedConfig } from './platform/config/load-config.ts';
import { createLog } from './platform/log.ts';
import { secretValues } from './platform/config/secret-values.ts';
import { createRedactor, redactText, type Redact } from './platform/redact.ts';
import { openedValues } from './platform/secrets.ts';
import { createShutdown } from './platform/shutdown.ts';
import { useNativeHash } from './platform/native-hash.ts';
import { HEAP_GROWTH_PERCENT, limitHeapGrowth } from './platform/heap-growth.ts';
import { limitYoungSpace } from './platform/v8-heap.ts';
import type { CliHost } from './serve/cli/cli-runtime.ts';
import { runCli } from './serve/cli/run-cli.ts';
import { mcpCommand } from './serve/cli/setup/mcp-command.ts';

const DRAIN_MS = 25_000;
const YOUNG_MEGABYTES = 4;
/** The tree of a large page is to fit: what does not is copied twice and then kept until a full collection. */
const YOUNG_MEGABYTES_OF_THREADS = 8;

function readFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What flags say, in the words of the environment, over which they win. */
let flags: Readonly<Record<string, string>> = {};
let loaded: LoadedConfig | null = null;
function config(): LoadedConfig {
  loaded ??= loadConfig({ env: { ...process.env, ...flags }, cwd: process.cwd(), readFile });
  return loaded;
}

/** Signals drain only what is open; before that they end the process as usual. */
function surroundings() {
  limitYoungSpace(YOUNG_MEGABYTES, YOUNG_MEGABYTES_OF_THREADS);
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  useNativeHash();
  const { log: logging, fetch, embed } = config().config;
  redact = createRedactor([
    ...secretValues(config().config),
    ...openedValues(fetch.secrets, process.env),
    process.env[embed.keyEnv ?? ''] ?? '',
    process.env['PINAKES_TOKEN'] ?? '',
  ]);
  const log = createLog({ level: logging.level, now: () => new Date(), redact });
  const shutdown = createShutdown({ log, deadlineMs: DRAIN_MS });
  stopping = shutdown.signal;
  const command = ['pinakes', ...process.argv.slice(2, 3)].join(' ');
  return { shutdown, around: { ...config(), log, command, version, signal: shutdown.signal } };
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Signals end it well: the process stays until it has handed back what it holds. */
async function untilDone(name: string, begin: (around: Surroundings) => Promise<void>): Promise<void> {
  const { shutdown, around } = surroundings();
  const running = begin(around);
  shutdown.onClose(name, () => running);
  await running;
  await shutdown.close();
}

let stopping = new AbortController().signal;
/** What is said on stderr may quote a URL or an answer. */
let redact: Redact = redactText;

const host: CliHost = {
  version,
  config: async () => config(),
  given: (settings) => void (flags = settings),
  async open(effect) {
    const { shutdown, around } = surroundings();
    const { openLibrary } = await import('./compose/library.ts');
    const library = await openLibrary(around, effect);
    const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
    // A signal ends what the command waits for; the process stays until the command has handed back what it holds.
    shutdown.onClose('library', () => closed);
    return {
      ...library,
      async close() {
        await library.close().finally(tellClosed);
        await shutdown.close();
      },
    };
  },
  work: (until) =>
    untilDone('worker', async (around) => (await import('./compose/library.ts')).workUntil(until, around)),
  serve: (tell) =>
    untilDone('server', async (around) => (await import('./compose/serve.ts')).serveUntilStopped(around, tell)),
  mcp: () => untilDone('MCP', async (around) => (await import('./compose/mcp.ts')).mcpUntilClosed(around)),
  stopping: () => stopping,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(redact(text)),
  examine: async () => (await import('./compose/doctor.ts')).examine(surroundings().around),
  restore: async (file) => (await import('./compose/doctor.ts')).restore(surroundings().around, file),
  mcpCommand: async () => mcpCommand(config().config, process.argv[1] ?? '', process.env),
  isTerminal: process.stderr.isTTY,
  colours: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
};

/** Whoever reads us may stop reading, as `head` does: then there is nothing left to say. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCli(process.argv.slice(2), host);
