// The heart of the write path: one transaction that accepts claims by their fence and writes all that follows from them.

import { OUTCOME_CODES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { JsonObject, KnownPage, Outcome, Settlement } from '../../port.ts';
import { hashBytes, keyBytes } from '../engine/codec.ts';
import { createTally, type Tally } from '../runs/tally.ts';
import { batch, keyed, type Engine, type Executor, type Value } from '../engine/engine.ts';
import type { MetLinks } from './enqueued-links-cache.ts';
import { offerUrls, refuseUrls, type OfferDeps, type RunFacts } from './enqueue-urls.ts';
import { holdToLimit, overflowing } from '../page-limit.ts';
import { writePages } from '../pages/write-pages.ts';

/**
 * The fence check. A row is ours while it is claimed under our fence: a lease that ended and was taken over has a
 * higher fence, one that ended and waits in the queue is not claimed. Either way the settlement is superseded.
 */
const accept = keyed(
  'frontier',
  ['version_id', 'url_key', 'fence'],
  batch(
    {
      version_id: 'int',
      url_key: 'bytes',
      fence: 'int',
      state: 'int',
      wake_in: 'int',
      outcome: 'int',
      reason: 'text',
      target_key: 'bytes',
      confirms: 'int',
    },
    `update frontier set state = r.state, worker = null, settled_fence = r.fence,
     wake_at = case when r.state = 2 then now_ms() + r.wake_in end,
     outcome = case when r.state = 2 then frontier.outcome else r.outcome end, reason = r.reason, target_key = r.target_key, confirms = r.confirms,
     settled_at = case when r.state = 2 then frontier.settled_at else now_ms() end
   from {rows} r
   where frontier.version_id = r.version_id and frontier.url_key = r.url_key and frontier.state = 1 and frontier.fence = r.fence`,
  ),
);

export interface SettleDeps extends OfferDeps {
  readonly engine: Engine;
  readonly met: MetLinks;
}

export async function settleClaims(
  deps: SettleDeps,
  given: readonly Settlement[],
): Promise<ReadonlyArray<'settled' | 'superseded'>> {
  const runs = new Map<number, RunFacts>();
  for (const { claim } of given) runs.set(claim.run, await deps.facts.ofRun(claim.run));
  const settlements = given.map((each) => deps.met.unmet(each, runs.get(each.claim.run)?.again === false));
  await deps.facts.learnHosts(settlements.flatMap(({ links, refused }) => [...links, ...refused]));
  const accepted = await settleAll(deps, settlements, runs);
  deps.met.remember(accepted);
  const settled = new Set(accepted);
  return settlements.map((settlement) => (settled.has(settlement) ? 'settled' : 'superseded'));
}

/** Returns those whose fence held. */
async function settleAll(
  deps: SettleDeps,
  settlements: readonly Settlement[],
  runs: ReadonlyMap<number, RunFacts>,
): Promise<readonly Settlement[]> {
  return deps.engine.transaction(async (tx) => {
    const accepted = await acceptFences(tx, settlements);
    const tally = createTally();
    const { kept, full } = await holdToLimit(tx, tally, accepted);
    await writePages(tx, deps.parts, kept);
    for (const ofRuns of runs.values()) {
      const run = ofRuns.isRetry ? { ...ofRuns, again: false } : ofRuns;
      const ofRun = accepted.filter(({ claim }) => claim.run === run.run);
      await offerUrls(tx, deps, { run, tally }, full.has(run.run) ? [] : ofRun.flatMap(({ links }) => links));
      await refuseUrls(
        tx,
        deps.facts,
        { run, tally },
        ofRun.flatMap((settlement) => (full.has(run.run) ? overflowing(settlement) : settlement.refused)),
      );
    }
    for (const settlement of kept) tallyOutcome(tally, settlement);
    await tally.write(tx);
    return accepted;
  });
}

/** A batch may hold an older and a newer claim of one URL, or the same one twice: each acceptance is given once. */
async function acceptFences(tx: Executor, settlements: readonly Settlement[]): Promise<readonly Settlement[]> {
  const inKeyOrder = settlements
    .map((settlement) => ({ settlement, row: acceptRow(settlement) }))
    .sort((a, b) => Buffer.compare(a.row[1] as Uint8Array, b.row[1] as Uint8Array));
  const taken = await tx.changed(
    accept,
    inKeyOrder.map(({ row }) => row),
  );
  const left = new Set(inKeyOrder.filter((_, i) => taken[i]).map(({ settlement }) => claimName(settlement)));
  return settlements.filter((settlement) => left.delete(claimName(settlement)));
}

function claimName({ claim }: Settlement): string {
  return `${claim.version} ${claim.fence} ${claim.url}`;
}

function acceptRow({ claim, outcome }: Settlement): Value[] {
  const retry = outcome.kind === 'retry';
  const name = outcomeNameOf(outcome, claim.known);
  return [
    claim.version,
    keyBytes(claim.url),
    claim.fence,
    retry ? 2 : 3,
    retry ? outcome.inMs : 0,
    name === null ? null : OUTCOME_CODES[name],
    reasonOf(outcome),
    targetOf(outcome, claim.known),
    name === 'missing' ? OUTCOME_CODES[confirmedAs(outcome)] : null,
  ];
}

function targetOf(outcome: Outcome, known: KnownPage | null): Uint8Array | null {
  if (outcome.kind === 'moved') return keyBytes(outcome.to);
  const stays = outcome.kind === 'unchanged' || outcome.kind === 'fresh';
  return stays && isAlias(known) ? hashBytes(known.aliasOf) : null;
}

/** What a missing URL will be once the end of its run confirms it. */
function confirmedAs(outcome: Outcome): 'gone' | 'moved' | 'skipped' {
  return outcome.kind === 'moved' || outcome.kind === 'skipped' ? outcome.kind : 'gone';
}

function isAlias(known: KnownPage | null): known is KnownPage & { readonly aliasOf: string } {
  return known !== null && known.aliasOf !== null;
}

/** A folded page that did not change is the same alias as before. */
function stayedAs(known: KnownPage | null): OutcomeName {
  return isAlias(known) ? 'moved' : 'unchanged';
}

function outcomeNameOf(outcome: Outcome, known: KnownPage | null): OutcomeName | null {
  switch (outcome.kind) {
    case 'indexed':
      return known === null ? 'new' : 'changed';
    case 'retry':
      return null;
    case 'unchanged':
    case 'fresh':
      return stayedAs(known);
    case 'missing':
    case 'gone':
    case 'moved':
    case 'skipped':
      return known === null ? outcome.kind : 'missing';
    case 'failed':
      return outcome.kind;
  }
}

function reasonOf(outcome: Outcome): string | null {
  return 'reason' in outcome ? outcome.reason : null;
}

function tallyOutcome(tally: Tally, { claim, outcome, bytes }: Settlement): void {
  const name = outcomeNameOf(outcome, claim.known);
  tally.count(claim.run, 'bytes', bytes);
  if (name !== null) tally.count(claim.run, name, 1);
  tally.tell({
    source: claim.source,
    run: claim.run,
    kind: name ?? 'retry',
    url: claim.url,
    detail: eventDetail(outcome, claim.url),
  });
}

/** How long a fetched page took to arrive; files have no such figure. */
function timing({ totalMs }: JsonObject): JsonObject {
  return typeof totalMs === 'number' ? { ms: totalMs } : {};
}

function eventDetail(outcome: Outcome, url: PageUrl): JsonObject {
  switch (outcome.kind) {
    case 'indexed':
      return { chunks: outcome.chunks.length, ...timing(outcome.page.facts) };
    case 'moved':
      return { to: outcome.to === url ? null : outcome.to };
    case 'retry':
      return { reason: outcome.reason, inMs: outcome.inMs };
    case 'fresh':
    case 'missing':
    case 'gone':
    case 'skipped':
    case 'failed':
      return { reason: outcome.reason };
    case 'unchanged':
      return {};
  }
}
