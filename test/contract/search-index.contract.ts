// The store's contract: search rows.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aRun, claimAll, indexAll, indexed, settling } from '../support/run-fixture.ts';
import { readPostings } from '../../src/core/lexical/segment/postings.ts';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import type { FoundChunk, SearchPlace, Store } from '../../src/store/port.ts';

export function searchRowsContract(store: () => Store): void {
  test('a settled page is found by its words, a replaced text is not', async () => {
    const { run, source, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store());
    await store().frontier.settle(
      claims.map((claim) => settling(claim, indexed(claim.url, `about zebras at ${claim.url}`))),
    );
    await indexAll(store());
    const search = (...words: string[]) => found(store(), run.version, words);
    expect(await search('zebras')).toHaveLength(2);
    await store().runs.finish(lease, 'completed', null);
    await aRun(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([settling(again!, indexed(again!.url, 'about lions'))]);
    await indexAll(store());
    expect((await search('zebras')).map((hit) => hit.chunk.page.url)).toEqual(['https://x.dev/b']);
    expect((await search('lions', 'zebras')).map((hit) => hit.source)).toEqual([source.id, source.id]);
    expect(await store().searchRows.lag()).toBe(0);
  });

  test('a page is found by its new title and headings, also in chunks whose text stays', async () => {
    const { run, source, lease } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'one', 'two'))]);
    await indexAll(store());
    await store().runs.finish(lease, 'completed', null);
    await aRun(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    const fresh = indexed(again!.url, 'one', 'two', 'three');
    if (fresh.kind !== 'indexed') throw new Error('not a page');
    const page = { ...fresh.page, title: 'Zebras' };
    const chunks = fresh.chunks.map((chunk) => ({ ...chunk, kind: 'code', symbol: 'f', headings: ['Lions'] }) as const);
    await store().frontier.settle([settling(again!, { kind: 'indexed', page, chunks })]);
    await indexAll(store());
    const search = (word: string) => found(store(), run.version, [word]);
    expect(await search('zebras')).toHaveLength(3);
    expect(await search('lions')).toHaveLength(3);
    expect(await search('title')).toEqual([]);
    expect((await store().pages.chunksOf(run.version, again!.url)).map(({ kind, symbol }) => [kind, symbol])).toEqual(
      chunks.map(() => ['code', 'f']),
    );
  });

  test('words are never query syntax', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'plain text'))]);
    await indexAll(store());
    for (const word of ['"', "'", '*', 'NEAR(', 'a AND', '!', ':*', '&|!', 'x" OR "plain', '\\', '%', '\u{10ffff}']) {
      await expect(store().searchRows.postings([run.version], [word])).resolves.toMatchObject({ having: [0] });
      await expect(store().searchRows.nearTerms([run.version], word, { least: 0, most: 100 })).resolves.toEqual([]);
    }
  });

  test('many small segments become few, and every page is still found once', async () => {
    const urls = Array.from({ length: 24 }, (_, i) => `https://x.dev/${i}`);
    const { run } = await aRun(store(), urls);
    for (const claim of await claimAll(store())) {
      await store().frontier.settle([
        settling(claim, indexed(claim.url, `common words of ${claim.url}`, 'more common')),
      ]);
      await indexAll(store());
    }
    for (let step = 0; step < 40; step += 1) await store().searchRows.index(10);
    const { segments } = await store().searchRows.postings([run.version], ['common']);
    expect(segments.length).toBeLessThan(8);
    const pages = (await found(store(), run.version, ['common'])).map((hit) => hit.chunk.page.url);
    expect(pages.toSorted()).toEqual([...urls, ...urls].toSorted());
    expect(await store().verify()).toEqual([]);
  });

  test('a page that is settled again while it is indexed is found by what it says last', async () => {
    const { run, source, lease } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'about zebras'))]);
    await store().runs.finish(lease, 'completed', null);
    await aRun(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await Promise.all([
      store().searchRows.index(10),
      store().frontier.settle([settling(again!, indexed(again!.url, 'about lions'))]),
    ]);
    await indexAll(store());
    expect(await found(store(), run.version, ['zebra'])).toEqual([]);
    expect(await found(store(), run.version, ['lion'])).toHaveLength(1);
  });

  test('a filter admits only the places that pass it', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a/1', 'https://x.dev/b/1']);
    const claims = await claimAll(store());
    await store().frontier.settle(claims.map((claim) => settling(claim, indexed(claim.url, 'zebras'))));
    await indexAll(store());
    const places = await store().searchRows.placesOf([run.version], { pathPrefix: 'https://x.dev/b/' });
    const chunks = await store().searchRows.resolve(places);
    expect(chunks.map(({ chunk }) => chunk.page.url)).toEqual(['https://x.dev/b/1']);
  });

  test('pages that are indexed again are found as before', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'zebras'))]);
    await indexAll(store());
    expect(await store().searchRows.lagMs()).toBe(0);
    await store().searchRows.reindex(run.version);
    expect(await store().searchRows.lag()).toBe(1);
    await wait(20);
    expect(await store().searchRows.lagMs()).toBeGreaterThan(9);
    expect(await found(store(), run.version, ['zebra'])).toHaveLength(1);
    await indexAll(store());
    expect(await found(store(), run.version, ['zebra'])).toHaveLength(1);
    expect(await store().verify()).toEqual([]);
  });
}

/** Every living chunk that has one of the words. */
export async function found(
  store: Store,
  version: VersionId,
  words: readonly string[],
): Promise<readonly FoundChunk[]> {
  const terms = words.flatMap((word) => tokenize(word));
  const { segments } = await store.searchRows.postings([version], terms);
  const places = new Map<string, SearchPlace>();
  for (const { id, pageStarts, postings } of segments) {
    for (const bytes of postings.values()) {
      readPostings(bytes, (chunk) => {
        const page = pageStarts.findLastIndex((start) => start <= chunk);
        places.set(`${id} ${chunk}`, { segment: id, page, position: chunk - (pageStarts[page] ?? 0) });
      });
    }
  }
  return store.searchRows.resolve([...places.values()]);
}
