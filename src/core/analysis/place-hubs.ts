// Pages that lead to everything about a place: `/world/france`. Only places of the gazetteer have them, so that a site without imported
// places has none.

import { NO_STATES } from '../gazetteer/countries.table.ts';
import type { PlaceMatcher } from '../gazetteer/match-places.ts';
import { placeSlug, type Place } from '../gazetteer/place.ts';
import type { PageUrl } from '../model/page-url.ts';
import { isNavigationLike, type Evidence, type KnownUrl } from './known-url.ts';
import { folderKey, segmentsOf } from './site-shape.ts';

/** What the gazetteer knows. */
export interface SitePlaces {
  readonly matcher: PlaceMatcher;
  readonly countries: readonly Place[];
}

export interface PlaceHub {
  readonly url: PageUrl;
  readonly slug: string;
  readonly place: Place;
  readonly by: ReadonlySet<Evidence>;
  readonly isNamed: boolean;
}

/** So many places must have the address for it to be expected of others. */
const MIN_SIBLINGS = 3;

interface Candidate {
  readonly known: KnownUrl;
  readonly slug: string;
  readonly place: Place;
  readonly parent: string;
}

/**
 * A page is a hub of a place if it is navigation-like and the last segment of its path names the place. A page that is not stored counts if
 * the site names it and several places have such an address; the other states are then expected there too.
 */
export function placeHubs(
  urls: readonly KnownUrl[],
  inMenus: ReadonlySet<string>,
  places: SitePlaces,
): readonly PlaceHub[] {
  const byParent = Map.groupBy(candidatesOf(urls, inMenus, places), ({ parent }) => parent);
  const found: PlaceHub[] = [];
  for (const group of byParent.values()) {
    const countries = new Set(group.flatMap(({ place }) => (place.kind === 'country' ? place.id : [])));
    const isSeries = countries.size >= MIN_SIBLINGS;
    for (const { known, slug, place } of group) {
      if (known.state !== 'stored' && !isSeries) continue;
      const by = evidenceOf(known, inMenus.has(folderKey(known.url)));
      found.push({ url: known.url, slug, place, by, isNamed: true });
    }
    const [sample] = group;
    if (isSeries && sample !== undefined) found.push(...expectedCountries(sample.known.url, countries, places));
  }
  return found;
}

function candidatesOf(urls: readonly KnownUrl[], inMenus: ReadonlySet<string>, places: SitePlaces): Candidate[] {
  return urls.flatMap((known) => {
    const { url, state, listedBy } = known;
    const isStored = state === 'stored';
    const isNamed = listedBy !== null || inMenus.has(folderKey(url));
    if (state === 'left-out' || (isStored ? !isNavigationLike(known) : !isNamed)) return [];
    const segments = segmentsOf(url);
    const slug = segments.at(-1);
    const place = slug === undefined ? null : places.matcher.bySegment(slug, { url });
    if (slug === undefined || place === null) return [];
    return [
      { known, slug: placeSlug(slug), place, parent: `//${new URL(url).host}/${segments.slice(0, -1).join('/')}` },
    ];
  });
}

function evidenceOf({ listedBy, state }: KnownUrl, isInMenu: boolean): ReadonlySet<Evidence> {
  const by = new Set<Evidence>();
  if (isInMenu) by.add('navigation');
  if (listedBy !== null) by.add(listedBy);
  if (state === 'stored') by.add('stored');
  return by;
}

function expectedCountries(sample: PageUrl, covered: ReadonlySet<number>, { countries }: SitePlaces): PlaceHub[] {
  return countries
    .filter(({ id, countryCode }) => !covered.has(id) && !NO_STATES.has(countryCode ?? ''))
    .map((place) => {
      const slug = placeSlug(place.name);
      return { url: besides(sample, slug), slug, place, by: new Set<Evidence>(['taxonomy']), isNamed: false };
    });
}

/** Written like the address of another place. */
function besides(sample: PageUrl, slug: string): PageUrl {
  const { origin, pathname } = new URL(sample);
  const [, parent = '/', ending = ''] = /^(.*\/)[^/]*?(\/|\.[a-z]+)?$/i.exec(pathname) ?? [];
  return `${origin}${parent}${slug}${ending}` as PageUrl;
}
