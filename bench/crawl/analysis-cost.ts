// Measures an analysis run over a library of synthetic pages in SQLite: CPU time per page, and memory along the way.
//
//   node --expose-gc bench/crawl/analysis-cost.ts [--pages 20000] [--chars 9000]
//
// Pages of two sites, Next.js and the AI SDK, have 8,700 characters on average.

import { parseArgs } from 'node:util';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { runAnalysis } from '../../src/library/analysis/run-analysis.ts';
import { createLog } from '../../src/platform/log.ts';
import { claimAll, createSettlement, frontierEntry, indexedOutcome } from '../../test/support/run-fixture.ts';
import { openTestSqlite } from '../../test/support/stores.ts';
import { memoryMegabytes } from '../support/process-memory.ts';
import { cpuMs } from '../support/processor-time.ts';
import { syntheticPages } from '../support/synthetic-markdown.ts';
import { writeResult } from '../support/write-result.ts';

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '20000' }, chars: { type: 'string', default: '9000' } },
});
const pages = Number(values.pages);
const BATCH = 500;
const HOUR_MS = 3_600_000;
const texts = syntheticPages(200).map(({ text }) => text.slice(0, Number(values.chars)));

const { store, close } = await openTestSqlite();
const settings = { name: 'docs', kind: 'web', startUrl: 'https://docs.example.dev/', settings: {} } as const;
const source = await store.sources.add(settings, '');
const run = await store.runs.start(source.versions[0]!.id, 'incremental', {});
if ((await store.runs.lease('worker-1', HOUR_MS)) === null) throw new Error('no lease');
for (let first = 0; first < pages; first += BATCH) {
  const urls = Array.from({ length: BATCH }, (_, i) => `https://docs.example.dev/s${(first + i) % 40}/p${first + i}`);
  await store.frontier.enqueue(
    run.id,
    urls.map((url) => frontierEntry(url, { foundBy: 'sitemap' })),
  );
  for (
    let claims = await claimAll(store, BATCH, HOUR_MS);
    claims.length > 0;
    claims = await claimAll(store, BATCH, HOUR_MS)
  )
    await store.frontier.settle(
      claims.map((claim, i) => {
        const text = `# Page ${claim.url}\n\n${texts[(first + i) % texts.length] ?? ''}`;
        return createSettlement(claim, indexedOutcome(pageUrl(claim.url), text));
      }),
    );
}

await store.analysis.start('analysis-bench', {
  analysisVersion: 1,
  pageLimit: null,
  domainLimit: null,
  skipPages: false,
  skipDomains: false,
  dryRun: false,
  verbose: false,
  source: null,
});
const lease = await store.analysis.lease('bench', HOUR_MS);
if (lease === null) throw new Error('no analysis');
const log = createLog({ level: 'error', now: () => new Date(), write: () => undefined });
const megabytes: number[] = [];
let at = 0;
const watched = {
  ...store.analysis,
  savePages: (...args: Parameters<typeof store.analysis.savePages>) => {
    at += args[1].length;
    if (at >= ((megabytes.length + 1) * pages) / 10) {
      globalThis.gc?.();
      megabytes.push(Math.round(memoryMegabytes('self', 'VmRSS')));
    }
    return store.analysis.savePages(...args);
  },
};
const before = cpuMs();
const index = createSegmentIndex(store.segments);
const deps = { store: { ...store, analysis: watched }, index, log, nowMs: Date.now };
if (!(await runAnalysis(lease, deps, new AbortController().signal))) throw new Error('it did not end');
const spent = cpuMs() - before;
const status = (await store.analysis.byId('analysis-bench'))?.status;
await close();
const meanChars = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length);
writeResult('analysis-cost', {
  pages,
  meanChars,
  status,
  cpuMsPerPage: Math.round((spent / pages) * 100) / 100,
  megabytesByTenth: megabytes,
});
process.exit(0);
