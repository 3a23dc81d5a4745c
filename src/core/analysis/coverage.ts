// Coverage of a site: the share of the promised pages that is stored, by section, hub and pattern. Menus and lists promise pages.

import type { NavigationEntry } from '../discover/navigation.ts';
import type { PageUrl } from '../model/page-url.ts';
import { thousands } from '../text/plural.ts';
import { estimateSize, type SizeEstimate } from './estimate.ts';
import { findHubs, type Hub } from './hubs.ts';
import type { Evidence, KnownUrl } from './known-url.ts';
import type { SitePlaces } from './place-hubs.ts';
import { createLocator, TAXONOMIES, type SiteShape, type Taxonomy } from './site-shape.ts';
import { compareText } from '../text/compare-text.ts';

/** Types, because they are stored as JSON. */
export type SectionCoverage = {
  readonly slug: string;
  readonly label: string;
  readonly promised: number;
  readonly stored: number;
  /** Paths of the first few pages. */
  readonly missing: readonly string[];
};

export type HubCoverage = {
  readonly taxonomy: Taxonomy;
  readonly expected: number;
  readonly validated: number;
  readonly missing: ReadonlyArray<{
    readonly slug: string;
    readonly url: string;
    readonly expectedBy: readonly Evidence[];
  }>;
};

export type PatternCoverage = {
  readonly pattern: string;
  readonly urls: number;
  readonly stored: number;
  /** The most frequent kind of its pages; null if none is stored. */
  readonly pageKind: string | null;
  readonly meanTokens: number | null;
};

export type Coverage = {
  readonly promised: number;
  readonly stored: number;
  readonly coverage: number;
  /** Paths of the first few promised pages that are not stored. */
  readonly missing: readonly string[];
  readonly sections: readonly SectionCoverage[];
  readonly hubs: readonly HubCoverage[];
  readonly patterns: readonly PatternCoverage[];
  readonly orphans: number;
  readonly estimate: SizeEstimate;
};

export interface MeasuredSite {
  readonly shape: SiteShape;
  readonly startUrl: PageUrl;
  readonly urls: readonly KnownUrl[];
  /** Menus of the start page and of hubs, one entry per page that has it. */
  readonly navigation: readonly NavigationEntry[];
  /** Null without a gazetteer. */
  readonly places: SitePlaces | null;
}

const MAX_MISSING = 20;
const MAX_MISSING_HUBS = 50;
const MAX_PATTERNS = 100;
/** Tokens per word of English text. */
const TOKENS_PER_WORD = 1.3;

