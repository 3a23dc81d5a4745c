// Finalizes a drained run: removes pages confirmed as deleted, deduplicates, reprocesses restored pages, and records
// the version that the source declares and the result. Each step is idempotent, so it may be repeated after a kill.

import { reasonLabel } from '../../core/outcome/reasons.table.ts';
import { failureAdvice } from '../../core/outcome/failure-advice.ts';
import { removalVerdict, type RemovalVerdict } from '../../core/outcome/removal-verdict.ts';
import { agreedVersion } from '../../core/extract/version-in-text.ts';
import { errorCatalog } from '../../core/model/errors.ts';
import { storedPages, type OutcomeName } from '../../core/model/outcome.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { pluralize } from '../../core/text/plural.ts';
import type { EndedRunState, VersionId } from '../../core/model/run.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { LoadRunRules } from '../context/run-rules.ts';
import { discardFiles } from '../archives/stored-archive.ts';
import { importBundleTables } from '../files/import-bundle.ts';
import type { OpenLocalSource } from '../files/open-local-source.ts';
import { storedVersionHints } from '../site/site-profile.ts';
import { dedupePages } from './dedupe-pages.ts';
import { reprocessPages, type ReprocessRules } from './reprocess-pages.ts';
import { isCutAtUrlLimit, reportUrlLimit, type AbortedRun } from './run-limits.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { Store } from '../../store/port.ts';
import type { OutcomeReason } from '../../store/port/frontier.ts';
import type { Run, RunLease } from '../../store/port/runs.ts';

/** A reprocessed page may become a duplicate of another. */
const MAX_DEDUPE_ROUNDS = 3;

export interface FinalizeOptions {
  readonly isLocal: boolean;
  readonly reprocess: ReprocessRules;
  readonly aborted: AbortedRun | null;
  /** Why its plan left out the rest of the queue; null if it did not. */
  readonly cutAt: string | null;
}

interface FinalizeDeps {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly report: ReportProblem;
  readonly loadRunRules: LoadRunRules;
  readonly openLocalSource: OpenLocalSource;
}

/** False if the run has work again, or its lease was lost. */
export async function finalizeRun(
  lease: RunLease,
  deps: FinalizeDeps,
  { isLocal, reprocess, aborted, cutAt }: FinalizeOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { ports, loadRunRules, openLocalSource } = deps;
  const { store } = ports;
  const confirmRemovals = !isLocal && (await loadRunRules(lease.run.id)).settings.confirmRemovals;
  // An aborted run proves nothing about missing pages.
  if (aborted === null) await removeMissing(lease, store, { isLocal, confirmRemovals });
  // A file that is gone by now has no vectors; its texts are embedded here instead.
  const bundle = isLocal ? await openLocalSource(lease.run.id, signal).catch(() => null) : null;
  if (bundle !== null) await importBundleTables(bundle, lease.run.version, store);
  // Browser mode counts no links of a folder, and ranks it alike.
  if (isLocal) await store.pages.forgetChanged(lease);
  else await foldDuplicates(lease, ports, reprocess, signal);
  await recordDeclaredVersion(lease.run.version, store, bundle);
  await store.stats.measureOldestCheck(lease.run.version);
  const result = aborted ?? (await drainedResult(lease, deps, isLocal));
  const reason = result.state === 'completed' && cutAt !== null ? cutAt : result.reason;
  const isEnded = await store.runs.finish(lease, result.state, reason);
  if (isEnded && isLocal) await discardFiles(store, lease.run.version);
  return isEnded;
}

async function foldDuplicates(
  lease: RunLease,
  ports: CrawlPorts,
  reprocess: ReprocessRules,
  signal: AbortSignal,
): Promise<void> {
  const { store } = ports;
  // A run that was stopped leaves the rest to the next one.
  const isStopping = (await store.runs.byId(lease.run.id))?.state === 'stopping';
  const rules: ReprocessRules = isStopping ? { ...reprocess, isRestoredOnly: true } : reprocess;
  for (let round = 0; round < MAX_DEDUPE_ROUNDS; round += 1) {
    await dedupePages(lease, store);
    if ((await reprocessPages(lease, ports, rules, signal)) === 0) break;
  }
  await store.pages.countLinks(lease);
}

