// Fills a new run: what discovery found, what is known already, and the start itself.

import { pageOfTwin } from '../core/discover/markdown-route.ts';
import { parsePageUrl, type PageUrl } from '../core/model/page-url.ts';
import { admitUrls, type FoundUrl, type Gate } from './admit-links.ts';
import { createAskHost, type AskDeps } from './ask-host.ts';
import { chooseRoute } from './choose-route.ts';
import { discoverSource, type DiscoverDeps, type Discovery } from './discover-source.ts';
import type { RunRules } from './run-rules.ts';
import type { CrawlStages } from './stages.ts';
import { keepLore } from './version-lore.ts';
import type { FoundBy, Run } from '../store/port.ts';

const PIECE = 1000;

export interface SeedDeps extends Omit<DiscoverDeps, 'run' | 'ask'>, AskDeps {
  readonly stages: CrawlStages;
}

/** Every write of it may be repeated: after a kill the next conductor begins again. */
export async function seedRun(run: Run, rules: RunRules, deps: SeedDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  const ask = createAskHost(deps, { run: run.id, headersFor: rules.headers.headersFor }, signal);
  const discovery =
    run.mode === 'refresh' ? NOTHING : await discoverSource(rules, { ...deps, run: run.id, ask }, signal);
  const route = await chooseRoute(probePages(discovery), ask);
  const page = (url: PageUrl): PageUrl => (route === null ? url : (pageOfTwin(url, route) ?? url));
  const pages = new Map(discovery.llmsFull.map(({ url, text }) => [page(url), text] as const));
  await keepLore(store, run.version, rules.start, { route, pages });

  let after: string | null = null;
  do after = await store.frontier.offerKnown(run.id, after, PIECE);
  while (after !== null);
  if (run.mode === 'refresh') return;
  const gate: Gate = { rules, robots: deps.robots, route };
  const found = [
    ...foundBy([...pages.keys()], 'llms-full'),
    ...foundBy(discovery.llmsTxt, 'llms-txt'),
    ...foundBy(discovery.sitemap, 'sitemap'),
    ...foundBy([rules.start], 'seed'),
  ];
  for (let first = 0; first < found.length; first += PIECE) {
    const { links, refused } = admitUrls(found.slice(first, first + PIECE), gate);
    await store.frontier.refuse(run.id, refused);
    await store.frontier.offer(run.id, links);
  }
}

const NOTHING: Discovery = { llmsTxt: [], llmsFull: [], sitemap: [] };

function foundBy(urls: readonly PageUrl[], level: FoundBy): FoundUrl[] {
  return urls.map((href) => ({ href, depth: 0, foundBy: level, parent: null }));
}

/** Twins are what is looked for, so the pages to probe are those that are none. */
function probePages({ sitemap, llmsTxt, llmsFull }: Discovery): readonly PageUrl[] {
  const stated = [...sitemap, ...llmsFull.map(({ url }) => url), ...llmsTxt];
  return stated.map(withoutTwinSuffix).filter((url) => url !== null);
}

function withoutTwinSuffix(url: PageUrl): PageUrl | null {
  return parsePageUrl(url.replace(/\.md$/, ''));
}
