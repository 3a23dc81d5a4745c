// Starts one Chromium, and ends it with everything that it started.

import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, BrowserType } from 'playwright-core';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import type { Log } from '../platform/log.ts';
import { browserArguments } from './browser-flags.table.ts';
import { findProcess, killProcesses, readProcessTree } from './process-tree.ts';

export interface LaunchOptions {
  /** A path, or a name that is looked up in PATH. */
  readonly executable: string;
  readonly proxy: { readonly host: string; readonly port: number };
  readonly log: Log;
}

export interface LaunchedBrowser {
  readonly browser: Browser;
  /** Such as `chromium 156.0.8078.79`. */
  readonly name: string;
  /** The first process; null where it cannot be found. */
  readonly pid: number | null;
  /** Null if it cannot be told. */
  readonly isSandboxed: boolean | null;
  newContext(options: BrowserContextOptions): Promise<BrowserContext>;
  /** Ends every process of it, however busy, and removes its profile; of a browser elsewhere, all its pages. */
  kill(): Promise<void>;
}

const LAUNCH_TIMEOUT_MS = 60_000;
const PROFILE_PREFIX = 'pinakes-render-';
/** A profile that old, of a process that is gone, was left by a process that was killed. */
const STALE_PROFILE_MS = 3_600_000;

/** Chromium's sandbox needs a user other than root, and a kernel that lets it create namespaces. */
let sandboxWorks = process.getuid?.() !== 0;
let saidUnsandboxed = false;

/** Rejects with `render.unavailable`. */
export async function launchBrowser({ executable, proxy, log }: LaunchOptions): Promise<LaunchedBrowser> {
  const { chromium } = await loadPlaywright();
  const executablePath = findExecutable(executable);
  removeStaleProfiles();
  const profile = mkdtempSync(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`));
  const launch = (sandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath,
      ignoreDefaultArgs: true,
      args: browserArguments({ proxy, profile, sandbox }),
      env: browserEnvironment(profile),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
    });
  try {
    const browser = await launchSandboxed(launch, log);
    const pid = findProcess(`--user-data-dir=${profile}`);
    const name = `chromium ${browser.version()}`;
    return {
      browser,
      name,
      pid,
      isSandboxed: sandboxWorks,
      newContext: (options) => browser.newContext(options),
      kill: () => killBrowser(browser, pid, profile),
    };
  } catch (error) {
    removeProfile(profile);
    throw unavailable(error);
  }
}

/** The first line of what playwright says; the others are its log. */
export function unavailable(error: unknown): PinakesError {
  const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return pinakesError('render.unavailable', { why }, error);
}

async function launchSandboxed(launch: (sandbox: boolean) => Promise<Browser>, log: Log): Promise<Browser> {
  if (sandboxWorks) {
    try {
      return await launch(true);
    } catch (error) {
      if (!/sandbox|namespace|zygote/i.test(String(error))) throw error;
      sandboxWorks = false;
    }
  }
  if (!saidUnsandboxed) log.warn(unsandboxedReason());
  saidUnsandboxed = true;
  return launch(false);
}

/** Why the browser runs without its sandbox, as far as that can be told before it is started. */
export function unsandboxedReason(): string {
  const why = process.getuid?.() === 0 ? 'this process is root' : 'the kernel does not let it create namespaces';
  return `the browser runs without its sandbox, because ${why}`;
}

export async function loadPlaywright(): Promise<{ readonly chromium: BrowserType }> {
  try {
    return await import('playwright-core');
  } catch (error) {
    throw pinakesError('render.unavailable', { why: 'the package playwright-core is not installed' }, error);
  }
}

/** Raises `render.unavailable`. */
function findExecutable(name: string): string {
  const folders = isAbsolute(name) || name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders) {
    const path = folder === '' ? name : join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  throw pinakesError('render.unavailable', { why: `there is no browser ${name}` });
}

/** Nothing of the operator's environment, which may hold secrets. */
function browserEnvironment(profile: string): Record<string, string> {
  const { PATH = '/usr/bin:/bin', LANG = 'C.UTF-8' } = process.env;
  return { PATH, LANG, HOME: profile, TMPDIR: tmpdir() };
}

async function killBrowser(browser: Browser, pid: number | null, profile: string): Promise<void> {
  const processes = pid === null ? [] : readProcessTree(pid).map((one) => one.pid);
  killProcesses(processes);
  await closeInTime(browser);
  removeProfile(profile);
}

const CLOSE_TIMEOUT_MS = 5000;

/** Waits for the end of a browser that may not answer. */
export async function closeInTime(browser: Browser): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref());
  await Promise.race([browser.close().catch(() => undefined), late]);
}

function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A process that is just ending still writes to it; the next start removes it.
  }
}

function removeStaleProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid = ''] = new RegExp(`^${PROFILE_PREFIX}(\\d+)-`).exec(name) ?? [];
    const place = join(tmpdir(), name);
    if (pid === '' || isRunning(Number(pid))) continue;
    const changed = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - changed > STALE_PROFILE_MS) removeProfile(place);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
