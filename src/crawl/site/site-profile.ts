// What a run's conductor learns of a version before the first claim, and every worker then knows: the Markdown route of
// its host, and the pages that llms-full.txt holds.

import { MARKDOWN_ROUTES, pageOfTwin, type MarkdownRoute } from '../../core/discover/markdown/markdown-route.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import type { JsonObject, Store } from '../../store/port.ts';
import { keptLlmsFullPages } from './llms-full-cache.ts';

/** `alternate` needs the page first and saves nothing, so no host is crawled by it. */
export type TwinRoute = Exclude<MarkdownRoute, 'alternate'>;

export interface VersionLore {
  readonly route: TwinRoute | null;
  /** Its pages are files such as `/a.html`, and so are those behind its folders. */
  readonly filesAreHtml: boolean;
  /** The host answers with Markdown where it is asked for a page and has both. */
  readonly negotiates: boolean;
  /** Markdown of the pages that llms-full.txt covers. */
  readonly pages: ReadonlyMap<PageUrl, string>;
}

export type LoreOf = (run: RunId, version: VersionId) => Promise<VersionLore>;

const REMEMBERED = 20;

/** Read once a run: the conductor wrote it before the first claim. */
export function createLoreOf(store: Store): LoreOf {
  const known = new Map<RunId, Promise<VersionLore>>();
  return (run, version) => {
    let lore = known.get(run);
    if (lore === undefined) {
      if (known.size >= REMEMBERED) known.clear();
      lore = readLore(store, version);
      known.set(run, lore);
      lore.catch(() => known.delete(run));
    }
    return lore;
  };
}

async function readLore(store: Store, version: VersionId): Promise<VersionLore> {
  const facts = await store.sources.facts(version);
  const pages = await keptLlmsFullPages(store, version);
  const route = twinRouteOf(facts);
  return {
    route,
    filesAreHtml: facts['filesAreHtml'] === true,
    negotiates: facts['negotiates'] === true,
    pages: new Map(pages.map(({ url, text }) => [pageAddress(url, route), text])),
  };
}

/** Files that tell where pages are may name their twins. */
export function pageAddress(url: PageUrl, route: TwinRoute | null): PageUrl {
  return route === null ? url : (pageOfTwin(url, route) ?? url);
}

/** The route that an earlier run chose for the version. */
function twinRouteOf(facts: JsonObject): TwinRoute | null {
  const route = MARKDOWN_ROUTES.find((name) => name === facts['markdownRoute']);
  return route === undefined || route === 'alternate' ? null : route;
}

export async function keepLore(
  store: Store,
  version: VersionId,
  { route, filesAreHtml, negotiates }: Omit<VersionLore, 'pages'>,
): Promise<void> {
  const facts = await store.sources.facts(version);
  await store.sources.keepFacts(version, { ...facts, markdownRoute: route, filesAreHtml, negotiates });
}
