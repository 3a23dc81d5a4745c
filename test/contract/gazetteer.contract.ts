// Store contract: places with their names, how they contain one another, and the pages that mention them.

import { expect, test } from 'vitest';
import { builtInPlaces } from '../../src/core/gazetteer/built-in-places.ts';
import { createPlaceMatcher } from '../../src/core/gazetteer/match-places.ts';
import type { ImportedPlace } from '../../src/core/gazetteer/place.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';

const EVERYTHING = { slug: null, kind: null, countryCode: null, offset: 0, limit: 500 };

function importedPlace(key: string, names: readonly string[], more: Partial<ImportedPlace>): ImportedPlace {
  return {
    key,
    taxonomy: 'place',
    kind: 'city',
    countryCode: 'FR',
    regionCode: null,
    population: null,
    source: 'geonames',
    names: names.map((name, nth) => {
      return { name, kind: nth === 0 ? 'short' : 'alternate', lang: null, isPreferred: nth === 0, isOfficial: false };
    }),
    ...more,
  };
}

const FRANCE = [
  importedPlace('geonames:1', ['Île-de-France'], { kind: 'region', regionCode: 'FR.11', population: 12_000_000 }),
  importedPlace('geonames:2', ['Paris', 'Lutetia'], { regionCode: 'FR.11', population: 2_138_551 }),
  importedPlace('geonames:3', ['Nice'], { regionCode: 'FR.93', population: 342_000 }),
];

export function gazetteerContract(store: () => Store): void {
  test('it is empty, and reports it', async () => {
    const { gazetteer } = store();
    expect(await gazetteer.counts()).toEqual({ countries: 0, regions: 0, cities: 0, languages: 0, names: 0, hubs: 0 });
    expect(await gazetteer.list(EVERYTHING)).toEqual({ total: 0, places: [] });
    expect(await gazetteer.byId(1)).toBeNull();
    expect(await gazetteer.matchable(5000)).toEqual([]);
  });

  test('249 countries are imported once, however often', async () => {
    const { gazetteer } = store();
    expect(await gazetteer.save(builtInPlaces('countries'))).toBe(249);
    const counts = await gazetteer.counts();
    expect(counts).toMatchObject({ countries: 249, languages: 0 });
    expect(await gazetteer.save(builtInPlaces('countries'))).toBe(0);
    expect(await gazetteer.counts()).toEqual(counts);
    const { total, places } = await gazetteer.list({ ...EVERYTHING, slug: 'cote', limit: 5 });
    expect([total, places[0]]).toMatchObject([1, { name: "Côte d'Ivoire", kind: 'country', countryCode: 'CI' }]);
  });

  test('places are filtered and read page by page, the largest first', async () => {
    const { gazetteer } = store();
    await gazetteer.save([...FRANCE, ...builtInPlaces('languages')]);
    const names = async (query: Partial<typeof EVERYTHING> & { kind?: never }) =>
      (await gazetteer.list({ ...EVERYTHING, ...query })).places.map(({ name }) => name);
    expect(await names({ countryCode: 'FR' as never })).toEqual(['Île-de-France', 'Paris', 'Nice']);
    expect(await names({ kind: 'city' as never, offset: 1 })).toEqual(['Nice']);
    expect(await names({ slug: 'lutet' as never })).toEqual(['Paris']);
    expect((await gazetteer.list({ ...EVERYTHING, kind: 'language', limit: 1 })).total).toBe(184);
  });

  test('a place has its names, what contains it and what it contains', async () => {
    const { gazetteer } = store();
    await gazetteer.save([...builtInPlaces('countries'), ...FRANCE]);
    await gazetteer.relate();
    await gazetteer.relate();
    const [paris] = (await gazetteer.list({ ...EVERYTHING, slug: 'paris' })).places;
    const details = await gazetteer.byId(paris?.id ?? 0);
    expect(details?.names.map(({ name, kind }) => [name, kind])).toEqual([
      ['Paris', 'short'],
      ['Lutetia', 'alternate'],
    ]);
    expect(details?.parents.map(({ name, depth, relation }) => [name, depth, relation])).toEqual([
      ['Île-de-France', 1, 'contains'],
      ['France', 2, 'contains'],
    ]);
    const france = await gazetteer.byId(details?.parents[1]?.id ?? 0);
    expect(france?.children.map(({ name, depth }) => [name, depth])).toEqual([
      ['Île-de-France', 1],
      ['Nice', 1],
      ['Paris', 2],
    ]);
  });

  test('a file adds to a country that is there, and its preferred name stays', async () => {
    const { gazetteer } = store();
    await gazetteer.save(builtInPlaces('countries'));
    const more = { kind: 'country', countryCode: 'FR', population: 67_000_000 } as const;
    expect(await gazetteer.save([importedPlace('iso3166:FR', ['République française', 'Frankreich'], more)])).toBe(0);
    const [found] = await gazetteer.named(['frankreich']);
    expect(found?.place).toMatchObject({ name: 'France', population: 67_000_000 });
  });

  test('a matcher looks for the names of the largest cities, and for no codes', async () => {
    const { gazetteer } = store();
    await gazetteer.save([...builtInPlaces('countries'), ...FRANCE]);
    const named = await gazetteer.matchable(1);
    expect(named.some(({ slug }) => slug === 'fra')).toBe(false);
    const matcher = createPlaceMatcher(named);
    const text = 'From Paris in France to Nice and Lutetia.';
    expect(matcher.inText(text, 'text').map(({ place }) => place.name)).toEqual(['Paris', 'France', 'Paris']);
    expect((await gazetteer.named(['fra', 'nice'])).map(({ place }) => place.name)).toEqual(['France', 'Nice']);
  });

  test('pages that mention a place are listed once each, until they are replaced or removed', async () => {
    const { gazetteer } = store();
    await gazetteer.save(FRANCE);
    const [paris] = (await gazetteer.list({ ...EVERYTHING, slug: 'paris' })).places;
    const { run, source } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`))]);
    const place = paris?.id ?? 0;
    const mention = { place, placeKind: 'city', method: 'gazetteer', source: 'text', context: 'in Paris' } as const;
    const at = (start: number) => ({ ...mention, start, end: start + 5 });
    await gazetteer.saveMentions(run.version, pageUrl('https://x.dev/a'), [at(3), at(30)]);
    await gazetteer.saveMentions(run.version, pageUrl('https://x.dev/b'), [at(3)]);
    await gazetteer.saveMentions(run.version, pageUrl('https://x.dev/none'), [at(3)]);
    const pages = await gazetteer.pagesMentioning(place, 10);
    expect(new Map(pages.map(({ url, mentions }) => [url as string, mentions]))).toEqual(
      new Map([
        ['https://x.dev/a', 2],
        ['https://x.dev/b', 1],
      ]),
    );
    expect(pages[0]).toMatchObject({ source: source.name, version: run.version });
    await gazetteer.saveMentions(run.version, pageUrl('https://x.dev/a'), []);
    expect((await gazetteer.pagesMentioning(place, 10)).map(({ url }) => url)).toEqual(['https://x.dev/b']);
  });
}
