// One analysis run under its lease: its stages in order, each write with the step that it belongs to. Whatever ends it, the next worker
// continues with the pages that are still pending.

import { measureCoverage } from '../../core/analysis/coverage.ts';
import { siteStart } from '../../core/analysis/site-shape.ts';
import { analyzedHub, isGlobalNews, understanding } from '../../core/analysis/hub-records.ts';
import type { Hub } from '../../core/analysis/hubs.ts';
import { ANALYSIS_JOB, type AnalysisStage } from '../../core/analysis/analysis-run.ts';
import { analyzeHost, createHostTally, dueMilestones, type HostCounts } from '../../core/analysis/host-tally.ts';
import {
  addPages,
  highlightsOf,
  NO_PAGES,
  progressOf,
  SKIPPED,
  type MilestoneCounts,
  type PageCounts,
  type RunSteps,
} from '../../core/analysis/run-summary.ts';
import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { readSite } from '../../crawl/plan/read-site.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import type { AnalysisLease, AnalysisChange, PendingPage } from '../../store/port/analysis.ts';
import type { JsonObject } from '../../store/port/json.ts';
import { createPageAnalyzer, type PageAnalyzer, type PageAnalyzerDeps } from './analyze-pages.ts';

export interface AnalysisDeps extends Pick<PageAnalyzerDeps, 'index'> {
  readonly store: Pick<Store, 'analysis' | 'gazetteer' | 'sources' | 'journal'>;
  readonly log: Log;
  readonly nowMs: () => number;
}

/** Pages that are found at a time, and that are written at a time. */
const FOUND_PAGES = 2000;
const WRITTEN_PAGES = 100;
const READ_ANALYSES = 500;
const MAX_HUB_EVENTS = 500;
/** A run that a worker was lost with as often is given up, so that a page which kills its workers cannot keep it alive. */
const MAX_CRASHES = 3;

/** What ends a run without a result: its lease is lost, or its worker is being stopped. */
const INTERRUPTED = new Error('the analysis was interrupted');

interface Work extends AnalysisDeps {
  readonly analyzer: PageAnalyzer;
  readonly lease: AnalysisLease;
  readonly signal: AbortSignal;
  steps: RunSteps;
}

/** False if it was interrupted: another worker, or this one later, continues it. */
export async function runAnalysis(lease: AnalysisLease, deps: AnalysisDeps, signal: AbortSignal): Promise<boolean> {
  const earlier = (lease.run.summary?.['steps'] ?? {}) as RunSteps;
  const analyzer = createPageAnalyzer(deps);
  const work: Work = { ...deps, analyzer, lease, signal, steps: lease.run.dryRun ? {} : earlier };
  if (lease.crashes >= MAX_CRASHES) return failRun(work, lease.run.stage, `given up after ${lease.crashes} crashes`);
  let stage: AnalysisStage = 'db-setup';
  try {
    const total = await setUp(work);
    stage = 'page-analysis';
    await analyzePages(work, total);
    stage = 'domain-analysis';
    const byVersion = await analyzeHosts(work);
    stage = 'awarding-milestones';
    await awardMilestones(work, byVersion);
    const summary = summaryOf(work, deps.nowMs());
    return await deps.store.analysis.finish(lease, 'completed', { ...ended('Completed'), summary, error: null });
  } catch (error) {
    if (error === INTERRUPTED) return false;
    if (signal.aborted) return false;
    deps.log.error('an analysis failed', { run: lease.run.id, stage, error });
    return failRun(work, stage, error instanceof Error ? error.message : String(error));
  }
}

function failRun({ store, lease, steps, nowMs }: Work, stage: AnalysisStage, reason: string): Promise<boolean> {
  const summary = summaryOf({ lease, steps }, nowMs());
  const error = `${stage}: ${reason}`;
  return store.analysis.finish(lease, 'failed', { ...ended(`Failed in ${stage}: ${reason}`), summary, error });
}

