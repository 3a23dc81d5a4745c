// One owner a data directory: a second is refused and told of the first, and a killed owner leaves it free at once.

import { rmSync } from 'node:fs';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, temporaryDirectory, thisOwner } from '../support/stores.ts';
import { runChild } from '../zombies/run-child.ts';

const OWNER = new URL('./owner-process.ts', import.meta.url);

export interface OwnerTrial {
  /** The sentence that the second owner was refused with; null when it was let in. */
  readonly refusal: string | null;
  readonly firstPid: number;
  readonly refusedInMs: number;
  /** From the end of the killed owner to the directory being open again. */
  readonly freeInMs: number;
}

export async function ownerTrial(command: string): Promise<OwnerTrial> {
  const directory = temporaryDirectory();
  const { promise: open, resolve } = Promise.withResolvers<void>();
  const first = runChild(OWNER, { directory, command }, () => resolve());
  await Promise.race([open, first.ended]);

  const asked = performance.now();
  const refusal = await refusalOf(directory);
  const refusedInMs = performance.now() - asked;

  first.kill();
  await first.ended;
  const free = performance.now();
  await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
  const freeInMs = performance.now() - free;
  rmSync(directory, { recursive: true });
  return { refusal, firstPid: first.pid, refusedInMs, freeInMs };
}

async function refusalOf(directory: string): Promise<string | null> {
  try {
    await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
