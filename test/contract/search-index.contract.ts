// The contract of a search engine, for every adapter of src/index/port.ts: what is found, what is not, and how the index follows the
// store. An engine that is held in memory is built at once, so only the first part holds for it.

import { describe, expect, test } from 'vitest';
import type { CandidatePage } from '../../src/core/lexical/query/index-query.ts';
import type { SearchFilter } from '../../src/core/lexical/query/search-filter.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import type { CandidateIndex, SearchIndex } from '../../src/index/port.ts';
import type { Store } from '../../src/store/port.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { frequenciesOf, indexEverything, queryOf, settlePages, urlsOf } from '../support/qdrant-library.ts';
import type { MadePage } from '../support/zipf-pages.ts';

export interface OpenIndex<Index extends CandidateIndex = SearchIndex> {
  readonly store: Store;
  readonly index: Index;
}

/** Pages are settled in the store; `bring` makes the index follow. */
export interface OpenCandidates extends OpenIndex<CandidateIndex> {
  readonly bring: () => Promise<void>;
}

export function searchIndexContract(open: () => Promise<OpenIndex>): void {
  candidatesContract(async () => {
    const { store, index } = await open();
    return { store, index, bring: () => indexEverything(index) };
  });
  describe('follows the store', () => followingContract(open));
}

const A = 'https://x.dev/guide/a';
const B = 'https://x.dev/reference/b';

export function candidatesContract(open: () => Promise<OpenCandidates>): void {
  const openWith = async (...pages: MadePage[]): Promise<OpenCandidates & { source: Source; version: VersionId }> => {
    const opened = await open();
    const source = await settlePages(opened.store, pages);
    await opened.bring();
    return { ...opened, source, version: source.versions[0]!.id };
  };

  test('a page is found by its text, its title and its headings', async () => {
    const { index, version } = await openWith(
      { url: A, title: 'About lions', texts: ['zebras and horses', 'more'] },
      { url: B, texts: ['zebras alone'], chunk: { headings: ['Savanna'] } },
    );
    const find = async (words: string): Promise<string[]> => urlsOf(await index.candidates(queryOf(words, [version])));
    expect(await find('zebras')).toEqual([A, B]);
    expect(await find('lions')).toEqual([A]);
    expect(await find('savanna')).toEqual([B]);
    expect(await find('tigers')).toEqual([]);
    expect(await find('tigers horses')).toEqual([A]);
  });

  test('the best pages and their best chunks come first, as many as are asked for', async () => {
    const texts = (nth: number): string[] => ['about something else', `zebra ${'zebra '.repeat(nth)}`, 'one zebra'];
    const pages = Array.from({ length: 6 }, (_, nth) => ({ url: `https://x.dev/${nth}`, texts: texts(nth) }));
    const { index, version } = await openWith(...pages);
    const found = await index.candidates({ ...queryOf('zebra', [version]), pages: 4, chunksPerPage: 1 });
    expect(found).toHaveLength(4);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(found.every(({ chunks }) => chunks.length === 1)).toBe(true);
    expect(found[0]!.chunks[0]!.ordinal).toBe(1);
    const all = await index.candidates(queryOf('zebra', [version]));
    for (const { chunks } of all) expect(ordinalsOf(chunks)).toEqual([1, 2]);
  });

  test('a query sees its versions only, and counts the chunks of these or of the library', async () => {
    const { store, index, version, bring } = await openWith({ url: A, texts: ['zebras', 'lions', 'zebras too'] });
    const other = await settlePages(store, [{ url: 'https://y.dev/', texts: ['zebras', 'tigers'] }]);
    await bring();
    const [second] = other.versions;
    const one = queryOf('zebras', [version]);
    expect(urlsOf(await index.candidates(one))).toEqual([A]);
    const both = queryOf('zebras', [version, second!.id]);
    expect(urlsOf(await index.candidates(both))).toEqual([A, 'https://y.dev/']);
    const ofLibrary = { chunks: 5, docFrequencies: [3] };
    expect(await frequenciesOf(index, both)).toEqual(ofLibrary);
    expect([{ chunks: 3, docFrequencies: [2] }, ofLibrary]).toContainEqual(await frequenciesOf(index, one));
    expect(urlsOf(await index.candidates(queryOf('zebras', [])))).toEqual([]);
  });

  test('a filter admits the chunks that match it, and no others', async () => {
    const { index, version } = await openWith(
      { url: A, texts: ['zebras', 'zebras'], chunk: { headings: ['Title', 'Install it'] } },
      { url: B, texts: ['zebras'], chunk: { symbol: 'fs.readFile', passageKind: 'code' } },
    );
    const find = async (filter: SearchFilter): Promise<string[]> =>
      urlsOf(await index.candidates(queryOf('zebras', [version], filter)));
    expect(await find({})).toEqual([A, B]);
    expect(await find({ pathPrefix: '/guide/' })).toEqual([A]);
    expect(await find({ pathPrefix: 'https://x.dev/ref' })).toEqual([B]);
    expect(await find({ pathPrefix: 'b', pathBases: ['x.dev/reference/'] })).toEqual([B]);
    expect(await find({ headingPrefix: 'inst' })).toEqual([A]);
    expect(await find({ symbolPrefix: 'readf' })).toEqual([B]);
    expect(await find({ passageKinds: ['code'] })).toEqual([B]);
    expect(await find({ passageKinds: ['prose'], pathPrefix: '/reference/' })).toEqual([]);
  });

  test('terms are never query syntax', async () => {
    const { index, version } = await openWith({ url: A, texts: ['plain text'] });
    for (const word of ['"', "'", '*', 'NEAR(', 'a AND', '!', ':*', '&|!', 'x" OR "plain', '\\', '%', '\u{10ffff}']) {
      const query = { versions: [version], terms: [{ term: word, weight: 1 }], pages: 9, chunksPerPage: 9 };
      await expect(frequenciesOf(index, query), word).resolves.toMatchObject({ docFrequencies: [0] });
      await expect(index.candidates(query), word).resolves.toEqual([]);
      await expect(index.suggest([version], word), word).resolves.toEqual([]);
    }
  });

  test('a misspelled word gets the indexed terms that are similar', async () => {
    const { index, version } = await openWith({ url: A, texts: ['configuration of zebras', 'configuration'] });
    const suggested = await index.suggest([version], 'configuratoin');
    expect(suggested).toContainEqual(expect.objectContaining({ docFrequency: 2 }));
    expect(await index.suggest([version], 'giraffe')).toEqual([]);
  });

  test('a query rejects with the reason of its signal', async () => {
    const { index, version } = await openWith({ url: A, texts: ['zebras'] });
    const aborted = AbortSignal.abort(new Error('no longer needed'));
    await expect(index.candidates(queryOf('zebras', [version]), aborted)).rejects.toThrow('no longer needed');
    await expect(index.frequencies([version], ['zebra'], aborted)).rejects.toThrow('no longer needed');
  });
}

