// Filtered lists of pages and URLs.

import { afterEach, expect, test } from 'vitest';
import type { ActionDeps } from '../../../src/actions/action.ts';
import { listPages } from '../../../src/actions/list-pages.ts';
import { listUrls } from '../../../src/actions/list-urls.ts';
import { createCrawler } from '../../support/crawl.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

test('[H4] pages can be listed by kind, by confidence and by text; URLs by text', async () => {
  const site = await startDocSite({
    '/docs/': docPage('start', ['/docs/guide/install', '/docs/api/open', '/docs/api/close', '/docs/gone']),
    '/docs/guide/install': docPage('Installing the program'),
    '/docs/api/open': docPage('open()'),
    '/docs/api/close': docPage('close()'),
  });
  const crawler = await createCrawler();
  closing.push(site, crawler);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  const [source] = await crawler.store.sources.list();
  const deps = { store: crawler.store } as ActionDeps;
  const pages = async (filter: object): Promise<string[]> => {
    const input = listPages.input.parse({ source: source!.name, ...filter });
    return (await listPages.run(input, deps)).pages.map(({ url }) => new URL(url).pathname).toSorted();
  };
  const references = await pages({ pageKind: 'reference' });
  expect(references).toEqual(['/docs/api/close', '/docs/api/open']);
  expect(await pages({ pageKind: 'reference', confidence: 1 })).toEqual([]);
  expect(await pages({ pageKind: 'reference', confidence: 99 })).toEqual([]);
  expect(await pages({ pageKind: 'reference', confidence: 2 })).toEqual(await pages({ pageKind: 'reference' }));
  expect(await pages({ text: 'installing' })).toEqual(['/docs/guide/install']);
  expect(await pages({})).toHaveLength(4);

  const urls = listUrls.input.parse({ run: String(run.id), text: '/API/', limit: 1 });
  const first = await listUrls.run(urls, deps);
  const second = await listUrls.run({ ...urls, cursor: first.nextCursor! }, deps);
  expect([...first.urls, ...second.urls].map(({ url }) => new URL(url).pathname).toSorted()).toEqual(references);
});
