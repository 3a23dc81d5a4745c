// Seeds a new run: with discovered URLs, the start itself, and the URLs of previous runs.

import { areHtmlFiles } from '../../core/discover/markdown/markdown-route.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { CrawlPorts } from '../context/ports.ts';
import { maxUrlsOf, retriedReason, type RunRules } from '../context/run-rules.ts';
import type { CrawlClock } from '../politeness/host-rate-limiter.ts';
import { statedTerms } from '../../core/discover/robots/usage-terms.ts';
import { createPoliteFetch, runRequester, type PoliteFetchDeps } from '../politeness/polite-fetch.ts';
import { chooseMarkdownRoute, pagesToProbe, probePage, readAlternates } from './choose-route.ts';
import { evaluateMarkdown, reportPoorMarkdown } from './compare-markdown.ts';
import { type DiscoverDeps, type Discovery, discoverSource, llmsFullUrls, sitemapUrls } from './discover-source.ts';
import { isLlmsFullUnchanged } from './llms-full-unchanged.ts';
import type { SitemapPages } from './read-sitemaps.ts';
import { type AdmissionContext, admitUrl, admitUrls, type FoundUrl } from '../site/admit-urls.ts';
import { loadLlmsFullList, loadLlmsFullPages, saveLlmsFull } from '../site/llms-full-cache.ts';
import {
  knownMarkdown,
  textsByUrl,
  pageUrlOnRoute,
  saveSiteProfile,
  saveUsageTerms,
  storedMarkdown,
  type VariantRoute,
} from '../site/site-profile.ts';
import type { Store } from '../../store/port.ts';
import type { Exclusion, DiscoveryKind, FrontierEntry, PreviousUrl } from '../../store/port/frontier.ts';
import type { Run } from '../../store/port/runs.ts';

const BATCH_SIZE = 1000;
const NO_VARIANTS: ReadonlyMap<PageUrl, Uint8Array> = new Map();

export interface SeedDeps
  extends Omit<DiscoverDeps, 'run' | 'politeFetch' | 'cachedLlmsFull' | 'sinceMs'>, PoliteFetchDeps {
  readonly ports: CrawlPorts;
  readonly clock: CrawlClock;
}

/** Every write is idempotent: after a kill the next coordinator starts over. */
export async function seedRun(run: Run, rules: RunRules, deps: SeedDeps, signal: AbortSignal): Promise<void> {
  const { store, parser } = deps.ports;
  await deps.rateTracker.visit({ run: run.id, url: rules.startUrl });
  // A thread takes a moment to start. Starting it during discovery means that the first page finds it ready.
  parser.pipelineVersions(signal).catch(() => undefined);
  const fetchesKnown = run.mode === 'refresh' || run.mode === 'retry';
  const known = fetchesKnown
    ? await knownMarkdown(store, run.version, () => isLlmsFullUnchanged(run, rules, deps, signal))
    : null;
  if (known !== null) {
    const access = await deps.robots.accessFor(rules.startUrl, run.id, signal);
    await saveUsageTerms(store, run.version, statedTerms(access));
    return seedPreviousUrls(run, { rules, robots: deps.robots, route: known.route }, store);
  }
  const { discovery, route } = await profileSite(run, rules, deps, signal);
  const admission: AdmissionContext = { rules, robots: deps.robots, route };
  if (!fetchesKnown) await seedDiscovered(run, discovery, admission, deps);
  await seedPreviousUrls(run, admission, store);
}

