// The store's contract: search rows.

import { expect, test } from 'vitest';
import { aRun, claimAll, indexAll, indexed, settling } from '../support/a-run.ts';
import type { Store } from '../../src/store/port.ts';

export function searchRowsContract(store: () => Store): void {
  test('a settled page is found by its words, a replaced text is not', async () => {
    const { run, source, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store());
    await store().frontier.settle(
      claims.map((claim) => settling(claim, indexed(claim.url, `about zebras at ${claim.url}`))),
    );
    await indexAll(store());
    const search = (...words: string[]) =>
      store().searchRows.candidates({ versions: [run.version], words, kinds: [], limit: 10 });
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
    const search = (word: string) =>
      store().searchRows.candidates({ versions: [run.version], words: [word], kinds: [], limit: 10 });
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
    for (const word of ['"', "'", '*', 'NEAR(', 'a AND', '!', '\0', ':*', '&|!', 'x" OR "plain', '\\']) {
      await expect(
        store().searchRows.candidates({ versions: [run.version], words: [word], kinds: [], limit: 5 }),
      ).resolves.toBeDefined();
    }
  });
}
