// The library behind the owner of a data directory: finds the owner or starts it in the background, and sends it every call.

import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinakesError, type ErrorCode, type ErrorDetails } from '../../core/model/errors.ts';
import { deadline, monotonicMs, sleep } from '../../platform/clock.ts';
import { STDIN } from '../../platform/config/config-files.ts';
import type { Config } from '../../platform/config/schema.ts';
import { CONFIG_FILE_ENV, describeSettings } from '../../platform/config/settings.ts';
import { createDataDirectory, systemReason } from '../../platform/data-directory.ts';
import type { ActionCallOptions, CommandLibrary } from '../call-action.ts';
import { callOwner, getOwnerInfo, requestOwnerExit } from './owner-client.ts';
import type { OwnerInfo } from './owner-protocol.ts';
import { findOwnerSocket } from './owner-socket.ts';

export interface OwnerLibraryOptions {
  readonly expected: Omit<OwnerInfo, 'pid'>;
  /** The command that starts an owner. */
  readonly command: readonly string[];
  /** The resolved settings of this process, which a started owner gets: it has another working folder. */
  readonly config: Config;
  readonly warn: (message: string) => void;
}

const MAX_CALL_ATTEMPTS = 5;

/** `files` tells whether calls may name local paths. An owner that exited in the meantime is started again. */
export async function openOwnerLibrary(options: OwnerLibraryOptions, files: boolean): Promise<CommandLibrary> {
  await ensureOwner(options);
  return {
    async call(action, input, callOptions = {}) {
      for (let attempts = 0; attempts < MAX_CALL_ATTEMPTS; attempts += 1) {
        const socket = findOwnerSocket(options.config.dataDir);
        const response = await callOwner(socket, { action, input, files }, callOptions);
        if (response !== null) return response.result;
        await ensureOwner(options);
      }
      throw pinakesError('owner.unresponsive', {
        directory: options.config.dataDir,
        reason: 'every process that was started exited at once',
        log: 'pinakes.log',
      });
    },
    startWorker: () => undefined,
    continuesInBackground: true,
    close: async () => undefined,
  };
}

/** A read has another way to its answer, so it does not wait for an owner that hangs. */
const PROBE_TIMEOUT_MS = 1000;

/** Sends calls to an owner that already runs, with the same program and settings; null if there is none. */
export async function findOwner({
  expected,
  dataDir,
}: {
  readonly expected: Omit<OwnerInfo, 'pid'>;
  readonly dataDir: string;
}): Promise<OwnerCall | null> {
  const socket = findOwnerSocket(dataDir);
  const found = await getOwnerInfo(socket, deadline(PROBE_TIMEOUT_MS)).catch(() => null);
  if (found === null || !isCompatible(found, expected)) return null;
  return (action, input, options = {}) => callOwner(socket, { action, input, files: true }, options);
}

/** Null if the owner has exited. */
export type OwnerCall = (
  action: string,
  input: unknown,
  options?: ActionCallOptions,
) => Promise<{ readonly result: unknown } | null>;

const START_TIMEOUT_MS = 20_000;
const START_POLL_MS = 25;
const MAX_LOG_BYTES = 10_000_000;
const MAX_STARTS = 20;

/**
 * Returns when an owner with the same program listens. One with other settings is replaced, unless it is busy. Raises
 * `owner.version-mismatch` or `owner.unresponsive`.
 */
async function ensureOwner(options: OwnerLibraryOptions): Promise<void> {
  const {
    expected,
    warn,
    config: { dataDir },
  } = options;
  const log = join(dataDir, 'pinakes.log');
  const untilMs = monotonicMs() + START_TIMEOUT_MS;
  let started: StartedOwner | null = null;
  let starts = 0;
  while (monotonicMs() < untilMs && starts <= MAX_STARTS) {
    const socket = findOwnerSocket(dataDir);
    const found = await getOwnerInfo(socket).catch(() => null);
    if (found !== null && isCompatible(found, expected)) return;
    if (found !== null && !(await requestOwnerExit(socket, 'idle'))) {
      if (found.version !== expected.version)
        throw pinakesError('owner.version-mismatch', { pid: found.pid, version: found.version });
      warn(`process ${found.pid} is busy on this data directory with other settings; they apply to this command too`);
      return;
    }
    // A process that did not get the directory exits at once; the previous owner may be about to release it.
    if (found === null && hasExited(started)) {
      throwFailure(started, log);
      started = await startOwner(log, options);
      starts += 1;
    }
    await sleep(START_POLL_MS);
  }
  throwFailure(started, log);
  const reason = lastLine(log, started?.logOffset ?? 0);
  throw pinakesError('owner.unresponsive', { directory: dataDir, reason, log });
}

