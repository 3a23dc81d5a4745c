// Tells claimers that hosts have queued URLs of a run.
//
// A host that had nothing to give is looked at ever more rarely, up to IDLE_MAX_MS. An offer wakes it. Where an offer and
// a look in vain cross, the offer saw a host that was not idle, so the look's wait was the first and shortest one: the new
// URL is found IDLE_FIRST_MS later. No lock is needed for that, and nothing can be forgotten for longer.

import { batch, keyed, type Executor } from '../engine/engine.ts';

const IDLE_FIRST_MS = 250;
const IDLE_MAX_MS = 30_000;

export function nextIdle(idleMs: number): number {
  return Math.min(IDLE_MAX_MS, Math.max(IDLE_FIRST_MS, idleMs * 2));
}

/** The same in SQL, for a host's own column. */
export const NEXT_IDLE = `least(${IDLE_MAX_MS}, greatest(${IDLE_FIRST_MS}, idle_ms * 2))`;

const addLanes = keyed(
  'lanes',
  ['host_id'],
  batch(
    { host_id: 'int' },
    `insert into lanes (run_id, host_id) select $1, r.host_id from {rows} r where true on conflict do nothing`,
    ['int'],
  ),
);
/** Always writes: it must wait for a claimer that is about to find the host without lanes. */
const feed = batch({ host_id: 'int' }, `update hosts set hungry = true from {rows} r where hosts.id = r.host_id`);
const wake = batch(
  { host_id: 'int' },
  `update hosts set ready_at = next_at, idle_ms = 0 from {rows} r where hosts.id = r.host_id and idle_ms > 0`,
);

/** `hosts` in ascending order, so that two transactions take their locks in the same order. */
export type WakeHosts = (tx: Executor, run: number, hosts: readonly number[]) => Promise<void>;

const REMEMBERED_RUNS = 100;

/** A worker that joins a run learns its lanes at once instead of finding them one by one. */
async function lanesOf(tx: Executor, run: number): Promise<Set<number>> {
  const rows = await tx.all<{ host_id: number }>(`select host_id from lanes where run_id = $1`, [run]);
  return new Set(rows.map((row) => row.host_id));
}

/** A lane lives as long as its run, so each process remembers the lanes that were there before it looked. */
export function createWakeHosts(): WakeHosts {
  const seen = new Map<number, Set<number>>();
  return async (tx, run, hosts) => {
    const lanes = seen.get(run) ?? (await lanesOf(tx, run));
    if (seen.size >= REMEMBERED_RUNS && !seen.has(run)) seen.clear();
    seen.set(run, lanes);
    const unknown = hosts.filter((host) => !lanes.has(host));
    const added = await tx.changed(
      addLanes,
      unknown.map((host) => [host]),
      [run],
    );
    await tx.each(
      feed,
      unknown.filter((_, i) => added[i]).map((host) => [host]),
    );
    for (const host of unknown.filter((_, i) => !added[i])) lanes.add(host);
    await tx.each(
      wake,
      hosts.map((host) => [host]),
    );
  };
}