async function drainedResult(lease: RunLease, deps: FinalizeDeps, isLocal: boolean): Promise<RunResult> {
  const { store } = deps.ports;
  const run = (await store.runs.byId(lease.run.id)) ?? lease.run;
  const mostFrequent = async (outcome: Parameters<typeof store.frontier.reasons>[1]) =>
    (await store.frontier.reasons(run.id, outcome, 1))[0] ?? null;
  if (isLocal) return runResult(run, mostFrequent, isLocal);
  const rules = await deps.loadRunRules(run.id);
  const start = await startOutcome(lease, store, rules.startUrl);
  const result = startResult(run, start) ?? (await runResult(run, mostFrequent, isLocal));
  if (!isCutAtUrlLimit(run, rules.settings.maxPages)) return result;
  await reportUrlLimit(run, rules, deps);
  return result.state === 'completed' ? { state: 'partial', reason: URL_LIMIT_REACHED } : result;
}

const URL_LIMIT_REACHED = 'its pages link to more URLs than a run may have, so the other links were left out';

/** Pages that are asked for the version they declare. */
const CHECKED_PAGES = 2000;

/** A bundle's pages state nothing, so the bundle does. */
async function recordDeclaredVersion(
  version: VersionId,
  { sources, pages }: Store,
  bundle: LocalSource | null,
): Promise<void> {
  const declared = await pages.declaredVersions(version, CHECKED_PAGES);
  const hints = storedVersionHints(await sources.siteProfile(version));
  await sources.saveDeclaredVersion(version, bundle?.declaredVersion ?? agreedVersion(declared, hints));
}

const BATCH_SIZE = 1000;

interface RemovalRules {
  /** A file that is not in its folder was deleted; a site may only be temporarily broken. */
  readonly isLocal: boolean;
  readonly confirmRemovals: boolean;
}

/**
 * Removes stored pages that the run found deleted, moved away or excluded, if the run as a whole is sufficient proof.
 * Otherwise they are kept, and a problem says why and what to do.
 */
async function removeMissing(lease: RunLease, store: Store, rules: RemovalRules): Promise<void> {
  const run = (await store.runs.byId(lease.run.id)) ?? lease.run;
  if (run.counts.missing === 0) return;
  const verdict = removalVerdictOf(run, rules, await statedRemovals(run, store));
  if (verdict.remove) while ((await store.frontier.confirmMissing(lease, BATCH_SIZE)) > 0);
  else await reportDeferred(run, verdict.reason, store);
}

/** Distinct lines of robots.txt files that excluded stored pages. */
const MAX_STATED_RULES = 100;

/** Stored pages that the site now excludes by its terms of use: that is its word, not a sign of trouble. */
async function statedRemovals(run: Run, { frontier }: Store): Promise<number> {
  const reasons = await frontier.reasons(run.id, 'missing', MAX_STATED_RULES);
  return reasons.reduce((sum, { reason, count }) => sum + (reason.startsWith('usage-terms:') ? count : 0), 0);
}

function removalVerdictOf(run: Run, rules: RemovalRules, stated: number): RemovalVerdict {
  const { found, failed, dropped, changed, unchanged } = run.counts;
  const missing = run.counts.missing - stated;
  if (run.state === 'stopping') return { remove: false, reason: 'cut' };
  if (rules.isLocal && dropped === 0) return { remove: true };
  const stored = missing + changed + unchanged;
  return removalVerdict({ found, failed, dropped, missing, stored }, rules.confirmRemovals);
}

const DEFERRAL_REASONS = {
  cut: 'the run did not fetch everything',
  failing: 'too many requests failed',
  'too-many':
    'removing so many at once may be a mistake of the site. Run it again with --confirm-removals to remove them',
} as const;

async function reportDeferred(run: Run, reason: keyof typeof DEFERRAL_REASONS, { journal }: Store): Promise<void> {
  const { missing } = run.counts;
  const pages = `${pluralize(missing, 'page')} ${missing === 1 ? 'is' : 'are'}`;
  await journal.reportProblem({
    run: run.id,
    kind: 'removals-deferred',
    severity: reason === 'too-many' ? 'error' : 'warning',
    scope: 'run',
    target: `run ${run.id}`,
    message: `${pages} missing and kept for now: ${DEFERRAL_REASONS[reason]}`,
    details: { reason, missing },
  });
}

/**
 * The final state of a drained run, and the reason for it: the first thing to read when the library has fewer pages than
 * expected.
 */
export interface RunResult {
  readonly state: EndedRunState;
  readonly reason: string | null;
}

/** The most frequent reason of an outcome; null if there is none. */
export type MostFrequentReason = (outcome: OutcomeName) => Promise<OutcomeReason | null>;

