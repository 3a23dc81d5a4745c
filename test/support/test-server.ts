// The real server on a real socket, inside the test process, with its own library. Its log is recorded.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serveUntilStopped } from '../../src/compose/serve.ts';
import type { AppContext } from '../../src/compose/app-context.ts';
import { openCommandLibrary } from '../../src/compose/open-command-library.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import { createLog } from '../../src/platform/log.ts';
import type { CommandLibrary } from '../../src/serve/call-action.ts';
import type { Settings } from './program.ts';
import { temporaryDirectory } from './temporary-folder.ts';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly directory: string;
  /** Every line of its log. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

const QUIET_SETTINGS: Settings = {
  PINAKES_SERVE_PORT: '0',
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_CRAWL_START_DELAY_MS: '0',
  PINAKES_OWNER_MODE: 'in-process',
};

/** `before` gets the library before it is served. */
export async function startTestServer(
  settings: Settings = {},
  before: (library: CommandLibrary) => Promise<void> = async () => undefined,
): Promise<TestServer> {
  const directory = temporaryDirectory();
  const log: string[] = [];
  const stop = new AbortController();
  const context = createContext({ ...QUIET_SETTINGS, PINAKES_DATA_DIR: directory, ...settings }, log, stop.signal);
  await useLibrary(context, before);
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  const served = serveUntilStopped(context, resolve);
  served.catch(reject);
  const url = (await listening).replace('0.0.0.0', '127.0.0.1');
  return {
    url,
    port: Number(new URL(url).port),
    directory,
    log,
    async stop() {
      stop.abort();
      await served;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Fills a library that is served later, by another process for instance. */
export async function prepareLibrary(
  settings: Settings,
  fill: (library: CommandLibrary) => Promise<void>,
): Promise<void> {
  await useLibrary(createContext({ ...QUIET_SETTINGS, ...settings }, [], new AbortController().signal), fill);
}

async function useLibrary(context: AppContext, use: (library: CommandLibrary) => Promise<void>): Promise<void> {
  const library = await openCommandLibrary(context, 'write');
  await use(library);
  await library.close();
}

function createContext(env: Settings, lines: string[], signal: AbortSignal): AppContext {
  const { config, origins } = loadConfig({ env, cwd: '/', readFile: () => null });
  const log = createLog({ level: 'debug', now: () => new Date(), write: (line) => void lines.push(line) });
  return { config, origins, log, command: 'test', version: '0.0.0', signal };
}

/** Adds a folder with these files and returns when they are searchable. */
export async function addFiles(
  library: CommandLibrary,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { run } = (await library.call('add_source', { url: folder, name, version: '' })) as { run: number };
  library.startWorker();
  for (;;) {
    const status = (await library.call('crawl_status', { run: String(run) })) as {
      runs: { endedAt: string | null; state: string }[];
      unindexed: number;
    };
    if (status.runs[0]?.endedAt !== null && status.unindexed === 0) break;
    await wait(20);
  }
  rmSync(folder, { recursive: true });
}

/** Returns the secret of a new token. */
export async function addToken(library: CommandLibrary, name: string, role: 'read' | 'admin'): Promise<string> {
  return ((await library.call('create_token', { name, role })) as { token: string }).token;
}
