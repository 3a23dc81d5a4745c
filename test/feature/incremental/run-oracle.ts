// The long form of the oracle: npm run test:oracle -- STATE [site …]. Crawls each site from empty, compares it with its
// own files, crawls it again unchanged, and writes the results to bench/results/oracle.json.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { writeResult } from '../../support/write-result.ts';
import { openCorpora, type CorpusSite } from '../../support/corpora.ts';
import { compare } from './compare.ts';
import { addSite, openCrawler } from '../../support/measured-crawl.ts';
import { readOracle } from './oracle.ts';
import { watchCompaction } from './await-compaction.ts';

const [state, ...wanted] = process.argv.slice(2);
if (state === undefined)
  throw new Error('npm run test:oracle -- STATE [site …], where STATE is served by serve-corpora.sh');
const corpora = openCorpora(state);
const sites = corpora.sites().filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const results: Record<string, unknown> = previous();
for (const site of sites) {
  results[site.name] = await measure(site);
  console.log(site.name, JSON.stringify(results[site.name]));
  writeResult('oracle', { sites: Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1))) });
}

async function measure(site: CorpusSite): Promise<object> {
  const reach = JSON.parse(readFileSync(join(state!, 'meta', `${site.name}.reach.json`), 'utf8')) as {
    reachable: string[];
  };
  const oracle = readOracle(site, reach.reachable);
  const directory = temporaryDirectory();
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  const index = watchCompaction(directory);
  const { crawl, close } = openCrawler(store, {}, index.isTidy);
  try {
    const source = await addSite(store, site.name, `${site.origin}/`);
    const first = await crawl(source);
    const compared = await compare(store, first.run, site, oracle);
    const violations = await store.verify();
    const again = await crawl(source);
    return {
      ...compared,
      missing: compared.missing.slice(0, 20),
      missed: compared.missing.length,
      wrongProvenance: compared.wrongProvenance.slice(0, 5),
      provenanceWrong: compared.wrongProvenance.length,
      doubled: compared.doubled.slice(0, 5),
      doubles: compared.doubled.length,
      state: first.run.state,
      counts: first.run.counts,
      cpuMsAPage: Math.round((10 * first.cpuMs) / Math.max(1, compared.pages)) / 10,
      cpuS: Math.round(first.cpuMs / 100) / 10,
      wallS: Math.round(first.wallMs / 100) / 10,
      violations: violations.length,
      again: {
        state: again.run.state,
        counts: again.run.counts,
        cpuShare: Math.round((1000 * again.cpuMs) / first.cpuMs) / 1000,
        cpuS: Math.round(again.cpuMs / 100) / 10,
        wallS: Math.round(again.wallMs / 100) / 10,
      },
    };
  } finally {
    await close();
    index.close();
    await store.close();
    rmSync(directory, { recursive: true });
  }
}

/** One site can be measured again without the others. */
function previous(): Record<string, unknown> {
  if (wanted.length === 0) return {};
  try {
    const result = JSON.parse(readFileSync(new URL('../../../bench/results/oracle.json', import.meta.url), 'utf8')) as {
      sites: Record<string, unknown>;
    };
    return result.sites;
  } catch {
    return {};
  }
}
