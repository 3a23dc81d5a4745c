// One line of a file of GeoNames: a place in 19 columns, separated by tabs.

import { cleanLine } from '../extract/decode/clean-text.ts';
import type { ImportedPlace, PlaceKind, PlaceName } from './place.ts';

const COLUMNS = 19;
const MAX_LINE_CHARS = 20_000;
const MAX_NAME_CHARS = 200;
const MAX_ALTERNATES = 30;

/** `ignored`: a feature of another kind, such as a river. */
export type GeonamesLine = ImportedPlace | 'ignored' | 'malformed';

export function readGeonamesLine(line: string): GeonamesLine {
  if (line.length > MAX_LINE_CHARS) return 'malformed';
  const cells = line.split('\t');
  const cell = (at: number): string => cells[at] ?? '';
  if (cells.length !== COLUMNS || !/^\d{1,10}$/.test(cell(0)) || cleanLine(cell(1)) === '') return 'malformed';
  const kind = kindOf(cell(6), cell(7));
  if (kind === null) return 'ignored';
  const countryCode = /^[A-Z]{2}$/.test(cell(8)) ? cell(8) : null;
  return {
    // A country is the one of the built-in table.
    key: kind === 'country' && countryCode !== null ? `iso3166:${countryCode}` : `geonames:${cell(0)}`,
    taxonomy: 'place',
    kind,
    countryCode,
    regionCode: kind === 'country' ? null : regionCodeOf(countryCode, cell(10)),
    population: /^[1-9]\d{0,10}$/.test(cell(14)) ? Number(cell(14)) : null,
    source: 'geonames',
    names: namesOf([cell(1), cell(2), ...cell(3).split(',', MAX_ALTERNATES)]),
  };
}

function regionCodeOf(countryCode: string | null, region: string): string | null {
  return countryCode === null || region === '' ? null : `${countryCode}.${region}`;
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
