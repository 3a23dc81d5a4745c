// Source views in search: documentation comes first, and they are found where nothing else matches.

import { afterEach, expect, test } from 'vitest';
import { createSearch, type SearchRequest } from '../../../src/search/search.ts';
import { createCrawler } from '../../support/crawl.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';
import { indexReaderOf } from '../../support/index-reader.ts';
import { indexAll } from '../../support/run-fixture.ts';

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

test('a setting is answered from its documentation, not from the code that reads it', async () => {
  const modules = ['timezone', 'dateformat', 'backends'].map((name) => `/docs/_modules/x/${name}.html`);
  const pageWith = (title: string, content: string): string => docPage(title).replace('</main>', `${content}</main>`);
  const site = await startDocSite({
    '/docs/': docPage('start', ['/docs/ref/settings.html', ...modules]),
    '/docs/ref/settings.html': pageWith('Settings', '<h2>USE_TZ</h2><p>Whether datetimes are aware.</p>'),
    ...Object.fromEntries(modules.map((path) => [path, pageWith(path, `<pre>${'USE_TZ = 1\n'.repeat(20)}</pre>`)])),
    [modules[0]!]: pageWith('x.timezone', '<pre>def reset_cache(): settings.USE_TZ</pre>'),
  });
  const crawler = await createCrawler();
  closing.push(site, crawler);
  await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  await indexAll(crawler.store);
  const search = createSearch(crawler.store, indexReaderOf(crawler.store));
  const found = async (query: string, filter: Partial<SearchRequest> = {}): Promise<string[]> => {
    const request = { query, limit: 5, budget: 2000, offset: 0, explain: false, ...filter };
    return (await search(request)).passages.map(({ url }) => new URL(url).pathname);
  };

  expect(await found('USE_TZ')).toEqual(['/docs/ref/settings.html']);
  expect(await found('reset_cache')).toEqual([modules[0]]);
  // An answer ends when the next page scores far below: the one that mentions the setting once.
  expect((await found('USE_TZ', { pageKind: 'source' })).toSorted()).toEqual(modules.slice(1).toSorted());
});
