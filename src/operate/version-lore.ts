// What a run's conductor learns of a version before the first claim, and every worker then knows: the Markdown route of
// its host, and the pages that llms-full.txt holds.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MARKDOWN_ROUTES, type MarkdownRoute } from '../core/discover/markdown-route.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { RunId, VersionId } from '../core/model/run.ts';
import { decodeUtf8 } from '../core/model/text.ts';
import type { JsonObject, Store } from '../store/port.ts';

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

const LLMS_FULL = 'llms-full-pages';
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
  const file = await store.sources.file(version, LLMS_FULL);
  const pages =
    file === null ? [] : (JSON.parse(decodeUtf8(zstdDecompressSync(file.body.bytes))) as [PageUrl, string][]);
  return {
    route: twinRouteOf(facts),
    filesAreHtml: facts['filesAreHtml'] === true,
    negotiates: facts['negotiates'] === true,
    pages: new Map(pages),
  };
}

/** The route that an earlier run chose for the version. */
function twinRouteOf(facts: JsonObject): TwinRoute | null {
  const route = MARKDOWN_ROUTES.find((name) => name === facts['markdownRoute']);
  return route === undefined || route === 'alternate' ? null : route;
}

export async function keepLore(
  store: Store,
  version: VersionId,
  file: PageUrl,
  { route, filesAreHtml, negotiates, pages }: VersionLore,
): Promise<void> {
  const facts = await store.sources.facts(version);
  await store.sources.keepFacts(version, { ...facts, markdownRoute: route, filesAreHtml, negotiates });
  const inOrder = [...pages].sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = zstdCompressSync(Buffer.from(JSON.stringify(inOrder)));
  await store.sources.keepFile(version, LLMS_FULL, { url: file, body: { encoding: 'zstd', bytes } });
}
