// Reads the stored URLs and menus of a site, and the parts that they reveal. Only a part of a very large site, so that memory is bounded.

import { measureCoverage, type Coverage } from '../../core/analysis/coverage.ts';
import { sectionLabels, type Hub } from '../../core/analysis/hubs.ts';
import type { KnownUrl } from '../../core/analysis/known-url.ts';
import { learnShape, type SiteShape } from '../../core/analysis/site-shape.ts';
import type { SitePlaces } from '../../core/analysis/place-hubs.ts';
import { createPlaceMatcher } from '../../core/gazetteer/match-places.ts';
import type { NavigationEntry } from '../../core/discover/navigation.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Store } from '../../store/port.ts';

export interface StoredSite {
  readonly startUrl: PageUrl;
  readonly urls: readonly KnownUrl[];
  readonly navigation: readonly NavigationEntry[];
  readonly labels: ReadonlyMap<string, string>;
  readonly shape: SiteShape;
  /** Null without a gazetteer. */
  readonly places: SitePlaces | null;
  /** When reading began, on the monotonic clock: what was stored later may be missing. */
  readonly readAtMs: number;
}

const BATCH_SIZE = 2000;
const MAX_URLS = 100_000;
const MAX_MENUS = 100;
/** The largest ones. */
const MATCHED_CITIES = 5000;

export async function readSite(
  { analysis, gazetteer }: Pick<Store, 'analysis' | 'gazetteer'>,
  version: VersionId,
  startUrl: PageUrl,
  maxUrls = MAX_URLS,
): Promise<StoredSite> {
  const readAtMs = monotonicMs();
  const urls: KnownUrl[] = [];
  let after: string | null = null;
  do {
    const batch = await analysis.knownUrls(version, after, BATCH_SIZE);
    urls.push(...batch.urls);
    ({ after } = batch);
  } while (after !== null && urls.length < maxUrls);
  const navigation = (await analysis.navigation(version, MAX_MENUS)).flat();
  const labels = sectionLabels(navigation);
  const known = urls.filter(({ state }) => state !== 'left-out' && state !== 'gone').map(({ url }) => url);
  const shape = learnShape(known, startUrl, labels);
  return { startUrl, urls, navigation, labels, shape, places: await readPlaces(gazetteer), readAtMs };
}

async function readPlaces(gazetteer: Store['gazetteer']): Promise<SitePlaces | null> {
  const named = await gazetteer.matchable(MATCHED_CITIES);
  if (named.length === 0) return null;
  const countries = named.filter(({ place }) => place.kind === 'country');
  const distinct = new Map(countries.map(({ place }) => [place.id, place]));
  return { matcher: createPlaceMatcher(named), countries: [...distinct.values()] };
}

export interface MeasuredCoverage extends Coverage {
  readonly found: readonly Hub[];
}

/** Measures the coverage from the stored URLs, and records it. */
export async function recordCoverage(
  store: Pick<Store, 'analysis' | 'gazetteer'>,
  version: VersionId,
  site: StoredSite,
): Promise<MeasuredCoverage> {
  const measured = measureCoverage(site);
  const { found: _, ...report } = measured;
  await store.analysis.saveCoverage(version, report, monotonicMs() - site.readAtMs);
  return measured;
}
