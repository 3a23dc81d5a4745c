// Store contract: pages and chunks.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { findChunks } from './segments.contract.ts';
import {
  frontierEntry,
  createRunFixture,
  claimAll,
  indexAll,
  indexedOutcome,
  createSettlement,
} from '../support/run-fixture.ts';
import type { Store } from '../../src/store/port.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';

export function pagesContract(store: () => Store): void {
  test('titles are read up to the limit of each version (finding B17)', async () => {
    const fixtures = [
      await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']),
      await createRunFixture(store(), ['https://y.dev/a', 'https://y.dev/b']),
    ];
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'text'))]);
    const titles = await store().pages.titles(
      fixtures.map(({ run }) => run.version),
      1,
    );
    expect(titles.map(({ url }) => new URL(url).host).toSorted()).toEqual(['x.dev', 'y.dev']);
  });

  test('a changed page keeps chunks with unchanged text', async () => {
    const { source, run, lease } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'one', 'two', 'three'))]);
    const before = await store().pages.chunksOf(run.version, claim!.url);
    await store().runs.finish(lease, 'completed', null);

    const second = await createRunFixture(store(), [], source);
    expect(await store().frontier.enqueuePrevious(second.run.id, null, 10)).toBeNull();
    const [again] = await claimAll(store());
    expect(again?.previous).toMatchObject({
      etag: '"1"',
      contentHash: sha256Hex('one\ntwo\nthree\n'),
      pipelineVersion: 'test/1',
    });
    await store().frontier.settle([
      createSettlement(again!, indexedOutcome(again!.url, 'zero', 'two', 'three', 'two')),
    ]);
    const after = await store().pages.chunksOf(run.version, claim!.url);
    expect(after.map((chunk) => chunk.text)).toEqual(['zero', 'two', 'three', 'two']);
    expect(after.slice(1, 3).map((chunk) => chunk.id)).toEqual(before.slice(1).map((chunk) => chunk.id));
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ found: 1, new: 0, changed: 1 });
  });

  test('word vectors are read by place; a new one alone is stored and not indexed again', async () => {
    const { source, run, lease } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    const { url } = claim!;
    const locations = [2, 1, 0, 9].map((ordinal) => ({ version: run.version, url, ordinal }));
    const firstBytes = async (): Promise<Array<[at: number, first: number | undefined]>> =>
      (await store().chunks.wordVectors(locations))
        .map(({ at, vector }): [number, number | undefined] => [at, vector[0]])
        .toSorted(([left], [right]) => left - right);
    await store().frontier.settle([
      createSettlement(claim!, withVectors(indexedOutcome(url, 'a', 'b', 'c'), [7, null, 9])),
    ]);
    expect(await firstBytes()).toEqual([
      [0, 9],
      [2, 7],
    ]);
    await indexAll(store());
    await store().runs.finish(lease, 'completed', null);

    await createRunFixture(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([
      createSettlement(again!, withVectors(indexedOutcome(url, 'a', 'b', 'c'), [7, 8, 200])),
    ]);
    expect(await firstBytes()).toEqual([
      [0, 200],
      [1, 8],
      [2, 7],
    ]);
    expect(await store().segments.queueLength()).toBe(0);
  });

  test('an unchanged page keeps its chunks and stores the new validators', async () => {
    const { source, run, lease } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'one'))]);
    await store().runs.finish(lease, 'completed', null);
    const second = await createRunFixture(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([createSettlement(again!, { kind: 'unchanged', etag: '"2"', lastModified: null })]);
    await store().runs.finish(second.lease, 'completed', null);
    const third = await createRunFixture(store(), ['https://x.dev/a'], source);
    expect((await claimAll(store()))[0]?.previous?.etag).toBe('"2"');
    expect(await store().pages.chunksOf(run.version, claim!.url)).toHaveLength(1);
    expect(third.run.counts.found).toBe(0);
  });

  test('a deleted, missing, moved or excluded page stays until the end of the run', async () => {
    const { source, run, lease } = await createRunFixture(store(), [
      'https://x.dev/a',
      'https://x.dev/b',
      'https://x.dev/c',
      'https://x.dev/e',
    ]);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`))]);
    await store().segments.index(10);
    await store().runs.finish(lease, 'completed', null);
    const second = await createRunFixture(store(), [], source);
    await store().frontier.enqueuePrevious(second.run.id, null, 10);
    const claims = await claimAll(store());
    const at = (path: string) => claims.find((claim) => claim.url === `https://x.dev/${path}`)!;
    await store().frontier.settle([
      createSettlement(at('a'), { kind: 'not-found', reason: 'status 410' }),
      createSettlement(at('b'), { kind: 'missing', reason: 'status 404' }),
      createSettlement(at('c'), { kind: 'moved', to: pageUrl('https://x.dev/d') }, ['https://x.dev/d']),
      createSettlement(at('e'), { kind: 'excluded', reason: 'max-depth: depth 3' }),
    ]);
    const urls = async () => (await store().pages.list(run.version, null, 10)).pages.map((page) => page.url);
    expect(await urls()).toHaveLength(4);
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ missing: 4, removed: 0, moved: 0 });
    expect(await store().frontier.confirmMissing(second.lease, 10)).toBe(4);
    expect(await urls()).toEqual([]);
    await store().segments.index(10);
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({
      found: 4,
      removed: 2,
      missing: 0,
      moved: 1,
      excluded: 1,
    });
  });

  test('the stored body and outline are read unchanged', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    const text = 'Grüße 👋 "quoted"\t\\ \u0001';
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, text))]);
    const page = await store().pages.get(run.version, claim!.url);
    expect(page).toMatchObject({
      text: `${text}\n`,
      outline: [{ level: 1, text: 'Title', anchor: null, line: 1 }],
    });
    expect(new TextDecoder().decode(page!.body!.bytes)).toBe(`${text}\n`);
  });

  test('chunks are found by the parts of their symbols, exact ones first', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    const outcome = indexedOutcome(claim!.url, 'a', 'b', 'c', 'd');
    if (outcome.kind !== 'indexed') throw new Error('not indexed');
    const named = (...symbols: ReadonlyArray<string | null>) =>
      outcome.chunks.map((chunk, at) => ({ ...chunk, symbol: symbols[at] ?? null }));
    const find = async (prefix: string, limit = 10) =>
      (await store().pages.symbols(run.version, prefix, limit)).map(({ chunk }) => chunk.symbol);
    const chunks = named('json.dumps_all', 'json.dumps', 'std::vec::Vec::push', null);
    await store().frontier.settle([createSettlement(claim!, { ...outcome, chunks })]);
    expect(await find('DUMPS')).toEqual(['json.dumps', 'json.dumps_all']);
    expect(await find('dumps', 1)).toEqual(['json.dumps']);
    expect(await find('vec.push')).toEqual(['std::vec::Vec::push']);
    expect(await find('umps')).toEqual([]);
    const { page } = outcome;
    await store().pages.reprocess(lease, [{ url: claim!.url, page, chunks: named(null, 'json.write', null, 'dump') }]);
    expect(await find('dump')).toEqual(['dump']);
    expect(await find('write')).toEqual(['json.write']);
    expect(await find('push')).toEqual([]);
  });

  test('pages are listed in batches, each once', async () => {
    const { run } = await createRunFixture(
      store(),
      Array.from({ length: 25 }, (_, i) => `https://x.dev/${i}`),
    );
    await store().frontier.settle(
      (await claimAll(store())).map((claim) => createSettlement(claim, indexedOutcome(claim.url, claim.url))),
    );
    const urls: string[] = [];
    let after: string | null = null;
    do {
      const batch = await store().pages.list(run.version, after, 10);
      urls.push(...batch.pages.map((page) => page.url));
      after = batch.after;
    } while (after !== null);
    expect(new Set(urls).size).toBe(25);
    expect(urls).toHaveLength(25);
  });

  test('pages are read in the order of their URLs, without duplicates, and their texts one by one', async () => {
    const urls = ['https://x.dev/b', 'https://x.dev/a/z', 'https://x.dev/a', 'https://x.dev/Z', 'https://x.dev/ü'];
    const { run, lease } = await createRunFixture(store(), urls);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`))]);
    const copy = pageUrl('https://x.dev/b');
    await store().pages.applyAliases(lease, [{ url: copy, aliasOf: pageUrl('https://x.dev/a') }]);
    const read = async (prefix: string, after: string | null, limit: number) =>
      (await store().pages.byUrl(run.version, { prefix, after, limit })).map(({ url }) => url);
    const ordered = ['https://x.dev/%C3%BC', 'https://x.dev/Z', 'https://x.dev/a', 'https://x.dev/a/z'];
    expect(await read('', null, 10)).toEqual(ordered);
    expect(await read('', ordered[0]!, 2)).toEqual(ordered.slice(1, 3));
    expect(await read('https://x.dev/a', null, 10)).toEqual(ordered.slice(2));
    expect(await store().pages.text(run.version, pageUrl('https://x.dev/a'))).toBe('text of https://x.dev/a\n');
    expect(await store().pages.text(run.version, pageUrl('https://x.dev/none'))).toBeNull();
  });

  test('two sources may have the same page, settled in one batch', async () => {
    const { run: first } = await createRunFixture(store(), ['https://x.dev/a']);
    const { run: second } = await createRunFixture(store(), ['https://x.dev/a']);
    const claims = await claimAll(store());
    expect(claims).toHaveLength(2);
    await store().frontier.settle(
      claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'one', 'two'))),
    );
    for (const run of [first, second])
      expect((await store().pages.chunksOf(run.version, claims[0]!.url)).map((chunk) => chunk.text)).toEqual([
        'one',
        'two',
      ]);
  });

  test('a duplicate becomes an alias, keeps its validators, and can be restored', async () => {
    const { source, run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/copy']);
    const [a, copy] = [pageUrl('https://x.dev/a'), pageUrl('https://x.dev/copy')];
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'the same words'))]);
    await indexAll(store());
    const list = async () => (await store().pages.list(run.version, null, 10)).pages.map((page) => page.url).sort();
    const found = async () => {
      return (await findChunks(store(), run.version, ['words'])).map(({ chunk }) => chunk.page.url).sort();
    };
    const groups = await store().pages.changedGroups(run.version, null, 10);
    expect(groups?.pages.map(({ url }) => url).sort()).toEqual([a, copy]);

    await store().pages.applyAliases(lease, [{ url: copy, aliasOf: a }]);
    await indexAll(store());
    expect([await list(), await found()]).toEqual([[a], [a]]);
    expect(await store().pages.chunksOf(run.version, copy)).toEqual([]);
    expect(await store().pages.aliasesOf(run.version, a)).toEqual([copy]);
    expect((await store().pages.get(run.version, copy))?.url).toBe(a);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ new: 1, moved: 1 });
    await store().runs.finish(lease, 'completed', null);

    const second = await createRunFixture(store(), [], source);
    await store().frontier.enqueuePrevious(second.run.id, null, 10);
    const claims = await claimAll(store());
    const again = claims.find(({ url }) => url === copy)!;
    expect(again.previous).toMatchObject({ etag: '"1"', aliasOf: expect.stringMatching(/^[0-9a-f]{32}$/) });
    await store().frontier.settle(
      claims.map((claim) => createSettlement(claim, { kind: 'unchanged', etag: '"1"', lastModified: null })),
    );
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ unchanged: 1, moved: 1 });
    await store().pages.applyAliases(second.lease, [{ url: copy, aliasOf: null }]);
    expect(await list()).toEqual([a, copy]);
    expect(await store().pages.byPipelineVersion(run.version, '', null, 10)).toEqual({ urls: [copy], after: null });
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ unchanged: 2, moved: 0 });
    const { page, chunks } = indexedOutcome(copy, 'the same words') as Extract<Outcome, { kind: 'indexed' }>;
    await store().pages.reprocess(second.lease, [{ url: copy, page, chunks }]);
    await indexAll(store());
    expect(await found()).toEqual([a, copy]);
  });

  test('aliases of a removed page are restored', async () => {
    const { source, run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/copy']);
    const [a, copy] = [pageUrl('https://x.dev/a'), pageUrl('https://x.dev/copy')];
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'the same words'))]);
    await store().pages.applyAliases(lease, [{ url: copy, aliasOf: a }]);
    await store().runs.finish(lease, 'completed', null);
    const second = await createRunFixture(store(), [], source);
    await store().frontier.enqueuePrevious(second.run.id, null, 10);
    for (const claim of await claimAll(store())) {
      const same: Outcome = { kind: 'unchanged', etag: null, lastModified: null };
      await store().frontier.settle([
        createSettlement(claim, claim.url === a ? { kind: 'not-found', reason: 'status 404' } : same),
      ]);
    }
    await store().frontier.confirmMissing(second.lease, 10);
    expect((await store().pages.list(run.version, null, 10)).pages.map(({ url }) => url)).toEqual([copy]);
    expect(await store().verify()).toEqual([]);
    await indexAll(store());
  });

  test('a URL resolves to its page, also through redirects, or to nothing', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/old', 'https://x.dev/gone']);
    const [a, old, gone] = ['a', 'old', 'gone'].map((name) => pageUrl(`https://x.dev/${name}`));
    for (const claim of await claimAll(store())) {
      const outcomes: Record<string, Outcome> = { [a!]: indexedOutcome(a!, 'x'), [old!]: { kind: 'moved', to: a! } };
      await store().frontier.settle([
        createSettlement(claim, outcomes[claim.url] ?? { kind: 'not-found', reason: 'status 404' }),
      ]);
    }
    const unknown = pageUrl('https://x.dev/unknown');
    expect(await store().pages.resolveCanonical(run.version, [a!, old!, gone!, unknown])).toEqual(
      new Map([
        [a, a],
        [old, a],
      ]),
    );
  });

  test('URLs of earlier runs are listed with their outcomes, until this run has them', async () => {
    const { source, lease } = await createRunFixture(store(), [
      'https://x.dev/a',
      'https://x.dev/flaky',
      'https://x.dev/gone',
    ]);
    await store().frontier.exclude(lease.run.id, [
      { url: pageUrl('https://x.dev/no'), depth: 1, foundBy: 'link', reason: 'out-of-scope', parent: null },
    ]);
    for (const claim of await claimAll(store())) {
      const outcome: Outcome = claim.url.endsWith('/a')
        ? indexedOutcome(claim.url, 'x')
        : { kind: claim.url.endsWith('gone') ? 'not-found' : 'failed', reason: 'shrunk' };
      await store().frontier.settle([createSettlement(claim, outcome)]);
    }
    await store().runs.finish(lease, 'partial', null);
    const second = await createRunFixture(store(), [], source);
    const { urls } = await store().frontier.previousUrls(second.run.id, null, 10);
    const listed = urls.map((one) => [one.url.slice(14), one.outcome, one.hasPage, one.foundBy].join(' ')).toSorted();
    // A gone URL that no page links to is left out.
    expect(listed).toEqual(['a new true seed', 'flaky failed false seed', 'no excluded false link']);
    await store().frontier.enqueue(second.run.id, [frontierEntry('https://x.dev/a')]);
    await store().frontier.exclude(second.run.id, [
      { url: pageUrl('https://x.dev/no'), depth: 1, foundBy: 'link', reason: 'robots-disallow', parent: null },
    ]);
    expect((await store().frontier.previousUrls(second.run.id, null, 10)).urls.map(({ url }) => url)).toEqual([
      'https://x.dev/flaky',
    ]);
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ found: 1, excluded: 1 });
  });

  test('what the site publishes takes precedence over a link that was found first', async () => {
    const { run } = await createRunFixture(store());
    const url = 'https://x.dev/a';
    await store().frontier.enqueue(run.id, [frontierEntry(url, { foundBy: 'link', depth: 3 })]);
    await store().frontier.enqueue(run.id, [frontierEntry(url, { foundBy: 'sitemap' })]);
    await store().frontier.enqueue(run.id, [frontierEntry(url, { foundBy: 'llms-txt' })]);
    expect(await claimAll(store())).toMatchObject([{ foundBy: 'sitemap', depth: 0 }]);
  });
}

/** A vector per chunk that consists of one byte; null for a chunk without one. */
function withVectors(outcome: Outcome, bytes: ReadonlyArray<number | null>): Outcome {
  if (outcome.kind !== 'indexed') return outcome;
  const chunks = outcome.chunks.map((chunk, at) => {
    const byte = bytes[at] ?? null;
    return byte === null ? chunk : { ...chunk, wordVector: new Uint8Array(256).fill(byte) };
  });
  return { ...outcome, chunks };
}