interface StartedOwner {
  readonly process: ChildProcess;
  /** Where its output begins in the log file. */
  readonly logOffset: number;
}

function isCompatible(found: OwnerInfo, expected: Omit<OwnerInfo, 'pid'>): boolean {
  return found.version === expected.version && found.settings === expected.settings;
}

/** It outlives the process that starts it, and writes its output to a file because no terminal is attached. */
async function startOwner(
  log: string,
  { config, command: [program = '', ...args] }: OwnerLibraryOptions,
): Promise<StartedOwner> {
  const { spawn } = await import('node:child_process');
  const { dataDir } = config;
  createDataDirectory(dataDir);
  const file = openLog(dataDir, log);
  if (fstatSync(file).size > MAX_LOG_BYTES) ftruncateSync(file);
  const logOffset = fstatSync(file).size;
  const options = { detached: true, cwd: dataDir, env: ownerEnvironment() };
  const child = spawn(program, args, { ...options, stdio: ['pipe', file, file] });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined).end(JSON.stringify(config));
  child.unref();
  closeSync(file);
  return { process: child, logOffset };
}

/** Without the variables of settings: the resolved ones come by standard input, secrets by their own variables. */
function ownerEnvironment(): NodeJS.ProcessEnv {
  const settings = new Set(describeSettings().map(({ env }) => env));
  const others = Object.entries(process.env).filter(([name]) => !settings.has(name));
  return { ...Object.fromEntries(others), [CONFIG_FILE_ENV]: STDIN };
}

function openLog(directory: string, log: string): number {
  try {
    return openSync(log, 'a', 0o600);
  } catch (error) {
    throw pinakesError('database.directory', { directory, reason: `${log}: ${systemReason(error)}` }, error);
  }
}

function readLines(log: string, offset: number): readonly string[] {
  try {
    const text = readFileSync(log).subarray(offset).toString('utf8').trimEnd();
    return text === '' ? [] : text.split('\n');
  } catch {
    return [];
  }
}

function hasExited(started: StartedOwner | null): boolean {
  return started === null || started.process.exitCode !== null;
}

/** A command that fails prints its error in JSON. A directory that is still in use may soon be free. */
function throwFailure(started: StartedOwner | null, log: string): void {
  const lines = started === null ? [] : readLines(log, started.logOffset);
  const line = lines.findLast((one) => one.startsWith(FAILURE_START));
  if (line === undefined) return;
  const { error } = JSON.parse(line) as { error: { readonly code: ErrorCode; readonly details: ErrorDetails } };
  if (error.code !== 'database.owned') throw pinakesError(error.code, error.details);
}

/** Lines of the log start with their time. */
const FAILURE_START = '{"error":';

/** The line of a stack trace that names the error. */
function lastLine(log: string, offset: number): string {
  const lines = readLines(log, offset);
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? 'it wrote nothing to its log';
}

const EXIT_TIMEOUT_MS = 26_000;
const EXIT_POLL_MS = 50;

/**
 * Asks a background owner to exit for one that stays, such as a server, which continues its runs. Returns when the owner has
 * exited or refuses to: then the lock names it.
 */
export async function takeOverDirectory(dataDir: string): Promise<void> {
  const socket = findOwnerSocket(dataDir);
  const found = await getOwnerInfo(socket).catch(() => null);
  if (found === null || !(await requestOwnerExit(socket, 'now').catch(() => true))) return;
  const untilMs = monotonicMs() + EXIT_TIMEOUT_MS;
  while (monotonicMs() < untilMs && isAlive(found.pid)) await sleep(EXIT_POLL_MS);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
