// The page limit of a run is exact, whatever the number of workers: the run's row is locked while pages are counted. A new page
// over the limit is excluded; a stored one stays in the library and is only dropped from the run.

import { OUTCOME_CODES } from '../../../core/model/outcome.ts';
import type { Exclusion, Outcome, Settlement } from '../../port/frontier.ts';
import type { RunLease } from '../../port/runs.ts';
import { keyBytes } from '../engine/codec.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { createTransactionTail, type TransactionTail } from '../runs/transaction-tail.ts';
import { walkUnfetched } from './walk-unfetched.ts';

/** Writing the row to itself takes its lock on either engine. */
const lockRun = `update runs set fence = fence where id = $1 returning n_new + n_changed + n_unchanged as stored`;

const settleOverLimit = (...states: readonly number[]) =>
  batch(
    { version_id: 'int', url_key: 'bytes', has_page: 'bool' },
    `update frontier set state = case when r.has_page then ${URL_STATE.settled} else ${URL_STATE.excluded} end, worker = null, due_at = null, target_key = null, reason = $1,
     outcome = case when r.has_page then ${OUTCOME_CODES.dropped} else ${OUTCOME_CODES.excluded} end,
     settled_at = now_ms(), settled_fence = frontier.fence
   from {rows} r where frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state in (${states.join(', ')})
   returning frontier.url, frontier.depth, frontier.outcome`,
    ['text'],
  );
/** The transaction has just settled them. */
const settleAcceptedOverLimit = settleOverLimit(URL_STATE.settled);
/** Not those that a worker claimed after they were read: it settles them, and they are counted once. */
const settleUnfetchedOverLimit = settleOverLimit(URL_STATE.queued, URL_STATE.waiting);

interface PageLimitResult {
  /** Settled with the outcome that they came with. */
  readonly withinLimit: readonly Settlement[];
  /** Runs that accept no more pages. */
  readonly full: ReadonlySet<number>;
}

/** Outcomes after which the page is stored. */
export const STORING_KINDS: ReadonlySet<Outcome['kind']> = new Set(['indexed', 'unchanged', 'fresh']);

/** `accepted` have passed the fence check. */
export async function applyPageLimit(
  tx: Executor,
  tail: TransactionTail,
  accepted: readonly Settlement[],
): Promise<PageLimitResult> {
  const full = new Set<number>();
  const overLimit = new Set<Settlement>();
  for (const [run, settlementsOfRun] of Map.groupBy(accepted, ({ claim }) => claim.run)) {
    const limit = settlementsOfRun.find(({ pageLimit }) => pageLimit !== undefined)?.pageLimit;
    if (limit === undefined) continue;
    const [row] = await tx.all<{ stored: number }>(lockRun, [run]);
    let remaining = limit.pages - (row?.stored ?? 0);
    for (const settlement of settlementsOfRun) {
      if (!STORING_KINDS.has(settlement.outcome.kind)) continue;
      if (remaining > 0) remaining -= 1;
      else overLimit.add(settlement);
    }
    if (remaining <= 0) full.add(run);
    await settleOverLimitPages(tx, tail, {
      run,
      reason: limit.reason,
      overLimit: settlementsOfRun.filter((settlement) => overLimit.has(settlement)),
    });
  }
  return { withinLimit: accepted.filter((settlement) => !overLimit.has(settlement)), full };
}

async function settleOverLimitPages(
  tx: Executor,
  tail: TransactionTail,
  {
    run,
    reason,
    overLimit,
  }: { readonly run: number; readonly reason: string; readonly overLimit: readonly Settlement[] },
): Promise<void> {
  const rows = overLimit.map(({ claim }) => [claim.version, keyBytes(claim.url), claim.previous !== null] as const);
  await tx.each(settleAcceptedOverLimit, rows, [reason]);
  tallyOverLimit(
    tail,
    run,
    rows.map(([, , hasPage]) => hasPage),
  );
  for (const { claim, bytes } of overLimit) {
    tail.count(run, 'bytes', bytes);
    const { url, depth, previous, source } = claim;
    tail.dropped({ run: claim.run, source }, { url, outcome: overLimitOutcome(previous !== null), depth, reason });
  }
}

/** Only a stored page was accepted before the run was full. */
function overLimitOutcome(hasPage: boolean): 'excluded' | 'dropped' {
  return hasPage ? 'dropped' : 'excluded';
}

/** An excluded URL was never accepted, so it does not count as found either. */
function tallyOverLimit(tail: TransactionTail, run: number, havePage: readonly boolean[]): void {
  const dropped = havePage.filter(Boolean).length;
  const excluded = havePage.length - dropped;
  tail.count(run, 'dropped', dropped);
  tail.count(run, 'found', -excluded);
  tail.count(run, 'excluded', excluded);
}

/** In a run that is full, links are excluded instead of enqueued. */
export function overflowExclusions({ links, excluded, pageLimit }: Settlement): readonly Exclusion[] {
  const reason = pageLimit?.reason ?? 'overflow';
  return [...excluded, ...links.map(({ url, depth, foundBy, parent }) => ({ url, depth, foundBy, parent, reason }))];
}

export function excludeOverflow(engine: Engine, lease: RunLease, reason: string): Promise<number> {
  return walkUnfetched(engine, lease, async (tx, unfetched) => {
    const keys = unfetched.map((row) => [row.version_id, row.url_key, Boolean(row.has_page)]);
    const settled = await tx.each<{ url: string; depth: number; outcome: number }>(settleUnfetchedOverLimit, keys, [
      reason,
    ]);
    const outcomes = settled.map(({ url, depth, outcome }) => ({
      url,
      depth,
      outcome: overLimitOutcome(outcome === OUTCOME_CODES.dropped),
    }));
    const tail = createTransactionTail();
    const { id: run, source } = lease.run;
    tallyOverLimit(
      tail,
      run,
      outcomes.map(({ outcome }) => outcome === 'dropped'),
    );
    for (const one of outcomes) tail.dropped({ run, source }, { ...one, reason });
    await tail.write(tx);
    return settled.length;
  });
}