function ordinalsOf(chunks: CandidatePage['chunks']): number[] {
  return chunks.map(({ ordinal }) => ordinal).sort((left, right) => left - right);
}

function followingContract(open: () => Promise<OpenIndex>): void {
  test('a replaced text is not found, and a removed source leaves nothing', async () => {
    const { store, index } = await open();
    const source = await settlePages(store, [
      { url: A, texts: ['about zebras', 'and lions'] },
      { url: B, texts: ['about zebras'] },
    ]);
    const version = source.versions[0]!.id;
    const find = async (word: string): Promise<string[]> => urlsOf(await index.candidates(queryOf(word, [version])));
    expect(await index.isIndexed(version)).toBe(false);
    expect((await index.lag()).pages).toBeGreaterThan(0);
    await indexEverything(index);
    expect(await index.isIndexed(version)).toBe(true);
    expect(await index.lag()).toEqual({ pages: 0, ageMs: 0 });
    await settlePages(store, [{ url: A, texts: ['about tigers'] }], source);
    await indexAndCompact(index);
    expect([await find('zebras'), await find('tigers'), await find('lions')]).toEqual([[B], [A], []]);
    expect(await index.verify(Infinity)).toEqual([]);
    await store.sources.remove(source.id);
    await indexAndCompact(index);
    expect([await find('zebras'), await find('tigers')]).toEqual([[], []]);
    expect(await index.verify(Infinity)).toEqual([]);
  });

  test('a new title and new headings are found, also in chunks with unchanged text', async () => {
    const { store, index } = await open();
    const source = await settlePages(store, [{ url: A, title: 'Old', texts: ['one', 'two'] }]);
    const versions = source.versions.map(({ id }) => id);
    await indexEverything(index);
    await settlePages(store, [{ url: A, title: 'Zebras', texts: ['one', 'two', 'three'] }], source);
    await indexAndCompact(index);
    const pages = await index.candidates(queryOf('zebras', versions));
    expect(pages.map(({ chunks }) => ordinalsOf(chunks))).toEqual([[0, 1, 2]]);
    expect(urlsOf(await index.candidates(queryOf('old', versions)))).toEqual([]);
  });

  test('a page that became shorter is found until it is indexed again', async () => {
    const { store, index } = await open();
    const source = await settlePages(store, [{ url: A, texts: ['one', 'two', 'three', 'about zebras'] }]);
    await indexEverything(index);
    await settlePages(store, [{ url: A, texts: ['zebras alone'] }], source);
    const reader = { ...index, ...store.chunks };
    const options = { versions: source.versions.map(({ id }) => id), names: new Map([[source.id, source.name]]) };
    const { pages } = await retrievePages(reader, 'zebras', options);
    expect(pages.map(({ candidate }) => candidate.text)).toEqual(['zebras alone']);
    await indexEverything(index);
  });

  test('a page that is settled again while it is indexed is found by its last content', async () => {
    const { store, index } = await open();
    const source = await settlePages(store, [{ url: A, texts: ['about zebras'] }]);
    await Promise.all([index.index(10), settlePages(store, [{ url: A, texts: ['about lions'] }], source)]);
    await indexAndCompact(index);
    const versions = source.versions.map(({ id }) => id);
    expect(urlsOf(await index.candidates(queryOf('zebras', versions)))).toEqual([]);
    expect(urlsOf(await index.candidates(queryOf('lions', versions)))).toEqual([A]);
    expect(await index.verify(Infinity)).toEqual([]);
  });

  test('pages that are indexed again are found as before, and once', async () => {
    const { store, index } = await open();
    const pages = Array.from({ length: 12 }, (_, nth) => ({ url: `https://x.dev/${nth}`, texts: ['zebras', 'more'] }));
    const source = await settlePages(store, pages);
    const [version] = source.versions;
    await indexEverything(index);
    await index.reindex(version!.id);
    for (let step = 0; step < 4; step += 1) {
      expect(await index.candidates(queryOf('zebras', [version!.id]))).toHaveLength(12);
      expect(await index.isIndexed(version!.id)).toBe(false);
      await index.index(3);
    }
    await indexAndCompact(index);
    expect(await index.isIndexed(version!.id)).toBe(true);
    expect(await index.candidates(queryOf('zebras', [version!.id]))).toHaveLength(12);
    expect(await index.verify(Infinity)).toEqual([]);
  });
}

/** Until then an engine may still find what was replaced. */
async function indexAndCompact(index: SearchIndex): Promise<void> {
  await indexEverything(index);
  while (!(await index.compact(1000)));
}
