// node bench/crawl/crawl-competitor-crawlee.ts START LIMIT FOLDER standard|lean: Crawlee's Cheerio crawler, only fetching, parsing
// and following links of the same host. FOLDER has @crawlee/cheerio installed. Prints how many pages it fetched. `standard` has
// Crawlee's defaults, with its queue on disk, so that a crawl can be resumed; `lean` turns off everything that can be turned off:
// sessions, cookies, the queue on disk.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const CONCURRENCY = 16;
const [start = '', limit = '1000000', folder = '', variant = 'standard'] = process.argv.slice(2);

interface Crawlee {
  readonly CheerioCrawler: new (options: object, configuration: object) => { run(starts: string[]): Promise<unknown> };
  readonly Configuration: new (options: object) => object;
  readonly log: { setLevel(level: number): void };
}

interface Handled {
  readonly enqueueLinks: (options: object) => Promise<unknown>;
  readonly response: { readonly statusCode: number };
}

const { CheerioCrawler, Configuration, log } = createRequire(join(folder, 'package.json'))(
  '@crawlee/cheerio',
) as Crawlee;
log.setLevel(0);
let pages = 0;
const crawler = new CheerioCrawler(
  {
    minConcurrency: CONCURRENCY,
    maxConcurrency: CONCURRENCY,
    maxRequestsPerCrawl: Number(limit),
    maxRequestRetries: 0,
    ...(variant === 'lean' ? { useSessionPool: false, persistCookiesPerSession: false } : {}),
    async requestHandler({ enqueueLinks, response }: Handled) {
      // Missing pages are passed to the handler too, and do not count as pages.
      if (response.statusCode === 200) pages += 1;
      await enqueueLinks({ strategy: 'same-origin' });
    },
  },
  new Configuration(variant === 'lean' ? { persistStorage: false, purgeOnStart: false } : {}),
);
await crawler.run([start]);
console.log(JSON.stringify({ pages }));
