// The site profile that discovery learns before the first claim, for all workers of a run: the Markdown route of its host,
// and the pages in llms-full.txt.

import { z } from 'zod';
import type { SiteDescription } from '../../core/discover/llms/llms-txt.ts';
import { MARKDOWN_ROUTES, pageOfVariant, type MarkdownRoute } from '../../core/discover/markdown/markdown-route.ts';
import { alternateMarkdown } from '../../core/discover/markdown/alternate-link.ts';
import type { VersionHints } from '../../core/extract/version-in-text.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import type { FetchedPage } from '../../fetch/port.ts';
import { cacheLoads } from '../../core/lru-cache.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import type { Store } from '../../store/port.ts';
import type { JsonObject } from '../../store/port/json.ts';
import { loadLlmsFullPages, type LlmsFullText } from './llms-full-cache.ts';

export const MARKDOWN_ACCEPT = 'text/markdown, text/plain;q=0.9, */*;q=0.5';
export const HTML_ACCEPT = 'text/html, */*;q=0.5';

/** The Markdown that a fetched HTML page names; null if it names none. */
export function alternateOf(page: PageUrl, { headers, mediaType, body }: FetchedPage): PageUrl | null {
  return /html/i.test(mediaType ?? '') ? alternateMarkdown(page, decodeUtf8(body), headers['link']) : null;
}

/** `alternate` needs the page first, so it has no URL. */
export type VariantRoute = Exclude<MarkdownRoute, 'alternate'>;

export interface SiteProfile {
  readonly route: VariantRoute | null;
  /** Its pages are files such as `/a.html`, and so are its folder URLs. */
  readonly filesAreHtml: boolean;
  /** Pages name their Markdown in their HTML: it is requested after the page. */
  readonly readsAlternates: boolean;
  /** The host serves Markdown by content negotiation where it has both. */
  readonly negotiates: boolean;
  /** False if the Markdown that the site publishes loses too much: pages are then read as HTML. */
  readonly usesMarkdown: boolean;
  /** Markdown of the pages in llms-full.txt. */
  readonly pages: ReadonlyMap<PageUrl, string>;
}

/** How the site's own Markdown compares with the HTML of the probed pages. */
export type OwnMarkdown = z.output<typeof OwnMarkdown>;

const Retained = z.object({ total: z.int(), retained: z.int() });
const OwnMarkdown = z.object({
  isUsed: z.boolean(),
  /** Compared pages. */
  pages: z.int(),
  fidelity: z.object({ words: Retained, codeBlocks: Retained, tables: Retained, definitions: Retained }),
  /** Extractors and chunkers that read the pages. */
  pipeline: z.string(),
  /** What the HTML of the probed pages declares: Markdown seldom declares a version. */
  declaredVersions: z.array(z.string().nullable()),
});

export type LoadSiteProfile = (run: RunId, version: VersionId) => Promise<SiteProfile>;

const MAX_CACHE_ENTRIES = 10_000;
/** Limit for the texts of llms-full.txt, which most sites do not have. */
const MAX_CACHED_CHARS = 134_217_728;

/** Read once per run: the coordinator saved it before the first claim. */
export function createSiteProfileLoader(store: Store, maxCachedChars = MAX_CACHED_CHARS): LoadSiteProfile {
  return cacheLoads(MAX_CACHE_ENTRIES, (_run: RunId, version: VersionId) => readSiteProfile(store, version), {
    maxWeight: maxCachedChars,
    weightOf: ({ pages }) => [...pages.values()].reduce((sum, text) => sum + text.length, 0),
  });
}

async function readSiteProfile(store: Store, version: VersionId): Promise<SiteProfile> {
  const profile = await store.sources.siteProfile(version);
  const pages = await loadLlmsFullPages(store, version);
  const { route, ownMarkdown } = storedMarkdown(profile);
  const usesMarkdown = ownMarkdown?.isUsed !== false;
  return {
    route,
    filesAreHtml: profile['filesAreHtml'] === true,
    readsAlternates: profile['markdownRoute'] === 'alternate',
    negotiates: profile['negotiates'] === true,
    usesMarkdown,
    pages: usesMarkdown ? textsByUrl(pages, route) : new Map(),
  };
}

