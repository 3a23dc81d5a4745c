// The store's contract: pages and chunks.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { aRun, claimAll, indexed, settling } from '../support/a-run.ts';
import type { Store } from '../../src/store/port.ts';

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

  test('a gone page goes with its chunks; a missing one stays until it is confirmed', async () => {
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
    expect(await urls()).toEqual(['https://x.dev/b']);
    expect(await store().frontier.confirmMissing(second.lease, 10)).toBe(1);
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
}