export function measureCoverage(site: MeasuredSite): Coverage & { readonly found: readonly Hub[] } {
  const { urls, navigation, shape, places } = site;
  const known = new Map(urls.map((one) => [one.key, one]));
  const inMenus = countEntries(navigation);
  const isStored = ({ state, target }: KnownUrl): boolean =>
    state === 'stored' || (state === 'moved' && (target === null || known.get(target)?.state === 'stored'));
  const promised = urls.filter(
    ({ url, listedBy, state }) => state !== 'left-out' && (listedBy !== null || inMenus.has(url)),
  );
  const found = findHubs({ shape, urls, navigation, places });
  const stored = promised.filter(isStored).length;
  return {
    promised: promised.length,
    stored,
    coverage: share(stored, promised.length),
    missing: missingPaths(promised, isStored),
    sections: sectionsOf(promised, site, isStored),
    hubs: hubsOf(found),
    patterns: patternsOf(urls, shape),
    orphans: urls.filter((one) => isOrphan(one, inMenus, site.startUrl)).length,
    estimate: estimateOf(urls, inMenus),
    found,
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000;
}

/** For each URL, the number of pages whose menus name it. */
function countEntries(navigation: readonly NavigationEntry[]): ReadonlyMap<PageUrl, number> {
  const counts = new Map<PageUrl, number>();
  for (const { url } of navigation) counts.set(url, (counts.get(url) ?? 0) + 1);
  return counts;
}

function missingPaths(promised: readonly KnownUrl[], isStored: (one: KnownUrl) => boolean): string[] {
  const paths = promised.filter((one) => !isStored(one)).map(({ url }) => new URL(url).pathname);
  return paths.sort().slice(0, MAX_MISSING);
}

/** Sections with the most promised pages first. Pages without a section count in the totals only. */
function sectionsOf(
  promised: readonly KnownUrl[],
  { shape }: MeasuredSite,
  isStored: (one: KnownUrl) => boolean,
): SectionCoverage[] {
  const locate = createLocator(shape);
  const bySlug = Map.groupBy(promised, ({ url }) => locate(url).section?.slug ?? null);
  return shape.sections
    .flatMap(({ slug, label }) => {
      const pages = bySlug.get(slug) ?? [];
      const stored = pages.filter(isStored).length;
      return pages.length === 0
        ? []
        : [{ slug, label, promised: pages.length, stored, missing: missingPaths(pages, isStored) }];
    })
    .sort((a, b) => b.promised - a.promised || compareText(a.slug, b.slug));
}

function hubsOf(hubs: readonly Hub[]): HubCoverage[] {
  return TAXONOMIES.flatMap((taxonomy) => {
    const members = hubs.filter((hub) => hub.taxonomy === taxonomy);
    const missing = members.filter(({ status }) => status === 'missing' || status === 'expected');
    const listed = missing.slice(0, MAX_MISSING_HUBS).map(({ slug, url, expectedBy }) => ({ slug, url, expectedBy }));
    const validated = members.filter(({ status }) => status === 'validated').length;
    return members.length === 0 ? [] : [{ taxonomy, expected: members.length, validated, missing: listed }];
  });
}

function patternsOf(urls: readonly KnownUrl[], shape: SiteShape): PatternCoverage[] {
  const locate = createLocator(shape);
  const admitted = urls.filter(({ state }) => state !== 'left-out');
  return [...Map.groupBy(admitted, ({ url }) => locate(url).pattern)]
    .sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b))
    .slice(0, MAX_PATTERNS)
    .map(([pattern, members]) => {
      const stored = members.filter(({ state }) => state === 'stored');
      const words = stored.flatMap((one) => one.words ?? []);
      const mean = words.reduce((sum, n) => sum + n, 0) / words.length;
      return {
        pattern,
        urls: members.length,
        stored: stored.length,
        pageKind: mostFrequent(stored.flatMap(({ pageKind }) => pageKind ?? [])),
        meanTokens: words.length === 0 ? null : Math.round(mean * TOKENS_PER_WORD),
      };
    });
}

function mostFrequent(kinds: readonly string[]): string | null {
  const counts = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => ({ kind, n: all.length }));
  return counts.sort((a, b) => b.n - a.n || compareText(a.kind, b.kind))[0]?.kind ?? null;
}

/** Whether a page is stored and no stored page links to it. */
function isOrphan(
  { state, inlinks, url }: KnownUrl,
  inMenus: ReadonlyMap<PageUrl, number>,
  startUrl: PageUrl,
): boolean {
  return state === 'stored' && inlinks === 0 && url !== startUrl && !inMenus.has(url);
}

function estimateOf(urls: readonly KnownUrl[], inMenus: ReadonlyMap<PageUrl, number>): SizeEstimate {
  const admitted = urls.filter(({ state }) => state !== 'left-out');
  const count = (is: (url: KnownUrl) => boolean): number => admitted.filter(is).length;
  const timesLinked = ({ url, inlinks }: KnownUrl): number => inlinks + (inMenus.get(url) ?? 0);
  return estimateSize({
    known: admitted.length,
    once: count((url) => timesLinked(url) === 1),
    twice: count((url) => timesLinked(url) === 2),
    listed: count(({ listedBy }) => listedBy !== null),
    linked: count((url) => timesLinked(url) > 0),
    linkedAndListed: count((url) => timesLinked(url) > 0 && url.listedBy !== null),
    stored: count(({ state }) => state === 'stored'),
    fetched: count(({ state }) => state !== 'queued'),
  });
}

/** The line of `crawl_status`: `1,204 of 1,250 promised pages (96%); missing: /guides/migration, …`. */
export function coverageLine({
  promised,
  stored,
  coverage,
  missing,
}: Pick<Coverage, 'promised' | 'stored' | 'coverage' | 'missing'>): string {
  const some = missing.slice(0, 3);
  const rest = promised - stored > some.length ? ', …' : '';
  const list = some.length === 0 ? '' : `; missing: ${some.join(', ')}${rest}`;
  return `${thousands(stored)} of ${thousands(promised)} promised pages (${Math.floor(coverage * 100)}%)${list}`;
}
