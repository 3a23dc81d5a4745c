// Office files from a folder, from an archive and from a web server.

import { zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createCrawler } from '../../support/crawl.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';
import { aDocx, docxParts, zipOf } from '../../support/office-files.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { addPath } from '../../support/run-worker.ts';
import { createLocalFolder } from '../../support/local-folder.ts';

vi.setConfig({ testTimeout: 90_000 });

const guide = aDocx('Install', 'Fill the kettle with water before the first use.');

const { 'word/document.xml': _, ...withoutText } = docxParts('');
const broken = zipOf(withoutText);

test('[L3] a Word document is read in a folder and in an archive; one that is broken says why', async () => {
  const { store, close } = await openTestSqlite({});
  const root = createLocalFolder({
    'guide.docx': guide,
    'broken.docx': broken,
    'docs.zip': zipSync({ 'inner/guide.docx': guide }),
  });
  const run = await addPath(store, root, { name: 'folder' });
  expect(run).toMatchObject({ counts: { new: 1, failed: 1 } });
  await addPath(store, `${root}/docs.zip`, { name: 'archive' });
  for (const [name, path] of [
    ['folder', 'guide.docx'],
    ['archive', 'inner/guide.docx'],
  ] as const) {
    const source = await store.sources.byName(name);
    const text = await store.pages.text(source!.versions[0]!.id, pageUrl(`file:///${path}`));
    expect(text).toBe('# Install\n\nFill the kettle with water before the first use.\n');
  }
  await close();
});

test('[L3] a Word document that a site links to is a page; one that is broken says why', async () => {
  const bodies: Readonly<Record<string, Uint8Array>> = { '/docs/guide.docx': guide, '/docs/broken.docx': broken };
  const site = await startDocSite({}, ({ url = '' }, response) => {
    const body = bodies[url];
    if (url === '/docs/') response.setHeader('content-type', 'text/html').end(docPage(url, Object.keys(bodies)));
    else if (body === undefined) response.writeHead(404).end();
    else
      response
        .setHeader('content-type', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
        .end(body);
  });
  const crawler = await createCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await crawler.stored()).toEqual([`${site.origin}/docs/`, `${site.origin}/docs/guide.docx`]);
  expect((await crawler.outcomes(run.id)).get(`${site.origin}/docs/broken.docx`)).toBe(
    `failed: extract.malformed: Invalid Word document without word/document.xml: ${site.origin}/docs/broken.docx`,
  );
  await crawler.close();
  await site.close();
});