/** Discovers the URLs of the site, and saves what it learnt for all workers of the run. */
async function profileSite(
  run: Run,
  rules: RunRules,
  deps: SeedDeps,
  signal: AbortSignal,
): Promise<{ readonly discovery: Discovery; readonly route: VariantRoute | null }> {
  const { store, parser } = deps.ports;
  const politeFetch = createPoliteFetch(deps, runRequester(run.id, rules, deps), signal);
  const cachedLlmsFull = rules.trustsValidators ? await loadLlmsFullList(store, run.version) : null;
  const sinceMs = await lastRunStart(run, rules, store);
  const discovery = await discoverSource(rules, { ...deps, run: run.id, politeFetch, cachedLlmsFull, sinceMs }, signal);
  const plain: AdmissionContext = { rules, robots: deps.robots, route: null };
  const probed = await pagesToProbe(discovery, plain, { parser, politeFetch }, signal);
  const { discoveryFetch } = discovery;
  const { route, variants: atRoute } = await chooseMarkdownRoute(probed, discoveryFetch);
  const { negotiates, hasAlternate } = await probePage(probed, politeFetch, discoveryFetch);
  const named = route === null && hasAlternate ? await readAlternates(probed, discoveryFetch) : NO_VARIANTS;
  const readsAlternates = named.size > 0;
  const variants = readsAlternates ? named : atRoute;
  const { llmsFull } = discovery;
  if (llmsFull.kind === 'read') await saveLlmsFull(store, run.version, { file: rules.startUrl, ...llmsFull });
  const llmsFullPages = textsByUrl(await loadLlmsFullPages(store, run.version), route);
  const isNew = llmsFull.kind === 'read' && llmsFull.pages.length > 0;
  const known = rules.trustsValidators && !isNew ? storedMarkdown(await store.sources.siteProfile(run.version)) : null;
  const ownMarkdown = await evaluateMarkdown(
    probed,
    { route, variants, negotiates, llmsFull: llmsFullPages },
    { parser, discoveryFetch, known, signal },
  );
  if (ownMarkdown !== null)
    await reportPoorMarkdown({ run: run.id, startUrl: rules.startUrl }, ownMarkdown, deps.report);
  const { description, usageTerms } = discovery;
  const profile = {
    route,
    readsAlternates,
    filesAreHtml: areHtmlFiles(probed),
    negotiates,
    ownMarkdown,
    description,
    usageTerms,
  };
  await saveSiteProfile(store, run.version, profile);
  return { discovery, route };
}

/**
 * Many sites state each page at every level; the first one counts, since a URL that the run has is not changed. The start comes
 * first, at its level: the others may fill the run.
 */
async function seedDiscovered(
  run: Run,
  { llmsFull, llmsTxt, sitemap, moreSitemaps, apiDescriptions }: Discovery,
  admission: AdmissionContext,
  deps: SeedDeps,
): Promise<void> {
  const { store } = deps.ports;
  const { route, rules } = admission;
  const pageUrlOf = (url: PageUrl): PageUrl => pageUrlOnRoute(url, route);
  const modified = new Set(sitemap.flatMap((part) => part.modified));
  const seed = (urls: Iterable<PageUrl>, level: DiscoveryKind): Promise<number> =>
    seedFound(run, foundAt(urls, level, modified), admission, store);
  const levels: ReadonlyArray<readonly [DiscoveryKind, ReadonlySet<PageUrl>]> = [
    ['llms-full', new Set(llmsFullUrls(llmsFull).map(pageUrlOf))],
    ['llms-txt', new Set(llmsTxt.map(pageUrlOf))],
    ['api-catalog', new Set(apiDescriptions.map(pageUrlOf))],
  ];
  const firstLevels = [...levels, ['sitemap', new Set(sitemapUrls(sitemap))] as const];
  const [levelOfStart] = firstLevels.find(([, urls]) => urls.has(rules.startUrl)) ?? ['seed'];
  await seed([rules.startUrl], levelOfStart);
  for (const [level, urls] of levels) await seed(urls, level);
  await seedSitemaps(run, [sitemap, moreSitemaps], admission, deps);
}

/** Returns how many were admitted. */
async function seedFound(
  run: Run,
  found: readonly FoundUrl[],
  admission: AdmissionContext,
  store: Store,
): Promise<number> {
  let admitted = 0;
  for (let first = 0; first < found.length; first += BATCH_SIZE) {
    const { links, excluded } = admitUrls(found.slice(first, first + BATCH_SIZE), admission);
    await store.frontier.exclude(run.id, excluded);
    await store.frontier.enqueue(run.id, links);
    admitted += links.length;
  }
  return admitted;
}

