// One host that accepts connections and never responds, next to hosts that do: how much it delays the others.

import { createCrawler } from '../../support/crawl.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';

export interface Neighbours {
  readonly goodHosts: number;
  readonly pages: number;
  readonly aloneMs: number;
  readonly besideMs: number;
}

export async function crawlNextToTarpit(goodHosts: number, pages: number): Promise<Neighbours> {
  const links = Array.from({ length: pages - 1 }, (_, n) => `/docs/${n}`);
  const good = await Promise.all(
    Array.from({ length: goodHosts }, () =>
      startDocSite({}, (request, response) => {
        if (request.url?.endsWith('.txt') || request.url?.endsWith('.xml')) return void response.writeHead(404).end();
        response.setHeader('content-type', 'text/html');
        response.end(docPage(request.url ?? '', links));
      }),
    ),
  );
  const tarpit = await startDocSite({
    '/docs/': docPage('tarpit', links),
    '/robots.txt': 'User-agent: *\nAllow: /\n',
    ...Object.fromEntries(links.map((path) => [path, () => undefined])),
  });
  const aloneMs = await crawlTime(good, null);
  const besideMs = await crawlTime(good, tarpit);
  for (const site of [...good, tarpit]) await site.close();
  return { goodHosts, pages, aloneMs, besideMs };
}

/** From the start of the first run to the end of the last good one. */
async function crawlTime(good: readonly DocSite[], tarpit: DocSite | null): Promise<number> {
  const crawler = await createCrawler({
    limits: { startDelayMs: 50, minDelayMs: 50, circuitBreakerMs: 60_000 },
    fetch: { headerTimeoutMs: 15_000 },
  });
  try {
    if (tarpit !== null) {
      await crawler.start(`${tarpit.origin}/docs/`, { preset: 'basic' });
      // It has its claims before the others start.
      while (tarpit.pages().length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const startedAt = performance.now();
    const runs = await Promise.all(good.map(({ origin }) => crawler.start(`${origin}/docs/`, { preset: 'basic' })));
    await Promise.all(runs.map((run) => crawler.ended(run, 300_000)));
    return performance.now() - startedAt;
  } finally {
    await crawler.close();
  }
}
