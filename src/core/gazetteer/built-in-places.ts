// The built-in countries and languages, in the format of an import.

import { COUNTRIES } from './countries.table.ts';
import { LANGUAGES } from './languages.table.ts';
import type { ImportedPlace, PlaceName } from './place.ts';

export const BUILT_IN = ['countries', 'languages'] as const;
export type BuiltIn = (typeof BUILT_IN)[number];

export function builtInPlaces(which: BuiltIn): readonly ImportedPlace[] {
  return which === 'countries' ? rowsOf(COUNTRIES).map(countryOf) : rowsOf(LANGUAGES).map(languageOf);
}

function rowsOf(table: string): readonly string[] {
  return table.trim().split('\n');
}

function countryOf(row: string): ImportedPlace {
  const [alpha2, alpha3] = [row.slice(0, 2), row.slice(3, 6)];
  const names = [...namesOf(row.slice(7)), codeName(alpha2), codeName(alpha3)];
  const codes = { countryCode: alpha2, regionCode: null, population: null };
  return { key: `iso3166:${alpha2}`, taxonomy: 'place', kind: 'country', ...codes, source: 'iso3166', names };
}

function languageOf(row: string): ImportedPlace {
  const code = row.slice(0, 2);
  const names = [...namesOf(row.slice(3)), codeName(code)];
  const codes = { countryCode: null, regionCode: null, population: null };
  return { key: `iso639:${code}`, taxonomy: 'language', kind: 'language', ...codes, source: 'iso639', names };
}

function namesOf(text: string): readonly PlaceName[] {
  return text.split(' | ').map((name, nth) => {
    const isFirst = nth === 0;
    return { name, kind: isFirst ? 'short' : 'alternate', lang: 'en', isPreferred: isFirst, isOfficial: isFirst };
  });
}

function codeName(code: string): PlaceName {
  return { name: code, kind: 'code', lang: null, isPreferred: false, isOfficial: true };
}
