// Keeps the queue of a planned run in the order of expected gain, and reports at its end what the plan expected and did not find. Only the
// coordinator ranks; workers claim as ever.

import { estimateSize, type SizeEstimate } from '../../core/analysis/estimate.ts';
import { ANALYSIS_VERSION, analysisRunId } from '../../core/analysis/analysis-run.ts';
import { analyzedHub, understanding } from '../../core/analysis/hub-records.ts';
import { measureCoverage } from '../../core/analysis/coverage.ts';
import { planGaps, summarizePlan } from '../../core/analysis/plan-gaps.ts';
import type { SitePlan } from '../../core/analysis/site-plan.ts';
import { createGains, FRONT_RANK, HUB_RANK, START_RANK, type Gains } from '../../core/analysis/url-gain.ts';
import { storedPages } from '../../core/model/outcome.ts';
import { hostOf, urlKey, type PageUrl, type UrlKey } from '../../core/model/page-url.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import type { Reason } from '../../core/outcome/reasons.table.ts';
import { USUAL_RANK } from '../../store/port/frontier.ts';
import { TARGET_DIGITS, type QueuedUrl } from '../../store/port/plans.ts';
import type { Run, RunLease } from '../../store/port/runs.ts';
import { now, random } from '../../platform/clock.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { readSite, recordCoverage } from './read-site.ts';

export interface PlanFollower {
  /** Reads what was settled, and ranks the queue from time to time. */
  step(run: Run): Promise<void>;
  /** Once nothing is left to fetch: problems, hubs and the summary. Idempotent. */
  reportGaps(run: Run): Promise<void>;
  /** After the run has ended: measures its coverage, and has its new pages analysed. */
  afterRun(): Promise<void>;
  /** Why the run stopped before its queue was empty; null if it did not. */
  readonly stoppedAt: () => string | null;
}

const READ_EVENTS = 500;
/** Events of one step: a coordinator that takes over catches up in several. */
const MAX_READS = 10;
/** Settled URLs and time between two rankings. */
const RANK_AFTER_URLS = 50;
/** So soon while this is more than the share: the first pages reveal most, and a small run ends before many. */
const RANK_AFTER_SHARE = 0.1;
const RANK_AFTER_MS = 250;
/** A ranking waits for at least this many times the duration of the last one, unless this share of URLs was settled since. */
const RANK_PAUSES = 50;
const NO_PAUSE_SHARE = 0.3;
/** Limit of URLs from the front of the queue, and of URLs without a rank: the next ones to fetch are among them. */
const RANKED_URLS = 1000;
/** A smaller change of a rank, about a tenth of the gain, is not written. */
const MIN_CHANGE = 6;
/** Links to further URLs are not counted. */
const MAX_NAMED = 500_000;
/** Number of settled URLs for which the coverage must be stable before a run ends. */
const STOP_AFTER_URLS = 200;
const STOP_GAIN_SHARE = 0.05;

interface Following {
  readonly lease: RunLease;
  readonly plan: SitePlan;
  readonly rules: RunRules;
  readonly deps: CrawlContext;
  readonly gains: Gains;
  /** Number of pages whose text links to a URL, by the prefix of its key. */
  readonly named: Map<string, number>;
  /** Keys of admitted URLs, which alone count for the size of the site, and whether a list names them; null if that is not known. */
  readonly admitted: Map<UrlKey, boolean | null>;
  after: number;
  settled: number;
  rankedAt: { readonly settled: number; readonly nextMs: number } | null;
  coveredSince: number | null;
  stoppedAt: string | null;
}

/** Null for a run without a plan. */
export async function followPlan(lease: RunLease, rules: RunRules, deps: CrawlContext): Promise<PlanFollower | null> {
  if (!PRESETS[rules.settings.preset].plans) return null;
  const stored = await deps.ports.store.plans.load(lease.run.id);
  if (stored === null) return null;
  // This program wrote it: the plan of a run is never older than the run.
  const plan = stored.plan as unknown as SitePlan;
  const named = new Map<string, number>();
  const at: Following = {
    lease,
    plan,
    rules,
    deps,
    gains: createGains(plan, (url) => timesNamed(named, urlKey(url))),
    named,
    admitted: new Map(),
    after: 0,
    settled: 0,
    rankedAt: null,
    coveredSince: null,
    stoppedAt: typeof stored.progress?.['stoppedAt'] === 'string' ? stored.progress['stoppedAt'] : null,
  };
  return {
    step: (run) => stepOf(at, run),
    reportGaps: (run) => reportGaps(at, run),
    afterRun: () => afterRun(lease, rules, deps),
    stoppedAt: () => at.stoppedAt,
  };
}

