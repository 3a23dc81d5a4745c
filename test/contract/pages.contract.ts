// The store's contract: pages and chunks.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { found as foundBy } from './search-index.contract.ts';
import { anOffer, aRun, claimAll, indexAll, indexed, settling } from '../support/run-fixture.ts';
import type { Outcome, Store } from '../../src/store/port.ts';

export function pagesContract(store: () => Store): void {
  test('a changed page keeps the chunks whose text stays', async () => {
    const { source, run, lease } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'one', 'two', 'three'))]);
    const before = await store().pages.chunksOf(run.version, claim!.url);
    await store().runs.finish(lease, 'completed', null);

    const second = await aRun(store(), [], source);
    expect(await store().frontier.offerKnown(second.run.id, null, 10)).toBeNull();
    const [again] = await claimAll(store());
    expect(again?.known).toMatchObject({
      etag: '"1"',
      contentHash: sha256Hex('one\ntwo\nthree\n'),
      madeBy: 'test/1',
    });
    await store().frontier.settle([settling(again!, indexed(again!.url, 'zero', 'two', 'three', 'two'))]);
    const after = await store().pages.chunksOf(run.version, claim!.url);
    expect(after.map((chunk) => chunk.text)).toEqual(['zero', 'two', 'three', 'two']);
    expect(after.slice(1, 3).map((chunk) => chunk.id)).toEqual(before.slice(1).map((chunk) => chunk.id));
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ found: 1, new: 0, changed: 1 });
  });

  test('an unchanged page keeps its chunks and takes the new validators', async () => {
    const { source, run, lease } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'one'))]);
    await store().runs.finish(lease, 'completed', null);
    const second = await aRun(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([settling(again!, { kind: 'unchanged', etag: '"2"', lastModified: null })]);
    await store().runs.finish(second.lease, 'completed', null);
    const third = await aRun(store(), ['https://x.dev/a'], source);
    expect((await claimAll(store()))[0]?.known?.etag).toBe('"2"');
    expect(await store().pages.chunksOf(run.version, claim!.url)).toHaveLength(1);
    expect(third.run.counts.found).toBe(0);
  });

  test('a known page that is gone, missing or moved stays until the end of the run confirms it', async () => {
    const { source, run, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([settling(claim, indexed(claim.url, `text of ${claim.url}`))]);
    await store().searchRows.index(10);
    await store().runs.finish(lease, 'completed', null);
    const second = await aRun(store(), [], source);
    await store().frontier.offerKnown(second.run.id, null, 10);
    const claims = await claimAll(store());
    const at = (path: string) => claims.find((claim) => claim.url === `https://x.dev/${path}`)!;
    await store().frontier.settle([
      settling(at('a'), { kind: 'gone', reason: '410' }),
      settling(at('b'), { kind: 'missing', reason: '404' }),
      settling(at('c'), { kind: 'moved', to: pageUrl('https://x.dev/d') }, ['https://x.dev/d']),
    ]);
    const urls = async () => (await store().pages.list(run.version, null, 10)).pages.map((page) => page.url);
    expect(await urls()).toHaveLength(3);
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ missing: 3, gone: 0, moved: 0 });
    expect(await store().frontier.confirmMissing(second.lease, 10)).toBe(3);
    expect(await urls()).toEqual([]);
    await store().searchRows.index(10);
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({
      found: 4,
      gone: 2,
      missing: 0,
      moved: 1,
    });
  });

  test('the stored body and outline come back as they were', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    const text = 'Grüße 👋 "quoted"\t\\ \u0001';
    await store().frontier.settle([settling(claim!, indexed(claim!.url, text))]);
    const page = await store().pages.get(run.version, claim!.url);
    expect(page).toMatchObject({
      text: `${text}\n`,
      outline: [{ level: 1, text: 'Title', anchor: null, line: 1 }],
    });
    expect(new TextDecoder().decode(page!.body!.bytes)).toBe(`${text}\n`);
  });

  test('pages are listed in pieces, each once', async () => {
    const { run } = await aRun(
      store(),
      Array.from({ length: 25 }, (_, i) => `https://x.dev/${i}`),
    );
    await store().frontier.settle(
      (await claimAll(store())).map((claim) => settling(claim, indexed(claim.url, claim.url))),
    );
    const urls: string[] = [];
    let after: string | null = null;
    do {
      const piece = await store().pages.list(run.version, after, 10);
      urls.push(...piece.pages.map((page) => page.url));
      after = piece.after;
    } while (after !== null);
    expect(new Set(urls).size).toBe(25);
    expect(urls).toHaveLength(25);
  });

  test('two sources may hold the same page, settled together', async () => {
    const { run: first } = await aRun(store(), ['https://x.dev/a']);
    const { run: second } = await aRun(store(), ['https://x.dev/a']);
    const claims = await claimAll(store());
    expect(claims).toHaveLength(2);
    await store().frontier.settle(claims.map((claim) => settling(claim, indexed(claim.url, 'one', 'two'))));
    for (const run of [first, second])
      expect((await store().pages.chunksOf(run.version, claims[0]!.url)).map((chunk) => chunk.text)).toEqual([
        'one',
        'two',
      ]);
  });

  test('a folded page is an alias, keeps its validators, and stands again', async () => {
    const { source, run, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/copy']);
    const [a, copy] = [pageUrl('https://x.dev/a'), pageUrl('https://x.dev/copy')];
    for (const claim of await claimAll(store()))
      await store().frontier.settle([settling(claim, indexed(claim.url, 'the same words'))]);
    await indexAll(store());
    const list = async () => (await store().pages.list(run.version, null, 10)).pages.map((page) => page.url).sort();
    const found = async () => {
      return (await foundBy(store(), run.version, ['words'])).map(({ chunk }) => chunk.page.url).sort();
    };
    const foldable = await store().pages.foldable(run.version, null, 10);
    expect(foldable.pages.map(({ url }) => url).sort()).toEqual([a, copy]);

    await store().pages.fold(lease, [{ url: copy, into: a }]);
    await indexAll(store());
    expect([await list(), await found()]).toEqual([[a], [a]]);
    expect(await store().pages.chunksOf(run.version, copy)).toEqual([]);
    expect(await store().pages.aliasesOf(run.version, a)).toEqual([copy]);
    expect((await store().pages.get(run.version, copy))?.url).toBe(a);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ new: 1, moved: 1 });
    await store().runs.finish(lease, 'completed', null);

    const second = await aRun(store(), [], source);
    await store().frontier.offerKnown(second.run.id, null, 10);
    const claims = await claimAll(store());
    const again = claims.find(({ url }) => url === copy)!;
    expect(again.known).toMatchObject({ etag: '"1"', aliasOf: expect.stringMatching(/^[0-9a-f]{32}$/) });
    await store().frontier.settle(
      claims.map((claim) => settling(claim, { kind: 'unchanged', etag: '"1"', lastModified: null })),
    );
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ unchanged: 1, moved: 1 });
    await store().pages.fold(second.lease, [{ url: copy, into: null }]);
    expect(await list()).toEqual([a, copy]);
    expect(await store().pages.madeBy(run.version, '', null, 10)).toEqual({ urls: [copy], after: null });
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ unchanged: 2, moved: 0 });
    const { page, chunks } = indexed(copy, 'the same words') as Extract<Outcome, { kind: 'indexed' }>;
    await store().pages.remake(second.lease, [{ url: copy, page, chunks }]);
    await indexAll(store());
    expect(await found()).toEqual([a, copy]);
  });

  test('what was folded into a page that goes stands again', async () => {
    const { source, run, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/copy']);
    const [a, copy] = [pageUrl('https://x.dev/a'), pageUrl('https://x.dev/copy')];
    for (const claim of await claimAll(store()))
      await store().frontier.settle([settling(claim, indexed(claim.url, 'the same words'))]);
    await store().pages.fold(lease, [{ url: copy, into: a }]);
    await store().runs.finish(lease, 'completed', null);
    const second = await aRun(store(), [], source);
    await store().frontier.offerKnown(second.run.id, null, 10);
    for (const claim of await claimAll(store())) {
      const same: Outcome = { kind: 'unchanged', etag: null, lastModified: null };
      await store().frontier.settle([settling(claim, claim.url === a ? { kind: 'gone', reason: '404' } : same)]);
    }
    await store().frontier.confirmMissing(second.lease, 10);
    expect((await store().pages.list(run.version, null, 10)).pages.map(({ url }) => url)).toEqual([copy]);
    expect(await store().verify()).toEqual([]);
    await indexAll(store());
  });

  test('an address leads to its page, through redirects too, or nowhere', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/old', 'https://x.dev/gone']);
    const [a, old, gone] = ['a', 'old', 'gone'].map((name) => pageUrl(`https://x.dev/${name}`));
    for (const claim of await claimAll(store())) {
      const outcomes: Record<string, Outcome> = { [a!]: indexed(a!, 'x'), [old!]: { kind: 'moved', to: a! } };
      await store().frontier.settle([settling(claim, outcomes[claim.url] ?? { kind: 'gone', reason: '404' })]);
    }
    const nobody = pageUrl('https://x.dev/nobody');
    expect(await store().pages.standing(run.version, [a!, old!, gone!, nobody])).toEqual(
      new Map([
        [a, a],
        [old, a],
      ]),
    );
  });

  test('URLs that earlier runs left are told with what became of them, until this run takes them', async () => {
    const { source, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/flaky', 'https://x.dev/gone']);
    await store().frontier.refuse(lease.run.id, [
      { url: pageUrl('https://x.dev/no'), depth: 1, foundBy: 'link', reason: 'out-of-scope', parent: null },
    ]);
    for (const claim of await claimAll(store())) {
      const outcome: Outcome = claim.url.endsWith('/a')
        ? indexed(claim.url, 'x')
        : { kind: claim.url.endsWith('gone') ? 'gone' : 'failed', reason: 'why' };
      await store().frontier.settle([settling(claim, outcome)]);
    }
    await store().runs.finish(lease, 'partial', null);
    const second = await aRun(store(), [], source);
    const { urls } = await store().frontier.known(second.run.id, null, 10);
    const told = urls.map((one) => [one.url.slice(14), one.outcome, one.hasPage, one.foundBy].join(' ')).toSorted();
    // What is gone and nobody speaks of is left in peace.
    expect(told).toEqual(['a new true seed', 'flaky failed false seed', 'no refused false link']);
    await store().frontier.offer(second.run.id, [anOffer('https://x.dev/a')]);
    await store().frontier.refuse(second.run.id, [
      { url: pageUrl('https://x.dev/no'), depth: 1, foundBy: 'link', reason: 'robots-disallow', parent: null },
    ]);
    expect((await store().frontier.known(second.run.id, null, 10)).urls.map(({ url }) => url)).toEqual([
      'https://x.dev/flaky',
    ]);
    expect((await store().runs.byId(second.run.id))?.counts).toMatchObject({ found: 1, refused: 1 });
  });

  test('what the site states stands over a link that was met first', async () => {
    const { run } = await aRun(store());
    const url = 'https://x.dev/a';
    await store().frontier.offer(run.id, [anOffer(url, { foundBy: 'link', depth: 3 })]);
    await store().frontier.offer(run.id, [anOffer(url, { foundBy: 'sitemap' })]);
    await store().frontier.offer(run.id, [anOffer(url, { foundBy: 'llms-txt' })]);
    expect(await claimAll(store())).toMatchObject([{ foundBy: 'sitemap', depth: 0 }]);
  });
}
