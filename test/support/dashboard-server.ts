// A real `pinakes serve` with the built dashboard, and a real Chromium to open it.

import { execFileSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { temporaryDirectory } from './temporary-folder.ts';
import { start, type RunningProgram, type Settings } from './program.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** The browser that users have. Benchmarks measure this one. */
export const CHROMIUM = '/usr/bin/chromium';
const SHELL = '/usr/bin/chromium-headless-shell';
/** The same engine without windows, menus and their processes: a page costs a third of the CPU time. */
export const HEADLESS = existsSync(SHELL) ? SHELL : CHROMIUM;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];

export interface WebServer {
  readonly url: string;
  request<T>(path: string, body?: unknown): Promise<T>;
  /** Shuts the process down cleanly and starts another one on the same library and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Rebuilds if a source file is newer than the last build. One test file builds while the others wait. */
export async function ensureBuilt(): Promise<void> {
  mkdirSync(join(PROJECT, '.state'), { recursive: true });
  for (let attempt = 0; !tryLock() && attempt < 600; attempt += 1) await wait(200);
  try {
    if (isFresh()) return;
    const env = { ...process.env, NODE_ENV: 'production' };
    execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: PROJECT, stdio: 'inherit', env });
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

const LOCK = join(PROJECT, '.state/web-build.lock');

function tryLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}

function isFresh(): boolean {
  const isComplete = existsSync(join(PROJECT, 'dist/web/browser-mode.html'));
  return isComplete && newestMtime('dist/web') > Math.max(newestMtime('web'), newestMtime('src/core'));
}

function newestMtime(folder: string): number {
  try {
    const entries = readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true });
    const times = entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
    return Math.max(0, ...times);
  } catch {
    return 0;
  }
}

export async function startWebServer(directory: string, overrides: Settings = {}): Promise<WebServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings: Settings = {
    PINAKES_DATA_DIR: directory,
    PINAKES_SERVE_PORT: String(port),
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_LOG_LEVEL: 'warn',
    ...overrides,
  };
  let running: RunningProgram = await launch(settings, url);
  const stop = async (): Promise<void> => {
    running.kill('SIGTERM');
    await running.ended;
  };
  return {
    url,
    async request<T>(path: string, body?: unknown) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(`${url}/api${path}`, body === undefined ? {} : init);
      return (await response.json()) as T;
    },
    async restart() {
      await stop();
      running = await launch(settings, url);
    },
    stop,
  };
}

async function launch(settings: Settings, url: string): Promise<RunningProgram> {
  const running = start(settings, ['serve']);
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return running;
    await wait(100);
  }
  throw new Error('the server did not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function openChromium(executablePath = HEADLESS): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS, timeout: 120_000 });
}

/** With a profile on disk, as a user's browser has. */
export function openProfile(directory: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, { executablePath: CHROMIUM, args: FLAGS, timeout: 120_000 });
}

/** A library, a server for it, and a browser. */
export interface Dashboard {
  readonly server: WebServer;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** `fill` populates the library before the server starts. */
export async function openDashboard(
  fill: (directory: string) => Promise<void> = async () => undefined,
): Promise<Dashboard> {
  await ensureBuilt();
  const directory = temporaryDirectory();
  await fill(directory);
  const server = await startWebServer(directory);
  const browser = await openChromium();
  return {
    server,
    browser,
    async close() {
      await browser.close();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
