import { describe, expect, test } from 'vitest';
import { builtInPlaces } from './built-in-places.ts';
import { workMs } from '../../../test/support/work-time.ts';
import { createPlaceMatcher, rankPlaces } from './match-places.ts';
import { placeSlug, type NamedPlace, type Place } from './place.ts';

function named(id: number, names: readonly string[], more: Partial<Place> = {}): readonly NamedPlace[] {
  const place: Place = { id, name: names[0] ?? '', kind: 'country', countryCode: null, population: null, ...more };
  return names.map((name) => ({ slug: placeSlug(name), place }));
}

const countries = builtInPlaces('countries');
const everyCountry = countries.flatMap(({ names, countryCode }, at) =>
  named(
    at + 1,
    names.filter(({ kind }) => kind !== 'code').map(({ name }) => name),
    { countryCode },
  ),
);
const matcher = createPlaceMatcher(everyCountry);
const namesIn = (text: string) => matcher.inText(text, 'text').map(({ start, end }) => text.slice(start, end));

describe('a slug', () => {
  test.each([
    ["Côte d'Ivoire", 'cote-d-ivoire'],
    ['São Tomé', 'sao-tome'],
    ['  Sri   Lanka ', 'sri-lanka'],
    ['…', ''],
  ])('of %s is %s', (name, slug) => expect(placeSlug(name)).toBe(slug));
});

describe('in a text', () => {
  test('fifty places are found, each at its offsets', () => {
    const short = countries
      .map(({ names }) => names[0]?.name ?? '')
      .filter((name) => /^\p{Lu}[\p{L}' -]{2,}$/u.test(name));
    const chosen = short.filter((name) => name.split(' ').length <= 4).slice(0, 50);
    const text = chosen.map((name, at) => `In part ${at} we go to ${name}, and stay.`).join('\n');
    expect(chosen).toHaveLength(50);
    expect(namesIn(text)).toEqual(chosen);
  });

  test('the longest name wins, and names do not cross a full stop', () => {
    expect(namesIn('The Republic of the Congo and Papua New Guinea. Guinea is another.')).toEqual([
      'Republic of the Congo',
      'Papua New Guinea',
      'Guinea',
    ]);
    expect(namesIn('They left Sri. Lanka is no country.')).toEqual([]);
  });

  test('a word in lower case, an abbreviation of two letters and a part of a word are no places', () => {
    expect(namesIn('A turkey in a jersey said no to IT, US and Chadwick.')).toEqual([]);
  });

  test('a name is found without its marks, and in a title', () => {
    expect(namesIn('Reunion, Turkiye and Cote d’Ivoire')).toEqual(['Reunion', 'Turkiye', 'Cote d’Ivoire']);
    expect(matcher.inText('France wins', 'title')[0]).toMatchObject({
      source: 'title',
      start: 0,
      end: 6,
      method: 'gazetteer',
    });
  });

  test('names that never end, very many of them and very long words are bounded', () => {
    const counted = createPlaceMatcher(named(1, ['New South West Wales']));
    expect(counted.inText('New South West North '.repeat(50_000), 'text')).toEqual([]);
    expect(counted.inText('New South West Wales. '.repeat(5000), 'text')).toHaveLength(1000);
    expect(counted.inText(`${'x'.repeat(200_000)} New South West Wales`, 'text')).toHaveLength(1);
  });
});

describe('in a URL', () => {
  test('segments and their hyphenated parts are matched, without offsets', () => {
    const found = matcher.inUrl('https://news.example/world/sri-lanka/trade-with-new-zealand-and-france');
    expect(found.map(({ place }) => place.name)).toEqual(['Sri Lanka', 'New Zealand', 'France']);
    expect(found.every(({ start, end, source }) => start === -1 && end === -1 && source === 'url')).toBe(true);
  });

  test('a segment without hyphens is compared too', () => {
    expect(matcher.bySegment('srilanka')?.name).toBe('Sri Lanka');
    expect(matcher.bySegment('C%C3%B4te-d-Ivoire')?.name).toBe("Côte d'Ivoire");
    expect(matcher.bySegment('srilanka-news')).toBeNull();
  });
});

describe('of several places with one name', () => {
  const paris = (id: number, countryCode: string, population: number): Place => {
    return { id, name: 'Paris', kind: 'city', countryCode, population };
  };
  const all = [paris(1, 'US', 25_171), paris(2, 'FR', 2_138_551), paris(3, 'CA', 11_177)];
  const first = (context: object) => rankPlaces(all, context)[0]?.id;

  test('the largest is first, unless the host, the path, the domain or the section says otherwise', () => {
    expect(first({})).toBe(2);
    expect(first({ hostCountry: 'US' })).toBe(1);
    expect(first({ url: 'https://x.example/ca/paris' })).toBe(3);
    expect(first({ url: 'https://x.ca/paris' })).toBe(3);
    expect(first({ sectionPlace: 1 })).toBe(1);
  });

  test('the country of the host counts more than that of the path, and that more than the domain', () => {
    expect(first({ hostCountry: 'US', url: 'https://x.ca/paris' })).toBe(1);
    expect(first({ hostCountry: 'CA', url: 'https://x.example/us/paris' })).toBe(3);
  });
});

test('the tables have 249 countries and 184 languages, each with its codes', () => {
  expect(countries).toHaveLength(249);
  expect(new Set(countries.map(({ key }) => key)).size).toBe(249);
  expect(builtInPlaces('languages')).toHaveLength(184);
  const france = countries.find(({ countryCode }) => countryCode === 'FR');
  expect(france?.names.map(({ name }) => name)).toEqual(['France', 'FR', 'FRA']);
});

test('of very many places of one name the most populous ones are known', () => {
  const many = Array.from({ length: 20_000 }, (_, at) =>
    named(at + 1, ['Kettle'], { population: (at * 7919) % 20_011 }),
  );
  let largest: Place | null = null;
  const text = 'Kettle. '.repeat(2000);
  const cost = workMs(() => {
    const crowded = createPlaceMatcher(many.flat());
    largest = crowded.bySegment('kettle');
    expect(crowded.inText(text, 'text')).toHaveLength(1000);
  });
  expect(largest).toMatchObject({ population: Math.max(...many.map(([one]) => one?.place.population ?? 0)) });
  const few = workMs(() => createPlaceMatcher(everyCountry).inText(text.replaceAll('Kettle', 'Chad'), 'text'));
  expect(cost).toBeLessThan(1000 * Math.max(few, 5));
});
