// When hosts are due: the spacing of their request slots, the back-off of idle hosts, and waking them for new URLs.
//
// A host with empty queues is polled with exponential back-off, up to IDLE_MAX_MS. Enqueueing wakes it. Where an enqueue and an
// empty poll cross, the enqueue saw a host that was not idle, so the poll set the first and shortest back-off: the new URL is
// found IDLE_FIRST_MS later. That needs no lock, and no URL is overlooked for longer.

import { createLruCache } from '../../../core/lru-cache.ts';
import { batch, keyed, type Executor } from '../engine/engine.ts';
import type { Announcer } from '../engine/wakeups.ts';

/**
 * Slots are spaced by the host's delay plus 10 %. A worker may be late for its slot by a tenth of the delay, then it gives the
 * slot up. So two requests are never closer together than the delay, although no process knows when another one really sends.
 */
export function slotSpacingMs(delayMs: number): number {
  return delayMs + Math.floor(delayMs / 10);
}

/** The same in SQL, for a host's own column. Both engines round integer division down. */
export const SLOT_SPACING_SQL = `(delay_ms + delay_ms / 10)`;

/** Files on disk have no host. A machine that shares its database has one for its own files. */
export function localHostOf(machine: string | null): string {
  return machine === null ? 'file' : `${MACHINE_PREFIX}${machine}`;
}

/** No host of a URL begins with it. */
export const MACHINE_PREFIX = 'file@';

const IDLE_FIRST_MS = 250;
const IDLE_MAX_MS = 30_000;

/** A host that a run with a limited concurrency uses has URLs that no worker may claim yet: the limit is not announced when it is free. */
export const LIMITED_IDLE_MS = 100;

export function nextIdleMs(idleMs: number): number {
  return Math.min(IDLE_MAX_MS, Math.max(IDLE_FIRST_MS, idleMs * 2));
}

/** The same in SQL, for a host's own column. */
export const NEXT_IDLE_SQL = `least(${IDLE_MAX_MS}, greatest(${IDLE_FIRST_MS}, idle_ms * 2))`;

const addHostQueues = keyed(
  'host_queues',
  ['host_id'],
  batch(
    { host_id: 'int' },
    `insert into host_queues (run_id, host_id) select $1, r.host_id from {rows} r where true on conflict do nothing`,
    ['int'],
  ),
);
/** Always writes, so that it waits for a claimer that is about to find the host without queues. */
const markHasQueues = batch(
  { host_id: 'int' },
  `update hosts set has_queues = true from {rows} r where hosts.id = r.host_id`,
);
const wake = keyed(
  'hosts',
  ['id'],
  batch(
    { id: 'int' },
    `update hosts set ready_at = next_at, idle_ms = 0 from {rows} r where hosts.id = r.id and idle_ms > 0`,
  ),
);

/** Tells claimers that hosts have queued URLs of a run. `hosts` in ascending order, so that two transactions lock in the same order. */
export type WakeHosts = (tx: Executor, run: number, hosts: readonly number[]) => Promise<void>;

const MAX_CACHED_RUNS = 10_000;
const MAX_CACHED_QUEUES = 200_000;

/** Host queues of one run that are loaded. */
const MAX_LOADED_QUEUES = 10_000;

/** A worker that joins a run loads its queues in one statement instead of finding them one by one; those of very many hosts in part. */
async function loadHostQueues(tx: Executor, run: number): Promise<Set<number>> {
  const select = `select host_id from host_queues where run_id = $1 limit ${MAX_LOADED_QUEUES}`;
  const rows = await tx.all<{ host_id: number }>(select, [run]);
  return new Set(rows.map((row) => row.host_id));
}

/** A host queue lives as long as its run, so each process caches the queues that existed before its own insert. */
export function createWakeHosts(announcer: Announcer): WakeHosts {
  const queuesByRun = createLruCache<number, Set<number>>(MAX_CACHED_RUNS, MAX_CACHED_QUEUES);
  return async (tx, run, hosts) => {
    const queues = queuesByRun.get(run) ?? (await loadHostQueues(tx, run));
    const newHosts = hosts.filter((host) => !queues.has(host));
    const added = await tx.changed(
      addHostQueues,
      newHosts.map((host) => [host]),
      [run],
    );
    await tx.each(
      markHasQueues,
      newHosts.filter((_, i) => added[i]).map((host) => [host]),
    );
    // The queues of a run over very many hosts that find no room are inserted in vain each time.
    for (const host of newHosts.filter((_, i) => !added[i])) if (queues.size < MAX_CACHED_QUEUES) queues.add(host);
    queuesByRun.set(run, queues, queues.size);
    const woken = await tx.changed(
      wake,
      hosts.map((host) => [host]),
    );
    if (added.includes(true) || woken.includes(true)) announcer.announce('urls');
  };
}
