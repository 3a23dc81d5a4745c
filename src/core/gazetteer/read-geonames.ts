// One line of a file of GeoNames: a place in 19 columns, separated by tabs.

import { cleanLine } from '../extract/decode/clean-text.ts';
import type { ImportedPlace, PlaceKind, PlaceName } from './place.ts';

const COLUMNS = 19;
const MAX_LINE_CHARS = 20_000;
const MAX_NAME_CHARS = 200;
const MAX_ALTERNATES = 30;

/** `ignored`: a feature that is no country, region or city. */
export type GeonamesLine = ImportedPlace | 'ignored' | 'malformed';

export function readGeonamesLine(line: string): GeonamesLine {
  if (line.length > MAX_LINE_CHARS) return 'malformed';
  const cells = line.split('\t');
  const [id = '', name = '', ascii = '', alternates = '', , , feature = '', code = '', country = '', , region = ''] =
    cells;
  if (cells.length !== COLUMNS || !/^\d{1,10}$/.test(id) || cleanLine(name) === '') return 'malformed';
  const kind = kindOf(feature, code);
  if (kind === null) return 'ignored';
  const countryCode = /^[A-Z]{2}$/.test(country) ? country : null;
  const population = /^\d{1,11}$/.test(cells[14] ?? '') ? Number(cells[14]) : null;
  return {
    // A country is the one of the built-in table.
    key: kind === 'country' && countryCode !== null ? `iso3166:${countryCode}` : `geonames:${id}`,
    taxonomy: 'place',
    kind,
    countryCode,
    regionCode: kind === 'country' || countryCode === null || region === '' ? null : `${countryCode}.${region}`,
    population: population === 0 ? null : population,
    source: 'geonames',
    names: namesOf([name, ascii, ...alternates.split(',', MAX_ALTERNATES)]),
  };
}

function kindOf(feature: string, code: string): PlaceKind | null {
  if (feature === 'P') return 'city';
  if (feature !== 'A') return null;
  if (/^PCL(?:I|S|D|F|IX)?$/.test(code)) return 'country';
  return code === 'ADM1' ? 'region' : null;
}

function namesOf(texts: readonly string[]): readonly PlaceName[] {
  const names = new Set(texts.map((text) => cleanLine(text).slice(0, MAX_NAME_CHARS)).filter((name) => name !== ''));
  return [...names].map((name, nth) => {
    return { name, kind: nth === 0 ? 'short' : 'alternate', lang: null, isPreferred: nth === 0, isOfficial: false };
  });
}