async function afterRun({ run }: RunLease, { startUrl }: RunRules, { ports }: CrawlContext): Promise<void> {
  const { store } = ports;
  await recordCoverage(store, run.version, await readSite(store, run.version, startUrl));
  await store.analysis.start(analysisRunId(new Date(now()), random), {
    analysisVersion: ANALYSIS_VERSION,
    pageLimit: null,
    domainLimit: null,
    skipPages: false,
    skipDomains: false,
    dryRun: false,
    verbose: false,
    source: run.source,
  });
}

async function stepOf(at: Following, run: Run): Promise<void> {
  const { frontier } = at.deps.ports.store;
  if (run.state !== 'running') return;
  if (at.stoppedAt !== null) return void (await frontier.excludeOverflow(at.lease, overflow(at.stoppedAt)));
  await readSettled(at, run);
  const ms = at.deps.clock.nowMs();
  const { rankedAt } = at;
  if (rankedAt !== null && !isDue(rankedAt, at.settled, ms)) return;
  await rankQueue(at, run);
  const endedMs = at.deps.clock.nowMs();
  at.rankedAt = { settled: at.settled, nextMs: endedMs + Math.max(RANK_AFTER_MS, (endedMs - ms) * RANK_PAUSES) };
}

function isDue({ settled: before, nextMs }: NonNullable<Following['rankedAt']>, settled: number, ms: number): boolean {
  const since = settled - before;
  if (since < Math.min(RANK_AFTER_URLS, Math.max(1, before * RANK_AFTER_SHARE))) return false;
  return ms >= nextMs || since >= Math.max(1, before * NO_PAUSE_SHARE);
}

async function readSettled(at: Following, run: Run): Promise<void> {
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const { urls, after } = await at.deps.ports.store.plans.settled(run.id, at.after, READ_EVENTS);
    at.after = after;
    for (const { url, kind, tokens, pageKind, targets } of urls) {
      at.settled += 1;
      admit(at, url, null);
      at.gains.add({ url, isNewPage: STORING.has(kind), tokens, pageKind });
      for (const target of new Set(targets)) countName(at.named, target);
    }
    if (urls.length < READ_EVENTS) return;
  }
}

function countName(named: Map<string, number>, target: string): void {
  const times = named.get(target);
  if (times !== undefined || named.size < MAX_NAMED) named.set(target, (times ?? 0) + 1);
}

/** Links are known by the prefix of the key of their URL. */
function timesNamed(named: ReadonlyMap<string, number>, key: UrlKey): number {
  return named.get(key.slice(0, TARGET_DIGITS)) ?? 0;
}

function admit({ admitted }: Following, url: PageUrl, isListed: boolean | null): void {
  const key = urlKey(url);
  if (admitted.size < MAX_NAMED) admitted.set(key, isListed ?? admitted.get(key) ?? null);
}

const STORING: ReadonlySet<string> = new Set(['new', 'changed', 'unchanged']);

async function rankQueue(at: Following, run: Run): Promise<void> {
  const { lease, rules, gains } = at;
  const { plans } = at.deps.ports.store;
  const first = await plans.queued(run.id, 'first', RANKED_URLS);
  const queued = [
    ...first.filter(({ rank }) => rank !== USUAL_RANK),
    ...(await plans.queued(run.id, 'unranked', RANKED_URLS)),
  ];
  for (const { url, isListed } of queued) admit(at, url, isListed);
  const rankOf = createRanker(at);
  let bestGain = 0;
  const ranks = queued.flatMap((one) => {
    bestGain = Math.max(bestGain, gains.gainOf(one.url));
    const rank = rankOf(one);
    const isClose = rank > FRONT_RANK && one.rank !== USUAL_RANK && Math.abs(rank - one.rank) < MIN_CHANGE;
    return rank === one.rank || isClose ? [] : [{ url: one.url, rank }];
  });
  await plans.rank(lease, ranks);
  const estimate = estimateOf(at, run);
  considerStop(at, { coverage: estimate.coverage, bestGain });
  await plans.saveProgress(lease, { estimate, settled: at.settled, stoppedAt: at.stoppedAt });
  if ((rules.settings.plannerVerbosity ?? 0) > 2)
    at.deps.ports.log.info('the queue was ranked', { run: run.id, queued: queued.length, changed: ranks.length });
}