function ended(message: string): Pick<AnalysisChange, 'events'> {
  return { events: [{ message, details: null }] };
}

async function save({ store, lease, signal }: Work, step: AnalysisChange): Promise<void> {
  if (signal.aborted || !(await store.analysis.save(lease, step))) throw INTERRUPTED;
}

/** The schema is there already; the specification wants the stage, with an event at both ends, before any page. */
async function setUp(work: Work): Promise<number> {
  const { store, lease } = work;
  await save(work, { stage: 'db-setup', events: [{ message: 'Checking the schema', details: null }] });
  const pending = lease.run.skipPages ? 0 : await store.analysis.countPending(lease.run);
  const total = Math.min(pending, lease.run.pageLimit ?? pending);
  work.steps = { ...work.steps, dbSetup: { ensured: true } };
  await save(work, { events: [{ message: 'The schema is complete', details: { pending, total } }] });
  return total;
}

async function analyzePages(work: Work, total: number): Promise<void> {
  const { run } = work.lease;
  const skipped = run.skipPages;
  const counts = work.steps.pages !== undefined && 'processed' in work.steps.pages ? work.steps.pages : NO_PAGES;
  work.steps = { ...work.steps, pages: skipped ? SKIPPED : counts };
  const message = skipped ? 'Pages are skipped' : 'Analyzing pages';
  await save(work, { stage: 'page-analysis', events: [{ message, details: skipped ? null : { total } }] });
  if (skipped) return;
  const done = await walkPending(work, counts, total);
  await save(work, { events: [{ message: 'Analyzed pages', details: { ...done } }] });
}

async function walkPending(work: Work, before: PageCounts, total: number): Promise<PageCounts> {
  const { store, lease, nowMs } = work;
  const { pageLimit } = lease.run;
  const startedMs = nowMs();
  let counts = before;
  let after: PendingPage | null = null;
  for (;;) {
    const left = pageLimit === null ? FOUND_PAGES : Math.min(FOUND_PAGES, pageLimit - counts.processed);
    const found: readonly PendingPage[] = left <= 0 ? [] : await store.analysis.pending(lease.run, after, left);
    if (found.length === 0) return counts;
    for (let at = 0; at < found.length; at += WRITTEN_PAGES) {
      counts = await writePages(work, found.slice(at, at + WRITTEN_PAGES), counts);
      const done = counts.processed - before.processed;
      const progress = { processed: counts.processed, total: Math.max(counts.processed, before.processed + total) };
      const lastProgress = progressOf('page-analysis', progress, { done, ms: nowMs() - startedMs });
      await save(work, { lastProgress });
    }
    after = found.at(-1) ?? null;
  }
}

async function writePages(work: Work, pages: readonly PendingPage[], before: PageCounts): Promise<PageCounts> {
  const { store, lease, signal, analyzer } = work;
  const { run } = lease;
  const { analyzed, kinds } = await analyzer.analyze(pages, run.analysisVersion, signal);
  if (signal.aborted) throw INTERRUPTED;
  const places = run.dryRun ? 0 : analyzed.reduce((sum, { mentions }) => sum + (mentions?.length ?? 0), 0);
  const counts = addPages(before, kinds, { isDryRun: run.dryRun, places });
  work.steps = { ...work.steps, pages: counts };
  const { processed } = counts;
  const events = run.verbose ? [{ message: `Analyzed ${processed} pages`, details: null }] : [];
  const step = { summary: summaryOf(work, null), events };
  const saved = run.dryRun ? store.analysis.save(lease, step) : store.analysis.savePages(lease, analyzed, step);
  if (!(await saved)) throw INTERRUPTED;
  return counts;
}

interface VersionHosts {
  readonly version: VersionId;
  /** The host of the start URL. */
  readonly startHost: string;
  readonly hubs: readonly Hub[];
  readonly hosts: readonly HostCounts[];
}

