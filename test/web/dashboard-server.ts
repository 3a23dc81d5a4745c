// A real `pinakes serve` with the built dashboard, and a real Chromium to look at it.

import { execFileSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';
import { temporaryDirectory } from '../support/stores.ts';
import { start, type Running, type Settings } from '../e2e/program.ts';

const PROJECT = join(import.meta.dirname, '../..');
const CHROMIUM = '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];

export interface WebServer {
  readonly url: string;
  ask<T>(path: string, body?: unknown): Promise<T>;
  /** Ends the process well and starts another one on the same library and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Built anew where something is newer than the last build; by one test file, while the others wait. */
export async function ensureBuilt(): Promise<void> {
  mkdirSync(join(PROJECT, '.state'), { recursive: true });
  for (let times = 0; !tryLock() && times < 600; times += 1) await wait(200);
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
  const isWhole = existsSync(join(PROJECT, 'dist/web/local.html'));
  return isWhole && newest('dist/web') > Math.max(newest('web'), newest('src/core'));
}

function newest(folder: string): number {
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

export async function startWebServer(directory: string, more: Settings = {}): Promise<WebServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings: Settings = {
    PINAKES_DATA_DIR: directory,
    PINAKES_SERVE_PORT: String(port),
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_LOG_LEVEL: 'warn',
    ...more,
  };
  let running: Running = await begin(settings, url);
  const stop = async (): Promise<void> => {
    running.kill('SIGTERM');
    await running.ended;
  };
  return {
    url,
    async ask<T>(path: string, body?: unknown) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(`${url}/api${path}`, body === undefined ? {} : init);
      return (await response.json()) as T;
    },
    async restart() {
      await stop();
      running = await begin(settings, url);
    },
    stop,
  };
}

async function begin(settings: Settings, url: string): Promise<Running> {
  const running = start(settings, ['serve']);
  for (let times = 0; times < 600; times += 1) {
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return running;
    await wait(100);
  }
  throw new Error('the server did not begin');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 120_000 });
}

/** A library, a server that shows it, and a browser to look with. */
export interface Dashboard {
  readonly server: WebServer;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** `fill` puts something into the library before the server begins. */
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
