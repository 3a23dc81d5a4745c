// A dry run: what a crawl would start with and what its rules would exclude. It seeds a real run and crawls its first
// page in a temporary store, so the plan cannot differ from the crawl.

import type { PageUrl } from '../core/model/page-url.ts';
import type { RunId } from '../core/model/run.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import { createByteBudget } from '../crawl/context/byte-budget.ts';
import type { RunRules } from '../crawl/context/run-rules.ts';
import { type CrawlContext, type CrawlContextOptions, createCrawlContext } from '../crawl/page/crawl-context.ts';
import { crawlPage } from '../crawl/page/crawl-page.ts';
import { seedRun } from '../crawl/seed/seed-run.ts';
import { storedMarkdown } from '../crawl/site/site-profile.ts';
import type { Claim, FrontierUrl, Run, Store } from '../store/port.ts';

export interface SourcePlan {
  readonly start: PageUrl;
  readonly accepted: number;
  readonly foundBy: Record<string, number>;
  readonly markdownRoute: string | null;
  readonly examples: { url: string; foundBy: string }[];
  readonly excluded: { rule: string; times: number; example: string }[];
  readonly problems: string[];
}

const BATCH_SIZE = 1000;
const MAX_EXAMPLES = 20;
const MAX_RULES = 50;
const WORKER = 'plan';

export async function planSource(
  start: PageUrl,
  settings: CrawlSettings,
  /** With a store that nothing else uses. */
  deps: CrawlContextOptions,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { store } = deps.ports;
  const source = await store.sources.add({ name: WORKER, kind: 'web', start, settings: { ...settings } }, '');
  const [version] = source.versions;
  if (version === undefined) throw new Error('the source of a plan has no version');
  const run = await store.runs.start(version.id, 'incremental', {});
  await store.runs.lease(WORKER, deps.limits.leaseMs);
  const context = createCrawlContext(deps);
  const rules = await context.loadRunRules(run.id);
  await seedRun(run, rules, context, signal);
  await crawlStart(run, rules, context, signal);
  const { route, ownMarkdown } = storedMarkdown(await store.sources.facts(version.id));
  return {
    start,
    markdownRoute: ownMarkdown?.isUsed === false ? null : route,
    ...(await summarizePlan(store, run.id)),
  };
}

/** The links of the first page are part of the plan, since many sites have nothing else. */
async function crawlStart(run: Run, rules: RunRules, context: CrawlContext, signal: AbortSignal): Promise<void> {
  const { store } = context.ports;
  const claim = await claimStart(store, rules.start, context.limits.leaseMs);
  if (claim === null) return;
  const reservation = createByteBudget(context.limits.maxInFlightBytes).reservation();
  const result = await crawlPage(
    { claim, reservedAtMs: context.clock.nowMs(), burstMs: 0, reservation },
    rules,
    context,
    signal,
  );
  if (result.kind === 'settle') await store.frontier.settle([result.settlement]);
  else await store.journal.append(run.id, [{ kind: 'throttled', url: rules.start, detail: {} }]);
}

/** Seeds come first in the queue of their host, so one claim finds the start if it may be fetched at all. */
async function claimStart(store: Store, start: PageUrl, leaseMs: number): Promise<Claim | null> {
  const claims = await store.frontier.claim({ worker: WORKER, limit: BATCH_SIZE, leaseMs, aheadMs: 86_400_000 });
  return claims.find(({ url }) => url === start) ?? null;
}

async function summarizePlan(
  store: Store,
  run: RunId,
): Promise<Pick<SourcePlan, 'accepted' | 'foundBy' | 'examples' | 'excluded' | 'problems'>> {
  const foundBy: Record<string, number> = {};
  const examples: { url: string; foundBy: string }[] = [];
  const problems: string[] = [];
  let accepted = 0;
  for await (const entry of eachUrl(store, run)) {
    if (entry.outcome === 'failed' || entry.outcome === 'skipped' || entry.outcome === 'gone')
      problems.push(`${entry.url}: ${entry.reason ?? entry.outcome}`);
    if (entry.state === 'excluded' || entry.outcome === 'moved') continue;
    accepted += 1;
    foundBy[entry.foundBy] = (foundBy[entry.foundBy] ?? 0) + 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ url: entry.url, foundBy: entry.foundBy });
  }
  const rules = await store.frontier.reasons(run, 'excluded', MAX_RULES);
  const excluded = rules.map(({ reason, times, example }) => ({ rule: reason, times, example }));
  for (const { target, message } of await store.journal.problems(run)) problems.push(`${target}: ${message}`);
  return { accepted, foundBy, examples: examples.toSorted((a, b) => (a.url < b.url ? -1 : 1)), excluded, problems };
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
