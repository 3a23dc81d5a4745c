// PDF files from a folder, from an archive and from a web server.

import { zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createCrawler } from '../../support/crawl.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';
import { aPdf, pdfObjects, pdfOf } from '../../support/pdf-files.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { addPath } from '../../support/run-worker.ts';
import { createLocalFolder } from '../../support/local-folder.ts';

vi.setConfig({ testTimeout: 90_000 });

// The first page is a picture.
const guide = aPdf(
  [
    [],
    [
      { text: 'Install', y: 740, size: 20 },
      { text: 'Fill the kettle with water before the first use.', y: 700 },
    ],
  ],
  [{ title: 'Install', page: 2 }],
);
const scanned = pdfOf(pdfObjects([[], [], []]));
const TEXT = '# Install\n\nFill the kettle with water before the first use.\n';

test('[L3] a PDF in a folder or an archive is cited by page; a scanned one fails', async () => {
  const { store, close } = await openTestSqlite({});
  const root = createLocalFolder({
    'guide.pdf': guide,
    'scanned.pdf': scanned,
    'docs.zip': zipSync({ 'inner/guide.pdf': guide }),
  });
  const run = await addPath(store, root, { name: 'folder' });
  expect(run).toMatchObject({ counts: { new: 1, failed: 1 } });
  await addPath(store, `${root}/docs.zip`, { name: 'archive' });
  for (const [name, path] of [
    ['folder', 'guide.pdf'],
    ['archive', 'inner/guide.pdf'],
  ] as const) {
    const source = await store.sources.byName(name);
    const page = [source!.versions[0]!.id, pageUrl(`file:///${path}`)] as const;
    expect(await store.pages.text(...page)).toBe(TEXT);
    expect(await store.pages.chunksOf(...page)).toMatchObject([{ anchor: 'page=2' }]);
  }
  await close();
});

test('[L3] a PDF that a site links to is a page; one without text says why', async () => {
  const bodies: Readonly<Record<string, Uint8Array>> = { '/docs/guide.pdf': guide, '/docs/scanned.pdf': scanned };
  const site = await startDocSite({}, ({ url = '' }, response) => {
    const body = bodies[url];
    if (url === '/docs/') response.setHeader('content-type', 'text/html').end(docPage(url, Object.keys(bodies)));
    else if (body === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', 'application/pdf').end(body);
  });
  const crawler = await createCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await crawler.stored()).toEqual([`${site.origin}/docs/`, `${site.origin}/docs/guide.pdf`]);
  expect((await crawler.outcomes(run.id)).get(`${site.origin}/docs/scanned.pdf`)).toBe(
    `failed: extract.scanned: ${site.origin}/docs/scanned.pdf is a scanned document: 3 pages without a text layer`,
  );
  await crawler.close();
  await site.close();
});
