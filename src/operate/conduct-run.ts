// Conducts one run from its first URL to its end state, under its lease. Any worker may claim the run's URLs meanwhile;
// only the conductor seeds it and ends it.

import type { EndedRunState } from '../core/model/run.ts';
import type { Run, RunLease } from '../store/port.ts';
import { admitUrls } from './admit-links.ts';
import type { RobotsKeeper } from './robots-keeper.ts';
import type { RulesOf } from './run-rules.ts';
import type { CrawlLimits, CrawlStages } from './stages.ts';
import { waitFor } from './wait-for.ts';

export interface ConductDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly robots: RobotsKeeper;
  readonly rulesOf: RulesOf;
}

const LOOK_EVERY_MS = 100;
const PIECE = 1000;

/** Returns when the run ended, was paused, or its lease was lost. */
export async function conductRun(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  if (lease.run.state === 'running' && lease.run.counts.found === 0) await seed(lease, deps, signal);
  let renewAt = performance.now() + deps.limits.renewMs;
  while (!signal.aborted) {
    if (performance.now() >= renewAt) {
      if (!(await store.runs.renew(lease, deps.limits.leaseMs))) return;
      renewAt = performance.now() + deps.limits.renewMs;
    }
    const run = await store.runs.byId(lease.run.id);
    if (run === null || run.endedAt !== null || run.state === 'paused') break;
    if (run.state === 'stopping') while ((await store.runs.dropUnasked(lease, 'stopped', PIECE)) > 0);
    if ((await store.frontier.drained(run.id)) && (await finish(lease, run, deps))) return;
    await waitFor(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
  await store.runs.release(lease);
}

/** A kill between seeding and claiming loses nothing: the next conductor finds the run empty and seeds it again. */
async function seed(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  const { run } = lease;
  const rules = await deps.rulesOf(run.id);
  await deps.robots.accessFor(rules.start, signal);
  const start = { href: rules.start, depth: 0, foundBy: 'seed' as const, parent: null };
  const admitted = admitUrls([start], rules, deps.robots);
  await store.frontier.refuse(run.id, admitted.refused);
  if (run.mode !== 'full')
    for (let after: string | null = null; ;) {
      after = await store.frontier.offerKnown(run.id, after, PIECE);
      if (after === null) break;
    }
  await store.frontier.offer(run.id, admitted.links);
}

async function finish(lease: RunLease, seen: Run, { stages: { store } }: ConductDeps): Promise<boolean> {
  while ((await store.frontier.confirmMissing(lease, PIECE)) > 0);
  const run = (await store.runs.byId(seen.id)) ?? seen;
  const end = endOf(run);
  return store.runs.finish(lease, end.state, end.reason);
}

function endOf(run: Run): { state: EndedRunState; reason: string | null } {
  const { found, failed, refused, skipped } = run.counts;
  if (run.state === 'stopping') return { state: 'stopped', reason: 'on request' };
  if (found === 0)
    return { state: 'failed', reason: refused > 0 ? 'the start URL was refused' : 'there was nothing to ask' };
  if (failed > 0) return { state: 'partial', reason: `${failed} of ${found} URLs failed` };
  return { state: 'completed', reason: skipped > 0 ? `${skipped} pages were left out` : null };
}
