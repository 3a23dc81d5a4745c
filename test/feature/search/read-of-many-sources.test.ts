import { expect, test } from 'vitest';
import { createReadDocs } from '../../../src/search/read-docs.ts';
import type { Store } from '../../../src/store/port.ts';
import { settlePages } from '../../support/qdrant-library.ts';
import { openTestSqlite } from '../../support/stores.ts';

test('a page of any source is read without a lookup in each of them (finding D25)', async () => {
  const { store, close } = await openTestSqlite();
  for (let nth = 0; nth < 12; nth += 1)
    await settlePages(store, [
      { url: `https://site-${nth}.dev/guide`, title: `Guide ${nth}`, texts: ['about zebras'] },
    ]);
  let lookups = 0;
  const get: Store['pages']['get'] = (version, url) => {
    lookups += 1;
    return store.pages.get(version, url);
  };
  const read = createReadDocs({ ...store, pages: { ...store.pages, get } });
  const request = { fromLine: 1, budget: 1000 };
  expect(await read({ ...request, target: 'https://site-7.dev/guide' })).toMatchObject({ title: 'Guide 7' });
  expect(lookups).toBe(1);
  await expect(read({ ...request, target: 'https://site-99.dev/guide' })).rejects.toMatchObject({
    code: 'page.unknown',
  });
  expect(lookups).toBe(1);
  await close();
});
