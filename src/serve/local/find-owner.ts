// Finds the process that owns a data directory, or starts one in the background.

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pinakesError } from '../../core/model/errors.ts';
import { askOwnerToEnd, greetOwner } from '../owner/owner-client.ts';
import type { OwnerGreeting } from '../owner/owner-protocol.ts';
import { ownerSocket } from './owner-socket.ts';

export interface FindOwnerDeps {
  readonly dataDir: string;
  readonly mine: Omit<OwnerGreeting, 'pid'>;
  /** The command that becomes an owner. */
  readonly command: readonly string[];
  readonly warn: (sentence: string) => void;
}

const LONGEST_MS = 20_000;
const LOOK_EVERY_MS = 25;
const LOG_BYTES = 10_000_000;
const TRIES = 20;

/**
 * Returns when an owner with the same program listens. One with other settings is replaced, unless it is busy. Raises
 * `owner.differs` or `owner.silent`.
 */
export async function findOwner({ dataDir, mine, command, warn }: FindOwnerDeps): Promise<void> {
  const socket = ownerSocket(dataDir);
  const log = join(dataDir, 'pinakes.log');
  const deadline = performance.now() + LONGEST_MS;
  let started: ChildProcess | null = null;
  let tries = 0;
  while (performance.now() < deadline && tries <= TRIES) {
    const found = await greetOwner(socket).catch(() => null);
    if (found !== null && fits(found, mine)) return;
    if (found !== null && !(await askOwnerToEnd(socket, 'idle'))) {
      if (found.version !== mine.version)
        throw pinakesError('owner.differs', { pid: found.pid, version: found.version });
      warn(
        `process ${found.pid} is busy on this data directory with other settings, which are used for this command too`,
      );
      return;
    }
    // One that did not get the directory ends at once; the one before it may be about to give it up.
    if (found === null && (started === null || started.exitCode !== null)) {
      started = startOwner(dataDir, log, command);
      tries += 1;
    }
    await wait(LOOK_EVERY_MS);
  }
  throw pinakesError('owner.silent', { directory: dataDir, why: lastLine(log), log });
}

function fits(found: OwnerGreeting, mine: Omit<OwnerGreeting, 'pid'>): boolean {
  return found.version === mine.version && found.settings === mine.settings;
}

/** It outlives its starter; what it has to say is in a file, since nobody watches it. */
function startOwner(dataDir: string, log: string, [program = '', ...args]: readonly string[]): ChildProcess {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = openSync(log, 'a', 0o600);
  if (statSync(log).size > LOG_BYTES) truncateSync(log);
  const child = spawn(program, args, { detached: true, stdio: ['ignore', file, file], cwd: dataDir });
  child.on('error', () => undefined);
  child.unref();
  closeSync(file);
  return child;
}

function lastLine(log: string): string {
  try {
    const line = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    return line === '' ? 'it says nothing' : line;
  } catch {
    return 'it could not be started';
  }
}
