// Places, languages and other members of a taxonomy, under the names that pages and URLs use for them.

/** `place` and `language` are built in; the tables take any other. */
export type PlaceTaxonomy = 'place' | 'language';

export const PLACE_KINDS = ['country', 'region', 'city', 'language'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export interface PlaceName {
  readonly name: string;
  /** `code`: an abbreviation of a standard, which texts do not use as a word. */
  readonly kind: 'short' | 'alternate' | 'code';
  /** ISO 639-1; null if unknown. */
  readonly lang: string | null;
  readonly isPreferred: boolean;
  readonly isOfficial: boolean;
}

/** A place as an import provides it. */
export interface ImportedPlace {
  /** Identity in the imported data, such as `iso3166:FR` or `geonames:2988507`: importing it again changes the same place. */
  readonly key: string;
  readonly taxonomy: PlaceTaxonomy;
  readonly kind: PlaceKind;
  /** ISO 3166-1 alpha-2, in capital letters; null without one. */
  readonly countryCode: string | null;
  /** Code of the region, such as `FR.11`; null for a country. */
  readonly regionCode: string | null;
  readonly population: number | null;
  /** The origin of the names, such as `iso3166`. */
  readonly source: string;
  /** The preferred one first. */
  readonly names: readonly PlaceName[];
}

/** A stored place as the matcher and lists show it. */
export interface Place {
  readonly id: number;
  readonly name: string;
  readonly kind: PlaceKind;
  readonly countryCode: string | null;
  readonly population: number | null;
}

/** A place under one of its names. */
export interface NamedPlace {
  /** The `placeSlug` of the name. */
  readonly slug: string;
  readonly place: Place;
}

const MAX_NAME_CHARS = 200;
/** Combining marks, which NFD separates from their letters. */
const MARKS = /\p{M}+/gu;

/** The normalized name, for comparison and in URLs: `Côte d'Ivoire` is `cote-d-ivoire`. Empty for a name without letters. */
export function placeSlug(name: string): string {
  return name
    .slice(0, MAX_NAME_CHARS)
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
