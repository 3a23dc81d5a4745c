// Compares the hubs that an analysis finds on real sites with lists made by hand: precision and recall.
//
//   node bench/crawl/hubs.ts STATE
//
// STATE is a folder served by test/data/corpora/serve-corpora.sh.

import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { runAnalysis } from '../../src/library/analysis/run-analysis.ts';
import { createLog } from '../../src/platform/log.ts';
import { createCrawler } from '../../test/support/crawl.ts';
import { openCorpora } from '../../test/support/corpora.ts';
import { writeResult } from '../support/write-result.ts';
import { LISTED_HUBS, type ListedHubs } from './hubs.table.ts';

const [state = ''] = process.argv.slice(2);
const MAX_MINUTES = 20;
const MAX_HUBS = 2000;
const HOUR_MS = 3_600_000;

/** The path of a hub as the lists spell it. */
const pathOf = (url: string): string => new URL(url).pathname.replace(/(?:\/index)?(?:\.\w+)?$/, '').replace(/\/$/, '');

async function findHubs(origin: string): Promise<{ readonly pages: number; readonly hubs: readonly string[] }> {
  const crawler = await createCrawler();
  try {
    const run = await crawler.start(`${origin}/`, {});
    const { version } = await crawler.ended(run, MAX_MINUTES * 60_000);
    const { store } = crawler;
    const pages = (await crawler.stored()).length;
    const started = { analysisVersion: 1, pageLimit: null, domainLimit: null, skipPages: false, skipDomains: false };
    await store.analysis.start('hubs', { ...started, dryRun: false, verbose: false, source: null });
    const lease = await store.analysis.lease('bench', HOUR_MS);
    const log = createLog({ level: 'error', now: () => new Date(), write: () => undefined });
    const deps = { store, index: createSegmentIndex(store.segments), log, nowMs: Date.now };
    if (lease === null || !(await runAnalysis(lease, deps, new AbortController().signal)))
      throw new Error('the analysis did not end');
    const hubs = await store.analysis.hubs(version, MAX_HUBS);
    return { pages, hubs: hubs.filter(({ status }) => status !== 'missing').map(({ url }) => pathOf(url)) };
  } finally {
    await crawler.close();
  }
}

function compare(found: readonly string[], { parts, inner }: ListedHubs) {
  const paths = [...new Set(found)];
  const wrong = paths.filter((path) => !parts.includes(path) && !inner.includes(path));
  const notFound = parts.filter((path) => !paths.includes(path));
  const precision = paths.length === 0 ? 1 : 1 - wrong.length / paths.length;
  return {
    found: paths.length,
    listed: parts.length,
    precision,
    recall: 1 - notFound.length / parts.length,
    wrong,
    notFound,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
const sites = [];
for (const { name, origin } of openCorpora(state).sites()) {
  const listed = LISTED_HUBS[name];
  if (listed === undefined) continue;
  const { pages, hubs } = await findHubs(origin);
  const compared = compare(hubs, listed);
  process.stderr.write(`${JSON.stringify({ name, pages, ...compared })}\n`);
  sites.push({ name, pages, ...compared, precision: round(compared.precision), recall: round(compared.recall) });
}
const mean = (numbers: readonly number[]): number => round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
writeResult('hubs', {
  sites,
  precision: mean(sites.map(({ precision }) => precision)),
  recall: mean(sites.map(({ recall }) => recall)),
});
process.exit(0);
