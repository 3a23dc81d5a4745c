// Opens the next level of a run with a maximum depth. A level is complete before the next one begins, so that the depth of
// each URL is that of its shortest path, whichever page responded first.

import type { RunLease } from '../../port.ts';
import type { Engine } from '../engine/engine.ts';
import { RETRY_PRIORITY, URL_STATE } from '../engine/states.ts';
import { holdsLease } from '../runs/run-row.ts';
import type { WakeHosts } from './host-schedule.ts';

const start = `update runs set open_depth = 0 where id = $1 and open_depth is null`;
const selectOpen = `select open_depth from runs where id = $1`;

/** A URL that is retried may take long: the next level does not wait for it. */
const selectUnfetched = `select 1 as one from frontier where run_id = $1 and state = ${URL_STATE.queued} and priority <= $2 limit 1`;
const selectClaimed = `select 1 as one from frontier where due_at is not null and state = ${URL_STATE.claimed} and run_id = $1 and depth <= $2 and attempts = 1 limit 1`;
const selectNext = `select min(priority) as depth from frontier where run_id = $1 and state = ${URL_STATE.queued} and priority < ${RETRY_PRIORITY}`;

const open = `update runs set open_depth = $2 where id = $1`;
const selectHosts = `select host_id from host_queues where run_id = $1 order by host_id`;

export async function openLevel(
  { engine, wakeHosts }: { readonly engine: Engine; readonly wakeHosts: WakeHosts },
  lease: RunLease,
): Promise<void> {
  const { id } = lease.run;
  const [row] = await engine.reader.all<{ open_depth: number | null }>(selectOpen, [id]);
  const depth = row?.open_depth ?? null;
  if (depth === null) return void (await engine.transaction((tx) => tx.all(start, [id])));
  if ((await engine.reader.all(selectUnfetched, [id, depth])).length > 0) return;
  if ((await engine.reader.all(selectClaimed, [id, depth])).length > 0) return;
  await engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return;
    const [next] = await tx.all<{ depth: number | null }>(selectNext, [id]);
    if (next?.depth == null || next.depth <= depth) return;
    await tx.all(open, [id, next.depth]);
    const hosts = await tx.all<{ host_id: number }>(selectHosts, [id]);
    await wakeHosts(
      tx,
      id,
      hosts.map(({ host_id }) => host_id),
    );
  });
}
