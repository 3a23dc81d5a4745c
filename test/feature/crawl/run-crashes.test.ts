// Discovery and coordinators that fail.

import { afterEach, expect, test, vi } from 'vitest';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';

vi.setConfig({ testTimeout: 90_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

function closeLater<T extends { close(): Promise<void> }>(one: T): T {
  closing.push(one);
  return one;
}

async function open(options: CrawlOptions, more: Readonly<Record<string, string>> = {}): Promise<[Crawler, DocSite]> {
  const site = closeLater(
    await startDocSite({ '/docs/': docPage('the start', ['/docs/a']), '/docs/a': docPage('a'), ...more }),
  );
  return [closeLater(await createCrawler(options)), site];
}

const FILES = {
  '/sitemap.xml': `<urlset>${'<url><loc>/docs/a</loc></url>'.repeat(100)}</urlset>`,
  '/docs/llms.txt': `# Docs\n\n${'- [A](/docs/a): a page\n'.repeat(100)}`,
};

test('files of discovery that cannot be read are problems, and the crawl continues (finding N6)', async () => {
  const [crawler, site] = await open({ parse: { maxFileBytes: 1000 } }, FILES);
  const run = await crawler.ended(await crawler.start(`${site.origin}/docs/`), 30_000);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 2 } });
  expect((await crawler.problems(run.id)).map(({ kind, target }) => [kind, target])).toEqual([
    ['llms-unread', `${site.origin}/docs/llms.txt`],
    ['sitemap-unread', `${site.origin}/sitemap.xml`],
  ]);
});

test('a run whose coordinator fails again and again fails, and says why (finding N6)', async () => {
  const [crawler, site] = await open({ limits: { leaseMs: 200, renewMs: 50, maxRunCrashes: 3 } });
  // Settings that no version of the program has stored.
  const id = await crawler.start(`${site.origin}/docs/`, { maxPages: -5 });
  const run = await crawler.ended(id, 30_000);
  expect(run).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/ after \d crashes without progress \(crawl\.maxRunCrashes\)$/),
  });
  const problems = await crawler.problems(id);
  expect(problems.map(({ kind, severity }) => [kind, severity])).toEqual([
    ['coordinator-failed', 'error'],
    ['run-crashed', 'error'],
  ]);
  expect(problems[0]?.message).toContain('maxPages');
});