/** Ranks the start, the hubs and the first links of each hub first, and the rest by expected gain. */
function createRanker({ plan, rules, gains }: Following): (queued: QueuedUrl) => number {
  const hubs = new Set(plan.hubs.map(({ url }) => url));
  const fronts = new Map(plan.hubs.map(({ url }) => [urlKey(url), rules.settings.hubMaxPages ?? 0]));
  return ({ url, parent }) => {
    if (url === plan.startUrl) return START_RANK;
    if (hubs.has(url)) return HUB_RANK;
    const left = parent === null ? 0 : (fronts.get(parent) ?? 0);
    if (parent === null || left === 0) return gains.rankOf(url);
    fronts.set(parent, left - 1);
    return FRONT_RANK;
  };
}

function estimateOf({ named, admitted, plan }: Following, { counts }: Run): SizeEstimate {
  const seen = { once: 0, twice: 0, linked: 0, linkedAndListed: 0 };
  for (const [key, isListed] of admitted) {
    const times = timesNamed(named, key);
    if (times === 1) seen.once += 1;
    else if (times === 2) seen.twice += 1;
    if (times > 0 && isListed !== null) seen.linked += 1;
    if (times > 0 && isListed === true) seen.linkedAndListed += 1;
  }
  const stored = storedPages(counts);
  const fetched = stored + counts.moved + counts.skipped + counts['not-found'] + counts.missing + counts.failed;
  return estimateSize({ ...seen, known: Math.max(counts.found, plan.known), listed: plan.listed, stored, fetched });
}

/** Ends the run once it has the estimated pages of the site and the queue promises little. */
function considerStop(
  at: Following,
  { coverage, bestGain }: { readonly coverage: number; readonly bestGain: number },
): void {
  const { stopAtCoverage } = at.rules.settings;
  if (stopAtCoverage === null) return;
  const isCovered = coverage >= stopAtCoverage && bestGain < at.gains.meanGain() * STOP_GAIN_SHARE;
  at.coveredSince = isCovered ? (at.coveredSince ?? at.settled) : null;
  if (at.coveredSince !== null && at.settled - at.coveredSince >= STOP_AFTER_URLS)
    at.stoppedAt = `coverage ${stopAtCoverage} reached`;
}

function overflow(reason: string): Reason {
  return `overflow: ${reason}`;
}

async function reportGaps(at: Following, run: Run): Promise<void> {
  const { plan, deps, lease } = at;
  const { store } = deps.ports;
  if (run.state !== 'running') return;
  const site = await readSite(store, lease.run.version, plan.startUrl);
  const { found, ...coverage } = measureCoverage(site);
  const byUrl = new Map(site.urls.map((one) => [one.url, one]));
  const records = found.map((hub) => analyzedHub(hub, byUrl.get(hub.url) ?? null, site));
  await store.analysis.saveHubs(lease.run.version, records);
  const gaps = planGaps({ shape: site.shape, planned: plan.shape, urls: site.urls, hubs: found });
  for (const gap of gaps)
    await deps.report({ ...gap, run: run.id, scope: hostOf(plan.startUrl), details: { ...gap.details } });
  const understood = understanding({ host: hostOf(plan.startUrl), hostKind: await hostKindOf(at, run), hubs: found });
  if (understood !== null) await store.analysis.award(run.version, understood, run.id);
  const { message, hubs, sections } = summarizePlan({ seeded: plan.hubs, hubs: found, coverage });
  const unknownPatterns = gaps.filter(({ kind }) => kind === 'unknown-pattern').length;
  const seconds = run.startedAt === null ? 0 : Math.round((run.readAt.getTime() - run.startedAt.getTime()) / 1000);
  const { requests } = run.counts;
  await store.journal.recordMilestone(run.id, {
    kind: 'plan-summary',
    scope: hostOf(plan.startUrl),
    target: plan.startUrl,
    message,
    details: {
      hubs,
      sections,
      coverage: coverage.coverage,
      estimate: coverage.estimate,
      unknownPatterns,
      requests,
      seconds,
    },
  });
}

/** As the last analysis found it. */
async function hostKindOf({ plan, deps }: Following, { version }: Run): Promise<string | null> {
  const hosts = await deps.ports.store.analysis.hostsOf(version);
  const kind = hosts.find(({ host }) => host === hostOf(plan.startUrl))?.analysis['kind'];
  return typeof kind === 'string' ? kind : null;
}
