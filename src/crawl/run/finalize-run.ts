// The end of a drained run: what is proven gone goes, pages that are one are folded, pages that stand again are made
// again, and the run says how it went. Each step may be repeated after a kill.

import type { RunLease } from '../../store/port.ts';
import { foldPages } from '../../operate/fold-pages.ts';
import { keepCarriedVectors } from '../../operate/keep-carried-vectors.ts';
import type { LocalSourceOf } from '../files/open-local-source.ts';
import { remakePages, type RemakeRules } from './reprocess-pages.ts';
import { runEnd } from '../../operate/run-end.ts';
import type { GivenUp } from './run-limits.ts';
import type { RulesOf } from '../context/run-rules.ts';
import type { CrawlStages } from '../context/ports.ts';
import { sweepMissing } from '../../operate/sweep-missing.ts';

/** A page that is made again may say what another says. */
const MOST_FOLDS = 3;

export interface EndRules {
  readonly isLocal: boolean;
  readonly remake: RemakeRules;
  readonly gaveUp: GivenUp | null;
}

interface EndDeps {
  readonly stages: CrawlStages;
  readonly rulesOf: RulesOf;
  readonly localSourceOf: LocalSourceOf;
}

/** False where the run has work again, or is no longer ours. */
export async function endRun(
  lease: RunLease,
  { stages, rulesOf, localSourceOf }: EndDeps,
  { isLocal, remake, gaveUp }: EndRules,
  signal: AbortSignal,
): Promise<boolean> {
  const { store } = stages;
  const confirmRemovals = !isLocal && (await rulesOf(lease.run.id)).settings.confirmRemovals;
  // Whoever gave up has proven nothing about what is missing.
  if (gaveUp === null) await sweepMissing(lease, store, { isLocal, confirmRemovals });
  // A file that is gone by now brings no vectors; the texts are embedded here then.
  const bundle = isLocal ? await localSourceOf(lease.run.id).catch(() => null) : null;
  if (bundle !== null) await keepCarriedVectors(bundle, lease.run.version, store);
  if (!isLocal) {
    for (let fold = 0; fold < MOST_FOLDS; fold += 1) {
      await foldPages(lease, store);
      if ((await remakePages(lease, stages, remake, signal)) === 0) break;
    }
  }
  const run = (await store.runs.byId(lease.run.id)) ?? lease.run;
  const commonest = async (outcome: Parameters<typeof store.frontier.reasons>[1]) =>
    (await store.frontier.reasons(run.id, outcome, 1))[0] ?? null;
  const end = gaveUp ?? (await runEnd(run, commonest, isLocal));
  return store.runs.finish(lease, end.state, end.reason);
}
