// A dry run: what a crawl would begin with and what its rules would refuse. It seeds a real run and reads its first page,
// in a store that is thrown away, so the plan cannot differ from the crawl.

import type { PageUrl } from '../core/model/page-url.ts';
import type { RunId } from '../core/model/run.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import type { Claim, FrontierUrl, Run, Store } from '../store/port.ts';
import { createByteRoom } from '../crawl/context/byte-budget.ts';
import { crawlPage } from '../crawl/page/crawl-page.ts';
import { createPageDeps, type Beginnings } from '../crawl/page/crawl-context.ts';
import type { PageDeps } from '../operate/page-deps.ts';
import type { RunRules } from '../crawl/context/run-rules.ts';
import { seedRun } from '../crawl/seed/seed-run.ts';

export interface SourcePlan {
  readonly start: PageUrl;
  readonly taken: number;
  readonly foundBy: Record<string, number>;
  readonly markdownRoute: string | null;
  readonly examples: { url: string; foundBy: string }[];
  readonly refused: { rule: string; times: number; example: string }[];
  readonly problems: string[];
}

const PIECE = 1000;
const EXAMPLES = 20;
const SHOWN_RULES = 50;
const WORKER = 'plan';

export async function planSource(
  start: PageUrl,
  settings: CrawlSettings,
  /** With a store that nobody else uses. */
  deps: Beginnings,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { store } = deps.stages;
  const source = await store.sources.add({ name: WORKER, kind: 'web', start, settings: { ...settings } }, '');
  const [version] = source.versions;
  if (version === undefined) throw new Error('the source of a plan has no version');
  const run = await store.runs.start(version.id, 'incremental', {});
  await store.runs.lease(WORKER, deps.limits.leaseMs);
  const pageDeps = createPageDeps(deps);
  const rules = await pageDeps.rulesOf(run.id);
  await seedRun(run, rules, pageDeps, signal);
  await readStart(run, rules, pageDeps, signal);
  const route = (await store.sources.facts(version.id))['markdownRoute'];
  return { start, markdownRoute: typeof route === 'string' ? route : null, ...(await whatIsKnown(store, run.id)) };
}

/** The links of the first page are part of the plan, since many sites have nothing else. */
async function readStart(run: Run, rules: RunRules, deps: PageDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  const claim = await claimOf(store, rules.start, deps.limits.leaseMs);
  if (claim === null) return;
  const place = createByteRoom(deps.limits.maxBytesInWork).place();
  const result = await crawlPage({ claim, takenAtMs: deps.clock.nowMs(), rowMs: 0, place }, rules, deps, signal);
  if (result.kind === 'settle') await store.frontier.settle([result.settlement]);
  else await store.journal.append(run.id, [{ kind: 'throttled', url: rules.start, detail: {} }]);
}

/** Seeds stand before everything else of their host, so one look finds the start where it may be asked at all. */
async function claimOf(store: Store, start: PageUrl, leaseMs: number): Promise<Claim | null> {
  const claims = await store.frontier.claim({ worker: WORKER, limit: PIECE, leaseMs, aheadMs: 86_400_000 });
  return claims.find(({ url }) => url === start) ?? null;
}

async function whatIsKnown(
  store: Store,
  run: RunId,
): Promise<Pick<SourcePlan, 'taken' | 'foundBy' | 'examples' | 'refused' | 'problems'>> {
  const foundBy: Record<string, number> = {};
  const examples: { url: string; foundBy: string }[] = [];
  const problems: string[] = [];
  let taken = 0;
  for await (const one of everyUrl(store, run)) {
    if (one.outcome === 'failed' || one.outcome === 'skipped' || one.outcome === 'gone')
      problems.push(`${one.url}: ${one.reason ?? one.outcome}`);
    if (one.state === 'refused' || one.outcome === 'moved') continue;
    taken += 1;
    foundBy[one.foundBy] = (foundBy[one.foundBy] ?? 0) + 1;
    if (examples.length < EXAMPLES) examples.push({ url: one.url, foundBy: one.foundBy });
  }
  const rules = await store.frontier.reasons(run, 'refused', SHOWN_RULES);
  const refused = rules.map(({ reason, times, example }) => ({ rule: reason, times, example }));
  for (const { target, message } of await store.journal.problems(run)) problems.push(`${target}: ${message}`);
  return { taken, foundBy, examples: examples.toSorted((a, b) => (a.url < b.url ? -1 : 1)), refused, problems };
}

async function* everyUrl(store: Store, run: RunId): AsyncGenerator<FrontierUrl> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['frontier']['urls']>> = await store.frontier.urls(run, {
      outcome: null,
      after,
      limit: PIECE,
    });
    yield* page.urls;
    ({ after } = page);
  } while (after !== null);
}
