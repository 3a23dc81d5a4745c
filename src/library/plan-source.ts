// A dry run: what a crawl would start with and what its rules would exclude. It seeds a real run and crawls its first
// page in a temporary store, so the plan cannot differ from the crawl.

import { measureCoverage } from '../core/analysis/coverage.ts';
import type { SizeEstimate } from '../core/analysis/estimate.ts';
import { makePlan } from '../core/analysis/site-plan.ts';
import { planVerdict, type PlanVerdict } from '../core/discover/plan-verdict.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { RunId } from '../core/model/run.ts';
import { PRESETS, type CrawlSettings, type RenderMode } from '../core/model/source-settings.ts';
import { hashRouteOf } from '../core/url/hash-route.ts';
import { createByteBudget } from '../crawl/context/byte-budget.ts';
import type { RunRules } from '../crawl/context/run-rules.ts';
import { type CrawlContext, type CrawlContextOptions, createCrawlContext } from '../crawl/page/crawl-context.ts';
import { crawlPage } from '../crawl/page/crawl-page.ts';
import { renderModeOf } from '../crawl/page/render-claim.ts';
import { readSite } from '../crawl/plan/read-site.ts';
import { seedRun } from '../crawl/seed/seed-run.ts';
import { storedMarkdown } from '../crawl/site/site-profile.ts';
import type { Store } from '../store/port.ts';
import type { Claim, FrontierUrl, Settlement } from '../store/port/frontier.ts';
import type { Run } from '../store/port/runs.ts';
import { compareText } from '../core/text/compare-text.ts';

export interface SourcePlan {
  readonly startUrl: PageUrl;
  readonly accepted: number;
  readonly foundBy: Record<string, number>;
  readonly markdownRoute: string | null;
  readonly examples: { url: string; foundBy: string }[];
  readonly excluded: { rule: string; count: number; example: string }[];
  readonly rendering: PlannedRendering;
  readonly problems: string[];
  readonly verdict: PlanVerdict | null;
  /** Null unless the preset plans. */
  readonly forecast: Forecast | null;
}

/** What is known about a site before it is crawled. */
export interface Forecast extends Pick<SizeEstimate, 'pages' | 'low' | 'high'> {
  readonly requests: number;
  /** Duration at the rate that the settings allow; null without a rate limit. */
  readonly seconds: number | null;
  readonly sections: { slug: string; label: string; urls: number }[];
  /** The pages that the crawl would begin with. */
  readonly hubs: string[];
}

export interface PlannedRendering {
  /** `never` without a browser. */
  readonly mode: RenderMode;
  /** Known before the crawl starts: the pages that were looked at, routes, and with `always` all of them. */
  readonly pages: { url: string; reason: RenderCause }[];
}

/** Why a page needs a browser: it is empty without one, it is a hash route, or the source requires it. */
type RenderCause = 'empty' | 'route' | 'always';

const BATCH_SIZE = 1000;
const MAX_EXAMPLES = 20;
const MAX_RULES = 50;
const WORKER = 'plan';
/** Pages after the start that are looked at, if there is a browser that could render them. */
const SAMPLES = 2;

export async function planSource(
  startUrl: PageUrl,
  settings: CrawlSettings,
  /** With a store that nothing else uses. */
  deps: CrawlContextOptions,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { store } = deps.ports;
  const source = await store.sources.add({ name: WORKER, kind: 'web', startUrl, settings: { ...settings } }, '');
  const [version] = source.versions;
  if (version === undefined) throw new Error('the source of a plan has no version');
  const run = await store.runs.start(version.id, 'incremental', {});
  await store.runs.lease(WORKER, deps.limits.leaseMs);
  const context = createCrawlContext(deps);
  const rules = await context.loadRunRules(run.id);
  await seedRun(run, rules, context, signal);
  const mode = renderModeOf(rules, deps.ports);
  const empty = await crawlFirst(run, rules, context, { samples: mode === 'auto' ? SAMPLES : 0, signal });
  const { route, ownMarkdown } = storedMarkdown(await store.sources.siteProfile(version.id));
  const markdownRoute = ownMarkdown?.isUsed === false ? null : route;
  const rendersAll = mode === 'always' && markdownRoute === null;
  const { urls, ...summary } = await summarizePlan(store, run.id);
  const cause = (url: string): RenderCause | null => {
    if (rendersAll) return 'always';
    return hashRouteOf(url) === null ? (empty.has(url) ? 'empty' : null) : 'route';
  };
  const pages = [...empty, ...urls].flatMap((url) => {
    const reason = cause(url);
    return reason === null ? [] : [{ url, reason }];
  });
  const distinct = [...new Map(pages.map((page) => [page.url, page])).values()];
  const plan = { startUrl, markdownRoute, ...summary, rendering: { mode, pages: distinct.slice(0, MAX_EXAMPLES) } };
  return { ...plan, verdict: planVerdict(plan), forecast: await forecastOf(run, rules, store) };
}

