// Aliases that lead in a circle: two pages that each call the other the original, or redirects that never end. One URL of
// each circle is asked again, with the knowledge that others lead to it.

import type { RunLease } from '../../port.ts';
import { holdsLease } from '../holds-lease.ts';
import { createTally } from '../runs/tally.ts';
import { batch, type Engine } from '../engine/engine.ts';
import type { WakeHosts } from './host-schedule.ts';

/** Longer circles are not looked for; redirects are followed less far. */
const STEPS = 12;

/** The lowest URL of each circle. Most aliases lead to a page, so most trails end after one step. */
const circles = `with recursive trail (origin, at, low, steps) as (
    select url_key, target_key, url, 1 from frontier where version_id = $1 and run_id = $2 and state = 3 and outcome = 6
    union all
    select t.origin, f.target_key, case when f.url < t.low then f.url else t.low end, t.steps + 1 from trail t
      join frontier f on f.version_id = $1 and f.url_key = t.at
      where f.run_id = $2 and f.state = 3 and f.outcome = 6 and t.at <> t.origin and t.steps < ${STEPS}
  )
  select f.url_key from trail t join frontier f on f.version_id = $1 and f.url_key = t.origin
  where t.at = t.origin and t.low = f.url order by f.url_key limit $3`;

const askAgain = batch(
  { url_key: 'bytes' },
  `update frontier set state = 0, attempts = 0, crashes = 0, hops = frontier.hops + 1 from {rows} r
   where frontier.version_id = $1 and frontier.url_key = r.url_key and frontier.run_id = $2 and frontier.state = 3
   returning frontier.host_id`,
  ['int', 'int'],
);

export async function untangle(
  deps: { readonly engine: Engine; readonly wakeHosts: WakeHosts },
  lease: RunLease,
  limit: number,
): Promise<number> {
  const { run } = lease;
  return deps.engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return 0;
    const found = await tx.all<{ url_key: Uint8Array }>(circles, [run.version, run.id, limit]);
    const queued = await tx.each<{ host_id: number }>(
      askAgain,
      found.map(({ url_key }) => [url_key]),
      [run.version, run.id],
    );
    if (queued.length === 0) return 0;
    const hosts = [...new Set(queued.map((row) => row.host_id))].sort((a, b) => a - b);
    await deps.wakeHosts(tx, run.id, hosts);
    const tally = createTally();
    tally.count(run.id, 'moved', -queued.length);
    await tally.write(tx);
    return queued.length;
  });
}
