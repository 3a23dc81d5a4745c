// Starts one Chromium, and ends it with everything that it started.

import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, BrowserType } from 'playwright-core';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import type { Log } from '../platform/log.ts';
import { browserArguments } from './browser-flags.table.ts';
import { findProcess, killProcesses, lowerPriorities, readProcessTree } from './process-tree.ts';

export interface LaunchOptions {
  /** A path, or a name that is looked up in PATH. */
  readonly executable: string;
  readonly proxy: { readonly host: string; readonly port: number };
  /** `required`: no browser is started without it. */
  readonly sandbox: 'required' | 'off';
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
  /** Whether only this process uses it. */
  readonly isExclusive: boolean;
  newContext(options: BrowserContextOptions): Promise<BrowserContext>;
  /** Ends every process of it, however busy, and removes its profile; of a browser elsewhere, all its pages. */
  kill(): Promise<void>;
}

const LAUNCH_TIMEOUT_MS = 60_000;
const PROFILE_PREFIX = 'pinakes-render-';
/** A profile that old, of a process that is gone, was left by a process that was killed. */
const STALE_PROFILE_MS = 3_600_000;

let saidUnsandboxed = false;

/** Rejects with `render.unavailable`. */
export async function launchBrowser({ executable, proxy, sandbox, log }: LaunchOptions): Promise<LaunchedBrowser> {
  const isSandboxed = sandbox === 'required';
  if (isSandboxed && process.getuid?.() === 0)
    throw unavailable(`Chromium has no sandbox for root. Run Pinakes as another user, or ${ACCEPT}`);
  if (!isSandboxed && !saidUnsandboxed) log.warn(UNSANDBOXED);
  saidUnsandboxed ||= !isSandboxed;
  const { chromium } = await loadPlaywright();
  const executablePath = findExecutable(executable);
  const profile = createProfile();
  try {
    const browser = await chromium.launch({
      executablePath,
      ignoreDefaultArgs: true,
      args: browserArguments({ proxy, profile, sandbox: isSandboxed }),
      env: browserEnvironment(profile),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
    });
    const pid = findProcess(`--user-data-dir=${profile}`);
    if (pid !== null) lowerPriorities(processIdsOf(pid));
    const name = `chromium ${browser.version()}`;
    return {
      browser,
      name,
      pid,
      isSandboxed,
      isExclusive: true,
      newContext: (options) => browser.newContext(options),
      kill: () => killBrowser(browser, pid, profile),
    };
  } catch (error) {
    removeProfile(profile);
    throw isSandboxed && /sandbox|namespace|zygote/i.test(String(error)) ? unavailable(NO_SANDBOX) : unavailable(error);
  }
}

/** The first line of what playwright says; the others are its log. */
export function unavailable(error: unknown): PinakesError {
  const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return pinakesError('render.unavailable', { reason: why }, error);
}

const ACCEPT = 'accept a browser that is not confined: set render.sandbox=off';
const NO_SANDBOX = `the kernel does not let Chromium create its sandbox. Allow it user namespaces, or ${ACCEPT}`;
export const UNSANDBOXED = 'the browser runs without its sandbox, because render.sandbox is off';

export async function loadPlaywright(): Promise<{ readonly chromium: BrowserType }> {
  const loaded: unknown = await import('playwright-core').catch((error: unknown) => {
    throw pinakesError('render.unavailable', { reason: 'the package playwright-core is not installed' }, error);
  });
  return { chromium: chromiumOf(loaded) };
}

interface PlaywrightModule {
  readonly chromium?: BrowserType;
  readonly default?: { readonly chromium?: BrowserType };
}

/**
 * Node remembers that a package had no manifest. If it was installed after a first attempt to load it, its CommonJS entry is loaded, which
 * has the browsers in its default export only. Raises `render.unavailable`.
 */
export function chromiumOf(loaded: unknown): BrowserType {
  const { chromium, default: entry } = loaded as PlaywrightModule;
  const found = chromium ?? entry?.chromium;
  if (found !== undefined) return found;
  const reason = 'the package playwright-core was installed after this process started. Restart it';
  throw pinakesError('render.unavailable', { reason });
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
  throw pinakesError('render.unavailable', { reason: `there is no browser ${name}` });
}

/** The path of a socket has at most 107 characters; Chromium adds `/org.chromium.Chromium.XXXXXX/SingletonSocket` to that of the folder. */
const MAX_TMPDIR_CHARS = 60;

/** Nothing of the operator's environment, which may hold secrets. */
function browserEnvironment(profile: string): Record<string, string> {
  const { PATH = '/usr/bin:/bin', LANG = 'C.UTF-8' } = process.env;
  // What a killed browser leaves is removed with its profile.
  const temporary = profile.length <= MAX_TMPDIR_CHARS ? profile : tmpdir();
  return { PATH, LANG, HOME: profile, TMPDIR: temporary };
}

function processIdsOf(root: number): readonly number[] {
  return readProcessTree(root).map(({ pid }) => pid);
}

async function killBrowser(browser: Browser, pid: number | null, profile: string): Promise<void> {
  killProcesses(pid === null ? [] : processIdsOf(pid));
  await closeInTime(browser);
  removeProfile(profile);
}

const CLOSE_TIMEOUT_MS = 5000;

/** Waits for the end of a browser that may not answer. */
export async function closeInTime(browser: Browser): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref());
  await Promise.race([browser.close().catch(() => undefined), late]);
}

/**
 * Pages that a page asks to have loaded ahead, by speculation rules, are loaded by the browser itself, past the filter of its requests. No
 * flag turns that off. 2 stands for never.
 */
const PREFERENCES = { net: { network_prediction_options: 2 } };

/** In a folder that only this user can enter. Raises `render.unavailable`. */
function createProfile(): string {
  try {
    removeStaleProfiles();
    const profile = mkdtempSync(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`));
    mkdirSync(join(profile, 'Default'));
    writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
    return profile;
  } catch (error) {
    throw unavailable(error);
  }
}

function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A process that is just ending still writes to it; the next start removes it.
  }
}

/** Only our own folders: any user may create files next to them, under any name. */
function removeStaleProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid = ''] = new RegExp(`^${PROFILE_PREFIX}(\\d+)-`).exec(name) ?? [];
    const path = join(tmpdir(), name);
    if (pid === '' || isRunning(Number(pid))) continue;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true || found.uid !== (process.geteuid?.() ?? found.uid)) continue;
    if (Date.now() - found.mtimeMs > STALE_PROFILE_MS) removeProfile(path);
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
