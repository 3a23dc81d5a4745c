// One owner per data directory: a second one is refused with the name of the first, and a killed owner frees it at once.

import { rmSync } from 'node:fs';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { runChild } from '../../support/run-child.ts';

const OWNER = new URL('./owner-process.ts', import.meta.url);

export interface OwnerTrial {
  /** The message with which the second owner was refused; null if it was not. */
  readonly rejection: string | null;
  readonly firstPid: number;
  readonly refusedInMs: number;
  /** From the exit of the killed owner until the directory can be opened again. */
  readonly freeInMs: number;
}

export async function ownerTrial(command: string): Promise<OwnerTrial> {
  const directory = temporaryDirectory();
  const { promise: open, resolve } = Promise.withResolvers<void>();
  const first = runChild(OWNER, { directory, command }, () => resolve());
  await Promise.race([open, first.ended]);

  const startedAt = performance.now();
  const rejection = await tryToOpen(directory);
  const refusedInMs = performance.now() - startedAt;

  first.kill();
  await first.ended;
  const free = performance.now();
  await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
  const freeInMs = performance.now() - free;
  rmSync(directory, { recursive: true });
  return { rejection, firstPid: first.pid, refusedInMs, freeInMs };
}

async function tryToOpen(directory: string): Promise<string | null> {
  try {
    await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