export function textsByUrl(pages: readonly LlmsFullText[], route: VariantRoute | null): ReadonlyMap<PageUrl, string> {
  return new Map(pages.map(({ url, text }) => [pageUrlOnRoute(url, route), text]));
}

export interface StoredMarkdown {
  readonly route: VariantRoute | null;
  /** Null if there was nothing to compare. */
  readonly ownMarkdown: OwnMarkdown | null;
}

/** An earlier run's findings about the Markdown of the site. */
export function storedMarkdown(profile: JsonObject): StoredMarkdown {
  return { route: variantRouteOf(profile), ownMarkdown: OwnMarkdown.safeParse(profile['ownMarkdown']).data ?? null };
}

const SiteTitle = z.object({ site: z.object({ title: z.string() }) });

/** Evidence of the declared version that is not in the stored pages: the HTML of pages that are read as Markdown, and the title of llms.txt. */
export function storedVersionHints(profile: JsonObject): VersionHints {
  const { ownMarkdown } = storedMarkdown(profile);
  return {
    html: ownMarkdown?.isUsed === true ? ownMarkdown.declaredVersions : [],
    llmsTitle: SiteTitle.safeParse(profile).data?.site.title ?? null,
  };
}

/**
 * What is enough to fetch known pages again; null if the site has to be discovered. Pages that come from llms-full.txt are as old as
 * that file, so that one must be unchanged.
 */
export async function knownMarkdown(
  store: Store,
  version: VersionId,
  isLlmsFullUnchanged: () => Promise<boolean>,
): Promise<StoredMarkdown | null> {
  const profile = await store.sources.siteProfile(version);
  if (!('markdownRoute' in profile)) return null;
  const isKnown = (await loadLlmsFullPages(store, version)).length === 0 || (await isLlmsFullUnchanged());
  return isKnown ? storedMarkdown(profile) : null;
}

/** Discovery files may list Markdown variants. */
export function pageUrlOnRoute(url: PageUrl, route: VariantRoute | null): PageUrl {
  return route === null ? url : (pageOfVariant(url, route) ?? url);
}

/** The route that an earlier run chose for the version. */
function variantRouteOf(profile: JsonObject): VariantRoute | null {
  const route = MARKDOWN_ROUTES.find((name) => name === profile['markdownRoute']);
  return route === undefined || route === 'alternate' ? null : route;
}

interface Learnt {
  readonly ownMarkdown: OwnMarkdown | null;
  /** Null if the site has no llms.txt. */
  readonly description: SiteDescription | null;
  /** Null if robots.txt cannot be read. */
  readonly usageTerms: readonly string[] | null;
}

/** Null keeps what is stored: robots.txt cannot be read. */
export async function saveUsageTerms(
  store: Store,
  version: VersionId,
  usageTerms: readonly string[] | null,
): Promise<void> {
  if (usageTerms === null) return;
  await store.sources.changeSiteProfile(version, (stored) => ({ ...stored, usageTerms: [...usageTerms] }));
}

export async function saveSiteProfile(
  store: Store,
  version: VersionId,
  profile: Pick<SiteProfile, 'route' | 'filesAreHtml' | 'negotiates' | 'readsAlternates'> & Learnt,
): Promise<void> {
  const { route, readsAlternates, filesAreHtml, negotiates, ownMarkdown, description, usageTerms } = profile;
  // An llms.txt that could not be fetched this time may be there the next.
  const site = description === null ? {} : { site: { ...description } };
  const terms = usageTerms === null ? {} : { usageTerms: [...usageTerms] };
  const learnt = {
    markdownRoute: route ?? (readsAlternates ? 'alternate' : null),
    filesAreHtml,
    negotiates,
    ownMarkdown,
  };
  await store.sources.changeSiteProfile(version, (stored) => ({ ...stored, ...site, ...terms, ...learnt }));
}