const MAX_HUBS = 20;

async function forecastOf(run: Run, { startUrl, settings }: RunRules, store: Store): Promise<Forecast | null> {
  if (!PRESETS[settings.preset].plans) return null;
  const site = await readSite(store, run.version, startUrl);
  const plan = makePlan({ ...site, maxSeeds: settings.intMaxSeeds ?? MAX_HUBS, maxAgeMs: null });
  const { pages, low, high } = measureCoverage(site).estimate;
  const { requestsPerSecond } = settings;
  return {
    pages,
    low,
    high,
    requests: pages,
    seconds: requestsPerSecond === null ? null : Math.ceil(pages / requestsPerSecond),
    sections: plan.shape.sections.map(({ slug, label, urls }) => ({ slug, label, urls })),
    hubs: plan.hubs.slice(0, MAX_HUBS).map(({ url }) => url),
  };
}

/**
 * Crawls the start, whose links are part of the plan, since many sites have nothing else; and the next pages as samples.
 * Returns the pages that are empty without a browser.
 */
async function crawlFirst(
  run: Run,
  rules: RunRules,
  context: CrawlContext,
  { samples, signal }: { readonly samples: number; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const { store } = context.ports;
  const claims = await claimFirst(store, rules.startUrl, context.limits.leaseMs);
  const budget = createByteBudget(context.limits.maxInFlightBytes);
  const empty = new Set<string>();
  for (const claim of claims.slice(0, 1 + samples)) {
    const reservation = budget.reservation();
    const slotted = { claim, reservedAtMs: context.clock.nowMs(), burstMs: 0, reservation };
    const result = await crawlPage(slotted, rules, context, signal);
    if (result.kind === 'settle') {
      if (needsBrowser(result.settlement)) empty.add(claim.url);
      await store.frontier.settle([result.settlement]);
    } else if (claim.url === rules.startUrl)
      await store.journal.append(run.id, [{ kind: 'throttled', url: rules.startUrl, detail: {} }]);
  }
  return empty;
}

function needsBrowser({ outcome }: Settlement): boolean {
  if (outcome.kind === 'indexed') return (outcome.page.renderedBy ?? null) !== null;
  return outcome.kind === 'skipped' && outcome.reason.startsWith('needs-rendering');
}

/** The start, if it may be fetched at all, and what follows it: seeds come first in the queue of their host. */
async function claimFirst(store: Store, start: PageUrl, leaseMs: number): Promise<readonly Claim[]> {
  const claims = await store.frontier.claim({ worker: WORKER, limit: BATCH_SIZE, leaseMs, aheadMs: 86_400_000 });
  const first = claims.find(({ url }) => url === start);
  return first === undefined ? [] : [first, ...claims.filter((claim) => claim !== first)];
}

async function summarizePlan(
  store: Store,
  run: RunId,
): Promise<
  Omit<SourcePlan, 'startUrl' | 'markdownRoute' | 'rendering' | 'verdict' | 'forecast'> & {
    readonly urls: readonly string[];
  }
> {
  const foundBy: Record<string, number> = {};
  const examples: { url: string; foundBy: string }[] = [];
  const problems: string[] = [];
  const urls: string[] = [];
  for await (const entry of eachUrl(store, run)) {
    if (entry.outcome === 'failed' || entry.outcome === 'skipped' || entry.outcome === 'not-found')
      problems.push(`${entry.url}: ${entry.reason ?? entry.outcome}`);
    if (entry.state === 'excluded' || entry.outcome === 'moved') continue;
    urls.push(entry.url);
    foundBy[entry.foundBy] = (foundBy[entry.foundBy] ?? 0) + 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ url: entry.url, foundBy: entry.foundBy });
  }
  const rules = await store.frontier.reasons(run, 'excluded', MAX_RULES);
  const excluded = rules.map(({ reason, count, example }) => ({ rule: reason, count, example }));
  for (const { target, message } of await store.journal.problems(run)) problems.push(`${target}: ${message}`);
  const sorted = examples.toSorted((a, b) => compareText(a.url, b.url));
  return { accepted: urls.length, foundBy, examples: sorted, excluded, problems, urls };
}

async function* eachUrl(store: Store, run: RunId): AsyncGenerator<FrontierUrl> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['frontier']['urls']>> = await store.frontier.urls(run, {
      outcome: null,
      after,
      limit: BATCH_SIZE,
    });
    yield* page.urls;
    ({ after } = page);
  } while (after !== null);
}
