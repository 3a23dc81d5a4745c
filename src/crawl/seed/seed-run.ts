// Fills a new run: what discovery found, the start itself, and what earlier runs left behind.

import { areHtmlFiles, pagesToProbe } from '../../core/discover/markdown/markdown-route.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { admitUrls, type FoundUrl, type Gate } from '../site/admit-urls.ts';
import { createAskHost, type AskDeps } from '../polite/polite-fetch.ts';
import { chooseRoute, doesNegotiate } from './choose-route.ts';
import { discoverSource, llmsFullUrls, type DiscoverDeps } from './discover-source.ts';
import { probePages } from '../../operate/probe-pages.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlStages } from '../context/ports.ts';
import { seedKnown } from '../../operate/seed-known.ts';
import { keepLlmsFull, keptLlmsFull } from '../site/llms-full-cache.ts';
import { keepLore, pageAddress } from '../site/site-profile.ts';
import type { FoundBy, Run, Store } from '../../store/port.ts';

const PIECE = 1000;

export interface SeedDeps extends Omit<DiscoverDeps, 'run' | 'ask' | 'kept'>, AskDeps {
  readonly stages: CrawlStages;
}

/** Every write of it may be repeated: after a kill the next conductor begins again. */
export async function seedRun(run: Run, rules: RunRules, deps: SeedDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  await deps.watch.visit({ run: run.id, url: rules.start });
  const ask = createAskHost(deps, { run: run.id, headersFor: rules.headers.headersFor }, signal);
  // A thread takes a moment to start. The site is asked at its pace meanwhile, and its first page finds the thread ready.
  deps.stages.parser.makers(signal).catch(() => undefined);
  const kept = rules.trustsValidators ? await keptLlmsFull(store, run.version) : null;
  const discovery = await discoverSource(rules, { ...deps, run: run.id, ask, kept }, signal);
  const plain: Gate = { rules, robots: deps.robots, route: null };
  const probed = pagesToProbe(await probePages(discovery, plain, { parser: deps.stages.parser, ask }, signal));
  const route = await chooseRoute(probed, ask);
  const negotiates = await doesNegotiate(probed, ask);
  const page = (url: PageUrl): PageUrl => pageAddress(url, route);
  const { llmsFull } = discovery;
  if (llmsFull.kind === 'read') await keepLlmsFull(store, run.version, { file: rules.start, ...llmsFull });
  await keepLore(store, run.version, { route, filesAreHtml: areHtmlFiles(probed), negotiates });

  const gate: Gate = { ...plain, route };
  const found = [
    ...onlyFirst([
      ...foundBy(llmsFullUrls(llmsFull).map(page), 'llms-full'),
      ...foundBy(discovery.llmsTxt.map(page), 'llms-txt'),
      ...foundBy(discovery.sitemap, 'sitemap'),
    ]),
    ...foundBy([rules.start], 'seed'),
  ];
  if (run.mode !== 'refresh' && run.mode !== 'retry') await seedFound(run, found, gate, store);
  await seedKnown(run, gate, store);
}

async function seedFound(run: Run, found: readonly FoundUrl[], gate: Gate, store: Store): Promise<void> {
  for (let first = 0; first < found.length; first += PIECE) {
    const { links, refused } = admitUrls(found.slice(first, first + PIECE), gate);
    await store.frontier.refuse(run.id, refused);
    await store.frontier.offer(run.id, links);
  }
}

function foundBy(urls: readonly PageUrl[], level: FoundBy): FoundUrl[] {
  return urls.map((href) => ({ href, depth: 0, foundBy: level, parent: null }));
}

/** Many sites state each page at every level; the first one counts. */
function onlyFirst(found: readonly FoundUrl[]): readonly FoundUrl[] {
  const first = new Map<string, FoundUrl>();
  for (const one of found) if (!first.has(one.href)) first.set(one.href, one);
  return [...first.values()];
}