/** Also with `skipDomains`: the milestones need the figures, which are then not stored. */
async function analyzeHosts(work: Work): Promise<readonly VersionHosts[]> {
  const { store, lease } = work;
  const { skipDomains, domainLimit, dryRun } = lease.run;
  const message = skipDomains ? 'Hosts are skipped' : 'Analyzing hosts';
  await save(work, { stage: 'domain-analysis', events: [{ message, details: null }] });
  const byVersion: VersionHosts[] = [];
  let analyzed = 0;
  for (const owned of await versionsOf(work)) {
    const hosts = await tallyHosts(work, owned.version);
    const site = skipDomains || hosts.length === 0 ? NO_SITE : await analyzeSite(work, owned);
    const startHost = hostOf(owned.startUrl);
    byVersion.push({ version: owned.version, hosts, startHost, hubs: site.hubs });
    const chosen = skipDomains ? [] : hosts.slice(0, Math.max(0, (domainLimit ?? Infinity) - analyzed));
    analyzed += chosen.length;
    if (dryRun || chosen.length === 0) continue;
    const at = new Date(work.nowMs());
    const global = isGlobalNews({ hostKind: hostKindOf(hosts, startHost, at), hubs: site.hubs });
    const analyses = analysesOf(chosen, at, { host: startHost, analysis: { ...site.analysis, global } });
    if (!(await store.analysis.saveHosts(lease, owned.version, analyses, {}))) throw INTERRUPTED;
  }
  const domains = skipDomains ? SKIPPED : ({ completed: true, analyzed, limit: domainLimit } as const);
  work.steps = { ...work.steps, domains };
  if (!skipDomains) await save(work, { events: [{ message: 'Analyzed hosts', details: { analyzed } }] });
  return byVersion;
}

function hostKindOf(hosts: readonly HostCounts[], host: string, at: Date): string | null {
  const counts = hosts.find((one) => one.host === host);
  return counts === undefined ? null : analyzeHost(counts, at).kind;
}

/** Analyses of the whole site are stored with its host. */
function analysesOf(
  hosts: readonly HostCounts[],
  at: Date,
  site: { readonly host: string; readonly analysis: JsonObject },
): ReadonlyArray<{ readonly host: string; readonly analysis: JsonObject }> {
  return hosts.map((counts) => {
    const own = analyzeHost(counts, at);
    return { host: counts.host, analysis: counts.host === site.host ? { ...own, ...site.analysis } : own };
  });
}

interface OwnedVersion {
  readonly version: VersionId;
  readonly startUrl: PageUrl;
}

async function versionsOf({ store, lease }: Work): Promise<readonly OwnedVersion[]> {
  const sources = await store.sources.list();
  const chosen = sources.filter(({ id }) => lease.run.source === null || id === lease.run.source);
  return chosen.flatMap(({ versions, startUrl }) =>
    versions.map(({ id }) => ({ version: id, startUrl: siteStart(startUrl) })),
  );
}

interface AnalyzedSite {
  readonly hubs: readonly Hub[];
  /** For the analysis of the host of the start URL. */
  readonly analysis: JsonObject;
}

const NO_SITE: AnalyzedSite = { hubs: [], analysis: {} };

/** Finds the hubs of a site and measures its coverage; records both. */
async function analyzeSite(work: Work, { version, startUrl }: OwnedVersion): Promise<AnalyzedSite> {
  const { store, lease } = work;
  const site = await readSite(store, version, startUrl);
  const { found, ...report } = measureCoverage(site);
  if (!lease.run.dryRun) {
    if (!(await store.analysis.save(lease, {}))) throw INTERRUPTED;
    await store.analysis.saveCoverage(version, report, monotonicMs() - site.readAtMs);
    const byUrl = new Map(site.urls.map((one) => [one.url, one]));
    const records = found.map((hub) => analyzedHub(hub, byUrl.get(hub.url) ?? null, site));
    const { added } = await store.analysis.saveHubs(version, records);
    countHubs(work, { added, updated: found.length - added });
    if (lease.run.verbose) await reportHubs(work, found);
  }
  const { sections, hubs, patterns, orphans, estimate } = report;
  return { hubs: found, analysis: { sections, taxonomies: hubs, patterns, orphans, estimate } };
}

