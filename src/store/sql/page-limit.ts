// Holds a run to its limit of pages, exactly, whatever the number of workers: the run's row is locked while they are counted.
//
// What comes too late is refused as overflow. A page that is known already stays in the library, and is only not looked at.

import { OUTCOME_CODES } from '../../core/model/outcome.ts';
import type { Outcome, Refusal, RunLease, Settlement } from '../port.ts';
import { keyBytes } from './engine/codec.ts';
import { holdsLease } from './holds-lease.ts';
import { createTally, type Tally } from './runs/tally.ts';
import { batch, type Engine, type Executor } from './engine/engine.ts';

/** Writing the row to itself takes its lock on either engine. */
const lockRun = `update runs set fence = fence where id = $1 returning n_new + n_changed + n_unchanged as stored`;

const setAside = batch(
  { version_id: 'int', url_key: 'bytes', known: 'bool' },
  `update frontier set state = case when r.known then 3 else 4 end, worker = null, wake_at = null, target_key = null, reason = $1,
     outcome = case when r.known then ${OUTCOME_CODES.dropped} else ${OUTCOME_CODES.refused} end,
     settled_at = now_ms(), settled_fence = frontier.fence
   from {rows} r where frontier.version_id = r.version_id and frontier.url_key = r.url_key returning 1 as one`,
  ['text'],
);

export interface Limited {
  /** What is settled as it came. */
  readonly kept: readonly Settlement[];
  /** Runs that take no more pages. */
  readonly full: ReadonlySet<number>;
}

/** Outcomes after which the page is there. */
const STORED: ReadonlySet<Outcome['kind']> = new Set(['indexed', 'unchanged', 'fresh']);

/** `accepted` have passed their fences. */
export async function holdToLimit(tx: Executor, tally: Tally, accepted: readonly Settlement[]): Promise<Limited> {
  const full = new Set<number>();
  const late = new Set<Settlement>();
  for (const [run, ofRun] of Map.groupBy(accepted, ({ claim }) => claim.run)) {
    const limit = ofRun.find(({ pageLimit }) => pageLimit !== undefined)?.pageLimit;
    if (limit === undefined) continue;
    const [row] = await tx.all<{ stored: number }>(lockRun, [run]);
    let left = limit.pages - (row?.stored ?? 0);
    for (const settlement of ofRun) {
      if (!STORED.has(settlement.outcome.kind)) continue;
      if (left > 0) left -= 1;
      else late.add(settlement);
    }
    if (left <= 0) full.add(run);
    await setLateAside(tx, tally, { run, reason: limit.reason, late: ofRun.filter((one) => late.has(one)) });
  }
  return { kept: accepted.filter((settlement) => !late.has(settlement)), full };
}

async function setLateAside(
  tx: Executor,
  tally: Tally,
  { run, reason, late }: { readonly run: number; readonly reason: string; readonly late: readonly Settlement[] },
): Promise<void> {
  const rows = late.map(({ claim }) => [claim.version, keyBytes(claim.url), claim.known !== null] as const);
  await tx.each(setAside, rows, [reason]);
  tallyAside(tally, run, { known: rows.filter((row) => row[2]).length, unknown: rows.filter((row) => !row[2]).length });
  for (const { claim, bytes } of late) {
    const kind = claim.known === null ? 'refused' : 'dropped';
    tally.count(run, 'bytes', bytes);
    tally.tell({ source: claim.source, run, kind, url: claim.url, detail: { reason } });
  }
}

/** A refused URL was never accepted, so it is not found either. */
function tallyAside(tally: Tally, run: number, aside: { readonly known: number; readonly unknown: number }): void {
  tally.count(run, 'dropped', aside.known);
  tally.count(run, 'found', -aside.unknown);
  tally.count(run, 'refused', aside.unknown);
}

/** Links that a full run meets. */
export function overflowing({ links, refused, pageLimit }: Settlement): readonly Refusal[] {
  const reason = pageLimit?.reason ?? 'overflow';
  return [...refused, ...links.map(({ url, depth, foundBy, parent }) => ({ url, depth, foundBy, parent, reason }))];
}

/** Two statements, because each partial index answers one state. */
const unasked = (state: string): string =>
  `select version_id, url_key, exists (select 1 from pages where pages.version_id = frontier.version_id and pages.url_key = frontier.url_key) as known
   from frontier where run_id = $1 and ${state} limit $2`;
const queued = unasked('state = 0');
const waiting = unasked('state = 2 and wake_at is not null');

export async function overflow(engine: Engine, lease: RunLease, reason: string, limit: number): Promise<number> {
  const { run } = lease;
  return engine.transaction(async (tx) => {
    if (!(await holdsLease(tx, lease))) return 0;
    interface Row {
      readonly version_id: number;
      readonly url_key: Uint8Array;
      readonly known: boolean | number;
    }
    const found = await tx.all<Row>(queued, [run.id, limit]);
    if (found.length < limit) found.push(...(await tx.all<Row>(waiting, [run.id, limit - found.length])));
    const rows = found.map((row) => [row.version_id, row.url_key, Boolean(row.known)] as const);
    await tx.each(setAside, rows, [reason]);
    const tally = createTally();
    tallyAside(tally, run.id, {
      known: rows.filter((row) => row[2]).length,
      unknown: rows.filter((row) => !row[2]).length,
    });
    await tally.write(tx);
    return rows.length;
  });
}