/** The URLs of sitemaps go into the frontier as they are read, and no more of them than the run can use. */
async function seedSitemaps(
  run: Run,
  parts: readonly [Iterable<SitemapPages>, AsyncIterable<SitemapPages>],
  admission: AdmissionContext,
  { ports, limits, report }: SeedDeps,
): Promise<void> {
  const limit = maxUrlsOf(admission.rules, limits);
  let admitted = 0;
  for (const part of parts) {
    for await (const { pages, outside, modified } of part) {
      const found = foundAt(new Set([...pages, ...outside]), 'sitemap', new Set(modified));
      admitted += await seedFound(run, found, admission, ports.store);
      if (admitted < limit) continue;
      const message = `Its sitemaps list more pages than the run may store, so only the first ${admitted} were queued. Set maxPages of the source for more`;
      const target = admission.rules.startUrl;
      await report({
        run: run.id,
        kind: 'sitemap-unread',
        severity: 'warning',
        scope: 'site',
        target,
        message,
        details: {},
      });
      return;
    }
  }
}

/** URLs that were modified since the last run are fetched first: a run that is cut short has seen them. */
function foundAt(urls: Iterable<PageUrl>, level: DiscoveryKind, modified: ReadonlySet<PageUrl>): FoundUrl[] {
  return Array.from(urls, (href) => ({
    href,
    depth: 0,
    foundBy: level,
    parent: null,
    ...(modified.has(href) && { isFirst: true }),
  }));
}

const MAX_EARLIER_RUNS = 20;

/**
 * When the last run began that fetched what it could; null if the order does not matter: there is none, or levels are
 * complete before the next one begins.
 */
async function lastRunStart(run: Run, { settings }: RunRules, { runs }: Store): Promise<number | null> {
  if (settings.maxDepth !== null) return null;
  const earlier = await runs.list(MAX_EARLIER_RUNS, run.source);
  const last = earlier.find(
    ({ id, version, state }) =>
      id < run.id && version === run.version && (state === 'completed' || state === 'partial'),
  );
  return last?.startedAt?.getTime() ?? null;
}

/**
 * Seeds a run with the URLs of previous runs. A page that responds 304 is not parsed, so its links come from here: every
 * URL seen before is admitted by the current rules and enqueued, whether it has a stored page or not.
 */
async function seedPreviousUrls(run: Run, admission: AdmissionContext, store: Store): Promise<void> {
  const only = run.mode === 'retry' ? ({ outcome: 'failed', reason: retriedReason(run) } as const) : undefined;
  let after: string | null = null;
  do {
    const batch = await store.frontier.previousUrls(run.id, after, BATCH_SIZE, only);
    const links: FrontierEntry[] = [];
    const excluded: Exclusion[] = [];
    for (const previous of batch.urls) {
      if (run.mode === 'refresh' && !previous.hasPage) continue;
      admitPrevious(previous, admission, { links, excluded });
    }
    await store.frontier.exclude(run.id, excluded);
    await store.frontier.enqueue(run.id, links);
    after = batch.after;
  } while (after !== null);
}

function admitPrevious(
  previous: PreviousUrl,
  admission: AdmissionContext,
  to: { links: FrontierEntry[]; excluded: Exclusion[] },
): void {
  const { url, depth, foundBy, parent, hasPage } = previous;
  const verdict = admitUrl({ href: url, depth }, admission);
  // A stored page that the source's own rules now exclude is enqueued in order to be removed; a run with a narrower
  // filter leaves it alone.
  if (verdict.admit ? verdict.url === url : hasPage && !admission.rules.isNarrowed) {
    to.links.push({ url, depth, foundBy, priority: depth, parent });
  } else if (!verdict.admit && !hasPage) {
    to.excluded.push({ url, depth, foundBy, reason: `${verdict.reason}: ${verdict.rule}`, parent });
  }
}
