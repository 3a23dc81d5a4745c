// Makes the plan of a run before its first URL is claimed: reads the menus of the start page, learns from what is in the queue and stored,
// and puts the hubs of the site first. If planning fails, the run continues in the usual order.

import { makePlan, planMilestones, type SitePlan } from '../../core/analysis/site-plan.ts';
import { seededHub } from '../../core/analysis/hub-records.ts';
import { createGains, HUB_RANK, START_RANK } from '../../core/analysis/url-gain.ts';
import { navigationOf, type NavigationEntry } from '../../core/discover/navigation.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { hostOf, isInDomain } from '../../core/model/page-url.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import { deadline } from '../../platform/clock.ts';
import type { RunLease } from '../../store/port/runs.ts';
import type { RunRules } from '../context/run-rules.ts';
import { isDatabaseFailure } from '../context/retry.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { createPoliteFetch, runRequester } from '../politeness/polite-fetch.ts';
import { createDiscoveryFetch } from '../seed/discovery-fetch.ts';
import { admitUrl, type AdmissionContext } from '../site/admit-urls.ts';
import { reportPrerequisites } from '../run/site-milestones.ts';
import { readSite } from './read-site.ts';

/** The number of URLs that a plan is made from. */
const PLANNED_URLS = 50_000;
const MAX_PLANNING_MS = 60_000;
const DAY_MS = 86_400_000;
const DEFAULT_SEEDS = 50;

/** False if the run goes on without a plan. Every write is idempotent: after a kill the next coordinator plans again. */
export async function planRun(
  lease: RunLease,
  rules: RunRules,
  deps: CrawlContext,
  signal: AbortSignal,
): Promise<boolean> {
  const { startUrl, settings, mode } = rules;
  await reportPrerequisites(lease.run, rules, deps);
  if (!PRESETS[settings.preset].plans || mode === 'refresh' || mode === 'retry') return false;
  const host = hostOf(startUrl);
  const about = { run: lease.run.id, scope: host, severity: 'info', target: startUrl } as const;
  const { intTargetHosts: targetHosts } = settings;
  if (targetHosts.length > 0 && !targetHosts.some((target) => isInDomain(host, target.replace(/^\./, '')))) {
    const message = 'The plan was left out: the host of the start URL is not one of intTargetHosts';
    await deps.report({ ...about, kind: 'planner-skipped-host', message, details: { host, targetHosts } });
    return false;
  }
  try {
    const plan = await makeAndSeed(lease, rules, deps, AbortSignal.any([signal, deadline(MAX_PLANNING_MS)]));
    if (plan.hubs.length > 0) return true;
    const message = 'No suitable hubs found from homepage or models';
    await deps.report({ ...about, kind: 'no-hubs-seeded', message, details: {} });
    return true;
  } catch (error) {
    if (signal.aborted || isDatabaseFailure(error)) throw error;
    await reportFailedPlan(lease, rules, deps, error);
    return false;
  }
}

export async function reportFailedPlan(
  { run }: RunLease,
  { startUrl }: RunRules,
  { report, ports }: Pick<CrawlContext, 'report' | 'ports'>,
  error: unknown,
): Promise<void> {
  ports.log.warn('the plan of a run failed', { run: run.id, error });
  const reason = error instanceof Error ? error.message : String(error);
  await report({
    run: run.id,
    kind: 'intelligent-plan-failed',
    severity: 'warning',
    scope: 'run',
    target: startUrl,
    message: `The plan failed, and the run continues in the usual order: ${reason}`,
    details: { reason },
  });
}

async function makeAndSeed(
  lease: RunLease,
  rules: RunRules,
  deps: CrawlContext,
  signal: AbortSignal,
): Promise<SitePlan> {
  const { store } = deps.ports;
  const { startUrl, settings } = rules;
  const { run } = lease;
  const { route } = await deps.loadSiteProfile(run.id, run.version);
  const admission: AdmissionContext = { rules, robots: deps.robots, route };
  const now = await readMenus(lease, admission, deps, signal);
  const site = await readSite(store, run.version, startUrl, PLANNED_URLS);
  signal.throwIfAborted();
  const plan = makePlan({
    startUrl,
    urls: site.urls,
    navigation: now.length > 0 ? now : site.navigation,
    places: site.places,
    maxSeeds: settings.intMaxSeeds ?? DEFAULT_SEEDS,
    maxAgeMs: settings.hubMaxDays === null ? null : settings.hubMaxDays * DAY_MS,
  });
  await seedHubs(lease, plan, deps);
  await store.plans.save(lease, plan);
  for (const milestone of planMilestones(plan)) await store.journal.recordMilestone(run.id, milestone);
  await logPlan(lease, plan, rules, deps);
  return plan;
}

/** The depth of a link of the start page. */
const HUB_DEPTH = 1;

async function seedHubs(lease: RunLease, plan: SitePlan, { ports: { store } }: CrawlContext): Promise<void> {
  const { run } = lease;
  await store.frontier.enqueue(
    run.id,
    plan.hubs.map(({ url }) => ({
      url,
      depth: HUB_DEPTH,
      foundBy: 'plan',
      priority: HUB_DEPTH,
      rank: HUB_RANK,
      parent: plan.startUrl,
    })),
  );
  const gains = createGains(plan);
  await store.plans.rank(
    lease,
    plan.menu.map((url) => ({ url, rank: gains.rankOf(url) })),
  );
  await store.plans.rank(lease, [
    ...plan.hubs.map(({ url }) => ({ url, rank: HUB_RANK })),
    { url: plan.startUrl, rank: START_RANK },
  ]);
  await store.analysis.saveHubs(run.version, plan.hubs.map(seededHub));
}

/** The menus of the start page now, read with an ordinary polite request of the run. Empty if the page cannot be read. */
async function readMenus(
  { run }: RunLease,
  admission: AdmissionContext,
  deps: CrawlContext,
  signal: AbortSignal,
): Promise<readonly NavigationEntry[]> {
  const { rules } = admission;
  const { startUrl } = rules;
  const politeFetch = createPoliteFetch(deps, runRequester(run.id, rules, deps), signal);
  const { fetchFile } = createDiscoveryFetch({ ...deps, run: run.id, politeFetch, named: [startUrl] }, signal);
  const file = await fetchFile(startUrl, {});
  if (file.kind !== 'file') return [];
  const { url, mediaType, headers, body } = file;
  try {
    const { document } = await deps.ports.parser.parse({ url, mediaType, headers, body }, signal);
    return navigationOf(document.links, (href) => {
      const verdict = admitUrl({ href, depth: 1 }, admission);
      return verdict.admit && verdict.url !== startUrl ? verdict.url : null;
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof PinakesError)) throw error;
    return [];
  }
}

async function logPlan(
  { run }: RunLease,
  plan: SitePlan,
  { settings }: RunRules,
  { ports: { log } }: CrawlContext,
): Promise<void> {
  const verbosity = settings.plannerVerbosity ?? 0;
  if (verbosity < 1) return;
  const { shape, hubs, candidates, known } = plan;
  log.info('a run is planned', {
    run: run.id,
    urls: known,
    sections: shape.sections.length,
    candidates,
    hubs: hubs.length,
  });
  if (verbosity < 2) return;
  for (const { url, taxonomy, expectedBy, below } of hubs)
    log.info('a hub is seeded', { run: run.id, url, taxonomy, expectedBy, below });
}
