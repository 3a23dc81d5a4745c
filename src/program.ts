// The process: loads its settings and gives the command line its runtime. Loads little, so that help and usage errors are
// fast; compose is imported when needed.

import { homedir } from 'node:os';
import type { AppContext } from './compose/app-context.ts';
import type { FlagValues, LoadedConfig } from './platform/config/load-config.ts';
import { systemReason } from './platform/data-directory.ts';
import { createLog, type LogLevel } from './platform/log.ts';
import { PROGRAM_VERSION as version } from './platform/program-version.ts';
import { redactText, type Redact } from './platform/redact.ts';
import { createShutdown } from './platform/shutdown.ts';
import type { CliRuntime } from './serve/cli/cli-runtime.ts';
import { createTerminalOutput, renderLogLine } from './serve/cli/render/terminal-output.ts';
import { runCli } from './serve/cli/run-cli.ts';

const DRAIN_MS = 25_000;

let flags: FlagValues = new Map();
let loaded: LoadedConfig | null = null;
async function config(): Promise<LoadedConfig> {
  if (loaded !== null) return loaded;
  const [{ loadConfig }, { readConfigFile }] = await Promise.all([
    import('./platform/config/load-config.ts'),
    import('./platform/config/config-files.ts'),
  ]);
  return (loaded = loadConfig({ env: process.env, flags, cwd: process.cwd(), readFile: readConfigFile }));
}

/** A call may be answered by another process; a command and a service work in this one. */
type Purpose = 'call' | 'command' | 'service';

/** A terminal shows what the user has to know; the whole log is for operators, and for those who ask for it. */
function logWriter(purpose: Purpose, level: LogLevel): ((line: string) => void) | undefined {
  if (purpose === 'service' || level === 'debug' || !process.stderr.isTTY) return undefined;
  return (line) => {
    const text = renderLogLine(line);
    if (text !== null) terminal.write(text);
  };
}

/** Only from here on do signals shut down gracefully; before, they end the process as usual. */
async function createContext(purpose: Purpose) {
  const [{ createConfigRedactor }, settings] = await Promise.all([
    import('./platform/config/print-config.ts'),
    config(),
  ]);
  // Node's cryptography costs a process that only sends a call a third of an empty one.
  if (purpose !== 'call') (await import('./platform/native-hash.ts')).useNativeHash();
  const { log: logging } = settings.config;
  redact = createConfigRedactor(settings.config, process.env);
  const write = logWriter(purpose, logging.level);
  const log = createLog({ level: logging.level, now: () => new Date(), redact, ...(write && { write }) });
  const shutdown = createShutdown({ log, deadlineMs: DRAIN_MS });
  stopping = shutdown.signal;
  const command = ['pinakes', ...process.argv.slice(2, 3)].join(' ');
  return { shutdown, context: { ...settings, log, command, version, signal: shutdown.signal } };
}

/** Signals shut it down gracefully: the process stays until it has released what it holds. */
async function runUntilDone(name: string, run: (context: AppContext) => Promise<void>): Promise<void> {
  const { shutdown, context } = await createContext('service');
  const running = run(context);
  shutdown.onClose(name, () => running);
  await running;
  await shutdown.close();
}

let stopping = new AbortController().signal;
/** Messages on stderr may quote a URL or a response. */
let redact: Redact = redactText;

async function prompt(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

const terminal = createTerminalOutput((text) => void process.stderr.write(text));

const runtime: CliRuntime = {
  version,
  config,
  applyFlags: (settings) => void (flags = settings),
  async open(effect) {
    const { shutdown, context } = await createContext('call');
    const { openCommandLibrary } = await import('./compose/open-command-library.ts');
    const library = await openCommandLibrary(context, effect);
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    // A signal ends what the command waits for; the process stays until the command has released what it holds.
    shutdown.onClose('library', () => closed);
    return {
      ...library,
      async close() {
        await library.close().finally(onClosed);
        await shutdown.close();
      },
    };
  },
  async openSink(target) {
    const sinks = await import('./compose/sinks.ts');
    switch (target.kind) {
      case 'qdrant':
        return sinks.createQdrantSink({ ...target, apiKey: (await config()).config.sink.qdrantApiKey });
      case 'jsonl':
        return sinks.createJsonlSink(target);
      case 'folder':
        return sinks.createFolderSink(target);
    }
  },
  runWorker: (until) =>
    runUntilDone('worker', async (context) =>
      (await import('./compose/open-command-library.ts')).runWorkerUntil(until, context),
    ),
  serve: (onListening) =>
    runUntilDone('server', async (context) =>
      (await import('./compose/serve.ts')).serveUntilStopped(context, onListening),
    ),
  mcp: (project) =>
    runUntilDone('MCP', async (context) => (await import('./compose/mcp.ts')).serveMcpUntilClosed(context, project)),
  async *load(urls, options) {
    const { shutdown, context } = await createContext('command');
    const { openLoader } = await import('./compose/load-pages.ts');
    const loader = openLoader(options, context);
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    shutdown.onClose('loader', () => closed);
    try {
      await loader.checkHealth(context.signal);
      yield* loader.each(urls, { signal: context.signal });
    } finally {
      await loader.close().finally(onClosed);
      await shutdown.close();
    }
  },
  stopping: () => stopping,
  out: (text) => process.stdout.write(text),
  err: (text) => terminal.write(redact(text)),
  showStatus: (lines) => terminal.showStatus(lines.map(redact)),
  doctor: async () => (await import('./compose/doctor.ts')).runDoctor((await createContext('command')).context),
  restore: async (file) =>
    (await import('./compose/doctor.ts')).restoreLibrary((await createContext('command')).context, file),
  mcpCommand: async () =>
    (await import('./serve/cli/setup/setup-client.ts')).mcpCommand(await config(), process.argv[1] ?? '', homedir()),
  /** Only then is stdin opened. */
  get prompt() {
    return process.stdin.isTTY && process.stderr.isTTY ? prompt : null;
  },
  isDebugging: () => loaded?.config.log.level === 'debug',
  isTerminal: process.stderr.isTTY,
  // A terminal that does not know its size says 0.
  width: (process.stdout.isTTY && process.stdout.columns) || null,
  colors: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
};

/** The reader of stdout may close it early, as `head` does: then there is nothing left to write. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`Cannot write the output: ${systemReason(error)}.\n`);
  process.exit(1);
});
process.stderr.on('error', () => undefined);

process.exitCode = await runCli(process.argv.slice(2), runtime);