function countHubs(work: Work, { added, updated }: { readonly added: number; readonly updated: number }): void {
  const { pages } = work.steps;
  if (pages === undefined || !('processed' in pages)) return;
  const counts = { hubsInserted: pages.hubsInserted + added, hubsUpdated: pages.hubsUpdated + updated };
  work.steps = { ...work.steps, pages: { ...pages, ...counts } };
}

async function reportHubs(work: Work, hubs: readonly Hub[]): Promise<void> {
  const events = hubs.map(({ url, taxonomy, slug, status }) => ({
    message: `Hub ${status}: ${url}`,
    details: { taxonomy, slug, status },
  }));
  await save(work, { events: events.slice(0, MAX_HUB_EVENTS) });
}

async function tallyHosts({ store, signal }: Work, version: VersionId): Promise<readonly HostCounts[]> {
  const tally = createHostTally();
  let after: string | null = null;
  do {
    if (signal.aborted) throw INTERRUPTED;
    const found = await store.analysis.analyses(version, after, READ_ANALYSES);
    for (const { url, depth, analysis } of found.pages) {
      const { hasCode } = (analysis['meta'] ?? {}) as { readonly hasCode?: boolean };
      tally.add({
        url,
        depth,
        kind: typeof analysis['kind'] === 'string' ? analysis['kind'] : '',
        hasCode: hasCode === true,
      });
    }
    ({ after } = found);
  } while (after !== null);
  return tally.counts();
}

async function awardMilestones(work: Work, byVersion: readonly VersionHosts[]): Promise<void> {
  const { store, lease } = work;
  const { dryRun } = lease.run;
  await save(work, { stage: 'awarding-milestones', events: [{ message: 'Awarding milestones', details: null }] });
  const awarded: Array<MilestoneCounts['awarded'][number]> = [];
  for (const { version, hosts, hubs, startHost } of byVersion) {
    const downloads = await store.analysis.downloads(version);
    const reached = await store.analysis.reachedOnce(version);
    const ofHosts = hosts.flatMap((counts) => dueMilestones(counts, downloads.get(counts.host) ?? 0));
    const hostKind = hostKindOf(hosts, startHost, new Date(work.nowMs()));
    const ofSite = understanding({ host: startHost, hostKind, hubs, source: ANALYSIS_JOB });
    for (const milestone of [...ofHosts, ...(ofSite === null ? [] : [ofSite])]) {
      const { kind, scope, details } = milestone;
      const isReached = reached.some((one) => one.kind === kind && one.scope === scope);
      if (isReached || !(dryRun || (await store.analysis.award(version, milestone, null)))) continue;
      awarded.push({ scope, kind, details });
    }
  }
  work.steps = { ...work.steps, milestones: { count: awarded.length, dryRun, awarded } };
  const message = dryRun ? 'Milestones that would be awarded' : 'Awarded milestones';
  await save(work, { events: [{ message, details: { count: awarded.length } }] });
}

/** `endedMs` is null while the run is live. */
function summaryOf({ lease: { run }, steps }: Pick<Work, 'lease' | 'steps'>, endedMs: number | null): JsonObject {
  const { analysisVersion, pageLimit, domainLimit, skipPages, skipDomains, dryRun, verbose } = run;
  const startedMs = run.startedAt.getTime();
  const end = endedMs === null ? {} : { endedAt: new Date(endedMs).toISOString(), durationMs: endedMs - startedMs };
  return {
    runId: run.id,
    startedAt: run.startedAt.toISOString(),
    ...end,
    config: { analysisVersion, pageLimit, domainLimit, skipPages, skipDomains, dryRun, verbose },
    steps,
    analysisHighlights: highlightsOf(steps),
  };
}
