// Clients that disconnect in different ways. What they leave behind is counted.

import { globSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from './program.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, thisOwner } from './stores.ts';
import { startStdio } from './stdio-client.ts';

const CONCURRENCY = 4;

/** Every second one is killed: before its first message, or during a call. */
export async function connectAndDisconnect(settings: Settings, clients: number): Promise<void> {
  for (let done = 0; done < clients; done += CONCURRENCY)
    await Promise.all(
      Array.from({ length: Math.min(CONCURRENCY, clients - done) }, (_, i) => connectOnce(settings, done + i)),
    );
}

async function connectOnce(settings: Settings, nth: number): Promise<void> {
  const client = startStdio(settings);
  if (nth % 4 === 0) client.vanish();
  else {
    await client.begin();
    const call = client.request('tools/call', { name: 'list_sources', arguments: {} });
    call.catch(() => undefined);
    if (nth % 4 === 1) client.vanish();
    else {
      await call;
      await client.close();
    }
  }
  await client.ended;
}

/** Processes that use this data directory: clients have it in their environment, the owner as its working folder. */
export function processesOf(directory: string): number[] {
  return globSync('/proc/[0-9]*/environ').flatMap((file) => {
    try {
      const pid = Number(file.split('/')[2]);
      const uses =
        readFileSync(file, 'utf8').includes(`PINAKES_DATA_DIR=${directory}`) ||
        readlinkSync(`/proc/${pid}/cwd`) === directory;
      return pid !== process.pid && uses ? [pid] : [];
    } catch {
      return [];
    }
  });
}

/** Waits for the owner to become idle and exit, then counts what is left. */
export async function leftBehind(directory: string): Promise<{ processes: number; locks: number }> {
  const deadline = Date.now() + 30_000;
  while (processesOf(directory).length > 0 && Date.now() < deadline) await wait(100);
  let locks = 0;
  try {
    await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
  } catch {
    locks = 1;
  }
  return { processes: processesOf(directory).length, locks };
}
