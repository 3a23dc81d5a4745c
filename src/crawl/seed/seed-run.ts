// Seeds a new run: with discovered URLs, the start itself, and the URLs of previous runs.

import { areHtmlFiles, pagesToProbe } from '../../core/discover/markdown/markdown-route.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { CrawlPorts } from '../context/ports.ts';
import { retriedReason, type RunRules } from '../context/run-rules.ts';
import { createPoliteFetch, type PoliteFetchDeps } from '../polite/polite-fetch.ts';
import { chooseMarkdownRoute, negotiatesMarkdown, probeCandidates } from './choose-route.ts';
import { type DiscoverDeps, discoverSource, llmsFullUrls } from './discover-source.ts';
import { type AdmissionContext, admitUrl, admitUrls, type FoundUrl } from '../site/admit-urls.ts';
import { loadLlmsFullList, saveLlmsFull } from '../site/llms-full-cache.ts';
import { pageUrlOnRoute, saveSiteProfile } from '../site/site-profile.ts';
import type { Exclusion, DiscoveryKind, FrontierEntry, PreviousUrl, Run, Store } from '../../store/port.ts';

const BATCH_SIZE = 1000;

export interface SeedDeps extends Omit<DiscoverDeps, 'run' | 'politeFetch' | 'cachedLlmsFull'>, PoliteFetchDeps {
  readonly ports: CrawlPorts;
}

/** Every write is idempotent: after a kill the next coordinator starts over. */
export async function seedRun(run: Run, rules: RunRules, deps: SeedDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.ports;
  await deps.rateTracker.visit({ run: run.id, url: rules.start });
  const politeFetch = createPoliteFetch(deps, { run: run.id, headersFor: rules.headers.headersFor }, signal);
  // A thread takes a moment to start. Starting it during discovery means that the first page finds it ready.
  deps.ports.parser.pipelineVersions(signal).catch(() => undefined);
  const cachedLlmsFull = rules.trustsValidators ? await loadLlmsFullList(store, run.version) : null;
  const discovery = await discoverSource(rules, { ...deps, run: run.id, politeFetch, cachedLlmsFull }, signal);
  const plain: AdmissionContext = { rules, robots: deps.robots, route: null };
  const probed = pagesToProbe(
    await probeCandidates(discovery, plain, { parser: deps.ports.parser, politeFetch }, signal),
  );
  const route = await chooseMarkdownRoute(probed, politeFetch);
  const negotiates = await negotiatesMarkdown(probed, politeFetch);
  const pageUrlOf = (url: PageUrl): PageUrl => pageUrlOnRoute(url, route);
  const { llmsFull } = discovery;
  if (llmsFull.kind === 'read') await saveLlmsFull(store, run.version, { file: rules.start, ...llmsFull });
  await saveSiteProfile(store, run.version, { route, filesAreHtml: areHtmlFiles(probed), negotiates });

  const admission: AdmissionContext = { ...plain, route };
  const found = [
    ...dedupeByUrl([
      ...foundAt(llmsFullUrls(llmsFull).map(pageUrlOf), 'llms-full'),
      ...foundAt(discovery.llmsTxt.map(pageUrlOf), 'llms-txt'),
      ...foundAt(discovery.sitemap, 'sitemap'),
    ]),
    ...foundAt([rules.start], 'seed'),
  ];
  if (run.mode !== 'refresh' && run.mode !== 'retry') await seedFound(run, found, admission, store);
  await seedPreviousUrls(run, admission, store);
}

async function seedFound(
  run: Run,
  found: readonly FoundUrl[],
  admission: AdmissionContext,
  store: Store,
): Promise<void> {
  for (let first = 0; first < found.length; first += BATCH_SIZE) {
    const { links, excluded } = admitUrls(found.slice(first, first + BATCH_SIZE), admission);
    await store.frontier.exclude(run.id, excluded);
    await store.frontier.enqueue(run.id, links);
  }
}

function foundAt(urls: readonly PageUrl[], level: DiscoveryKind): FoundUrl[] {
  return urls.map((href) => ({ href, depth: 0, foundBy: level, parent: null }));
}

/** Many sites state each page at every level; the first one counts. */
function dedupeByUrl(found: readonly FoundUrl[]): readonly FoundUrl[] {
  const first = new Map<string, FoundUrl>();
  for (const url of found) if (!first.has(url.href)) first.set(url.href, url);
  return [...first.values()];
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
