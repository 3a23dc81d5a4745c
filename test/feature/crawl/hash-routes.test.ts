// Hash routes, rendered by several workers of one run.

import { expect, test } from 'vitest';
import { hashRouteOf } from '../../../src/core/url/hash-route.ts';
import type { Renderer } from '../../../src/render/port.ts';
import { createCrawler } from '../../support/crawl.ts';
import { startDocSite } from '../../support/scripted-site.ts';
import { sleep } from '../../../src/platform/clock.ts';

const ROUTES = Array.from({ length: 12 }, (_, nth) => `#/operations/${nth}`);
const LINES = Array.from(
  { length: 30 },
  (_, nth) => `<p>Operation ${nth} of the API is described in this paragraph.</p>`,
);
const SHELL = '<!doctype html><title>API</title><div id="root"></div><script src="/app.js"></script>';

/** Shows the whole document at every route, as the pages of OpenAPI documents do. */
function createRenderer(): Renderer & { readonly rendered: string[] } {
  const rendered: string[] = [];
  const html = `<!doctype html><title>API</title><main><h1>API</h1>${LINES.join('')}<ul>${ROUTES.map((route) => `<li><a href="${route}">${route}</a></li>`).join('')}</ul></main>`;
  return {
    rendered,
    async render({ url }) {
      rendered.push(url);
      // Long enough that the other worker takes routes too.
      await sleep(hashRouteOf(url) === null ? 0 : 200);
      return {
        kind: 'rendered',
        html,
        url,
        status: 200,
        headers: { 'content-type': 'text/html' },
        renderedBy: 'test 1',
        bytes: html.length,
        totalMs: 1,
        readiness: 'quiet',
        refusals: [],
        exceeded: null,
      };
    },
    close: async () => undefined,
  };
}

test.each([1, 3])('the sections of a document are one page for %i workers (finding D19)', async (workers) => {
  const site = await startDocSite({ '/': SHELL });
  const renderer = createRenderer();
  const rendering = { mode: 'auto', renderer } as const;
  const crawler = await createCrawler({ rendering, workers, limits: { concurrency: 2 } });
  const run = await crawler.crawl(`${site.origin}/`, { preset: 'basic' });
  expect(renderer.rendered.some((url) => hashRouteOf(url) !== null)).toBe(true);
  expect(await crawler.stored()).toEqual([`${site.origin}/`]);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 1, moved: ROUTES.length } });
  await crawler.close();
  await site.close();
});