/** What became of the start URL. If nothing was stored, it explains most. */
export interface StartOutcome {
  readonly url: PageUrl;
  readonly reason: string;
}

async function startOutcome({ run }: RunLease, { frontier }: Store, start: PageUrl): Promise<StartOutcome | null> {
  const found = await frontier.locate(run.version, start);
  return found?.reason == null ? null : { url: start, reason: found.reason };
}

/** Null if something was stored, or if what became of the start does not explain why not. */
export function startResult({ state, counts }: Pick<Run, 'state' | 'counts'>, start: StartOutcome | null) {
  const stored = storedPages(counts) + counts.missing;
  if (start === null || stored > 0 || state === 'stopping') return null;
  const reason = failureAdvice(start.url, start.reason);
  return reason === null ? null : ({ state: 'failed', reason } satisfies RunResult);
}

/** A run that stored or properly excluded everything it accepted is completed; one that stored nothing never is. */
export async function runResult(
  run: Pick<Run, 'state' | 'counts' | 'mode'>,
  mostFrequent: MostFrequentReason,
  isLocal: boolean,
): Promise<RunResult> {
  const { found, failed, skipped, missing } = run.counts;
  const stored = storedPages(run.counts);
  if (run.state === 'stopping') return { state: 'stopped', reason: 'on request' };
  if (found === 0 && run.mode === 'retry') return { state: 'completed', reason: 'nothing left to retry' };
  if (found === 0)
    return { state: 'failed', reason: `the start URL was excluded${reasonText(await mostFrequent('excluded'), 1)}` };
  if (failed > 0) {
    const some = `${failed} of ${pluralize(found, 'URL')} failed`;
    return {
      state: stored + missing === 0 ? 'failed' : 'partial',
      reason: some + reasonText(await mostFrequent('failed'), failed),
    };
  }
  if (missing > 0)
    return { state: 'partial', reason: deferredText(missing) + reasonText(await mostFrequent('missing'), missing) };
  if (stored === 0)
    return { state: 'failed', reason: `no page was stored${await whyFewPages(run, mostFrequent, isLocal)}` };
  if (stored === 1)
    return { state: 'completed', reason: `only one page was stored${await whyFewPages(run, mostFrequent, isLocal)}` };
  if (skipped === 0) return { state: 'completed', reason: null };
  return { state: 'completed', reason: skippedText(skipped) + reasonText(await mostFrequent('skipped'), skipped) };
}

/** Why the rest was excluded, the most likely cause first. */
async function whyFewPages(
  { counts }: Pick<Run, 'counts'>,
  mostFrequent: MostFrequentReason,
  isLocal: boolean,
): Promise<string> {
  const { skipped, excluded, 'not-found': notFound } = counts;
  if (skipped > 0) return `: ${skippedText(skipped)}${reasonText(await mostFrequent('skipped'), skipped)}`;
  if (excluded > 0) {
    const some = `${pluralize(excluded, 'URL')} ${excluded === 1 ? 'was' : 'were'} excluded`;
    return `: ${some}${reasonText(await mostFrequent('excluded'), excluded)}`;
  }
  if (notFound > 0) return `: not found${reasonText(await mostFrequent('not-found'), notFound)}`;
  return isLocal ? ': there are no other files' : ': it links to no other page';
}

/** The reason is in the problem that removal reported. */
function deferredText(pages: number): string {
  return pages === 1 ? '1 page is missing and was kept' : `${pages} pages are missing and were kept`;
}

function skippedText(pages: number): string {
  return `${pluralize(pages, 'page')} ${pages === 1 ? 'was' : 'were'} skipped`;
}

function reasonText(reason: OutcomeReason | null, of: number): string {
  if (reason === null) return ', for no recorded reason';
  // A missing page explains itself, unless it is the start.
  const advice = reason.reason.startsWith('status ') ? null : failureAdvice(reason.example, reason.reason);
  const next = advice === null ? nextStepFor(reason.reason) : `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`;
  return `${of > 1 ? ', such as' : ':'} ${reason.example} (${reasonLabel(reason.reason)})${next === null ? '' : `. ${next}`}`;
}

/** A reason that starts with a code of the error catalogue gets its next step, unless that needs details. */
function nextStepFor(reason: string): string | null {
  const entry = errorCatalog().find(({ code }) => reason === code || reason.startsWith(`${code}:`));
  return entry?.nextStep === undefined || entry.nextStep.includes('{') ? null : entry.nextStep;
}
