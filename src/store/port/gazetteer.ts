// The gazetteer: places and languages with their names, how they contain one another, and which pages mention them.

import type { HubStatus } from '../../core/analysis/hubs.ts';
import type { ImportedPlace, NamedPlace, Place, PlaceKind, PlaceName } from '../../core/gazetteer/place.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';

export interface GazetteerCounts {
  readonly countries: number;
  readonly regions: number;
  readonly cities: number;
  readonly languages: number;
  readonly names: number;
  /** Pages that lead to everything about a place. */
  readonly hubs: number;
}

/** A null field does not filter. */
export interface PlaceQuery {
  /** Prefix of the `placeSlug` of any of its names. */
  readonly slug: string | null;
  readonly kind: PlaceKind | null;
  readonly countryCode: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface RelatedPlace extends Place {
  readonly relation: string;
  /** 1 for the nearest. */
  readonly depth: number;
}

export interface PlaceDetails {
  readonly place: Place;
  readonly names: ReadonlyArray<PlaceName & { readonly source: string }>;
  readonly parents: readonly RelatedPlace[];
  /** The largest places. */
  readonly children: readonly RelatedPlace[];
}

export interface SavedMention {
  readonly place: number;
  readonly placeKind: PlaceKind;
  readonly method: string;
  readonly source: 'text' | 'title' | 'url';
  /** -1 in a URL. */
  readonly start: number;
  readonly end: number;
  /** The text around it; null in a URL. */
  readonly context: string | null;
}

export interface MentioningPage {
  readonly version: VersionId;
  readonly source: string;
  readonly url: PageUrl;
  readonly title: string;
  readonly mentions: number;
  readonly firstSeenAt: Date;
}

/** A page that leads to everything about a place, as an analysis found it or a plan expects it. */
export interface PlaceHub {
  readonly version: VersionId;
  readonly source: string;
  readonly host: string;
  readonly url: PageUrl;
  readonly placeSlug: string | null;
  readonly placeKind: string | null;
  readonly topicSlug: string | null;
  readonly topicLabel: string | null;
  readonly topicKind: 'section' | 'path-segment' | null;
  readonly title: string | null;
  readonly status: HubStatus;
  readonly navLinksCount: number | null;
  readonly articleLinksCount: number | null;
  readonly evidence: JsonObject;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** A null field does not filter. */
export interface PlaceHubQuery {
  readonly host: string | null;
  readonly place: number | null;
  readonly limit: number;
}

/** Empty until places are imported; an empty gazetteer costs next to nothing. Nothing is ever downloaded. */
export interface Gazetteer {
  /** Adds places, or adds to those of the same key: a name is never removed. Returns how many are new. */
  save(places: readonly ImportedPlace[]): Promise<number>;
  /** Records the country and the region that contain each place. Called at the end of an import. */
  relate(): Promise<void>;
  counts(): Promise<GazetteerCounts>;
  /** The largest first. */
  list(query: PlaceQuery): Promise<{ readonly total: number; readonly places: readonly Place[] }>;
  /** Null if there is no such place. */
  byId(id: number): Promise<PlaceDetails | null>;
  /** Every place with one of these names, codes included. */
  named(slugs: readonly string[]): Promise<readonly NamedPlace[]>;
  /** The names that a matcher searches for, without codes: those of all places, except that of cities only the largest count. */
  matchable(cities: number): Promise<readonly NamedPlace[]>;
  /** Replaces the mentions of a page. Removed pages are skipped. */
  saveMentions(version: VersionId, url: PageUrl, mentions: readonly SavedMention[]): Promise<void>;
  /** Pages that mention a place, newest first. */
  pagesMentioning(place: number, limit: number): Promise<readonly MentioningPage[]>;
  /** Sorted by host and URL. */
  hubs(query: PlaceHubQuery): Promise<readonly PlaceHub[]>;
}
