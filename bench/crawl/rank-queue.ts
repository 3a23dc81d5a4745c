// Measures one ranking step of a planned run, on both engines: of 100,000 queued URLs the first 1,000 and as many that were not ranked yet are
// read, ranked by expected gain and written.
//
//   PINAKES_TEST_POSTGRES_URL=postgres://… node bench/crawl/rank-queue.ts

import { makePlan } from '../../src/core/analysis/site-plan.ts';
import { createGains } from '../../src/core/analysis/url-gain.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { openTestPostgres, openTestSqlite, type OpenTestStore } from '../../test/support/stores.ts';
import { frontierEntry } from '../../test/support/run-fixture.ts';
import { writeResult } from '../support/write-result.ts';

const QUEUED = 100_000;
const RANKED = 1000;
const BATCH = 5000;
const STEPS = 5;
const START = pageUrl('https://docs.example.dev/');

const urlOf = (i: number): string => `https://docs.example.dev/s${i % 40}/p${i}`;

async function measure(
  open: OpenTestStore,
): Promise<{ readonly cpuMs: readonly number[]; readonly ms: readonly number[] }> {
  const { store, close } = await open();
  const settings = { name: 'docs', kind: 'web', startUrl: START, settings: {} } as const;
  const source = await store.sources.add(settings, '');
  const run = await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('bench', 3_600_000);
  if (lease === null) throw new Error('no lease');
  for (let first = 0; first < QUEUED; first += BATCH) {
    const urls = Array.from({ length: BATCH }, (_, i) => frontierEntry(urlOf(first + i), { foundBy: 'sitemap' }));
    await store.frontier.enqueue(run.id, urls);
  }
  const { urls } = await store.analysis.knownUrls(run.version, null, BATCH);
  const gains = createGains(
    makePlan({ startUrl: START, urls, navigation: [], places: null, maxSeeds: 50, maxAgeMs: null }),
  );
  const [cpuMs, ms]: [number[], number[]] = [[], []];
  for (let step = 0; step < STEPS; step += 1) {
    for (let i = 0; i < 200; i += 1)
      gains.add({ url: pageUrl(urlOf(i * 7 + step)), isNewPage: i % 3 > 0, tokens: 400, pageKind: 'article' });
    const [before, startedMs] = [process.cpuUsage(), performance.now()];
    const first = await store.plans.queued(run.id, 'first', RANKED);
    const queued = [...first, ...(await store.plans.queued(run.id, 'unranked', RANKED))];
    const ranks = queued.flatMap(({ url, rank }) => {
      const own = gains.rankOf(url);
      return own === rank ? [] : [{ url, rank: own }];
    });
    await store.plans.rank(lease, ranks);
    const { user, system } = process.cpuUsage(before);
    cpuMs.push(Math.round((user + system) / 1000));
    ms.push(Math.round(performance.now() - startedMs));
  }
  await close();
  return { cpuMs, ms };
}

const result = {
  queued: QUEUED,
  ranked: RANKED,
  sqlite: await measure(openTestSqlite),
  postgres: await measure(openTestPostgres),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
writeResult('rank-queue', { command: 'node bench/crawl/rank-queue.ts', ...result });
