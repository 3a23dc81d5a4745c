// The long form of recrawling: npm run test:recrawl -- STATE site …, where STATE is served by serve-corpora.sh and may
// be changed. Each site is crawled, crawled again unchanged, mutated and crawled, and crawled after a change of its
// footers. One worker does it all, like the owner of a library. The results are written to bench/results/recrawl.json.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { writeResult } from '../../support/write-result.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { openCorpora } from '../../support/corpora.ts';
import { addSite, openCrawler } from '../../support/measured-crawl.ts';
import { outcomes } from './stored-pages.ts';
import { comparable, foundChanges, statedChanges, storedLocations } from './mutation.ts';
import { watchCompaction } from './await-compaction.ts';

const SEED = 7;
const MUTATION = ['--change', '2', '--touch', '5', '--delete', '1', '--move', '1', '--add', '1'];

const [state, ...names] = process.argv.slice(2);
if (state === undefined || names.length === 0) throw new Error('npm run test:recrawl -- STATE site …');
const corpora = openCorpora(state);
const results: Record<string, unknown> = {};
for (const name of names) {
  results[name] = await measure(name);
  console.log(name, JSON.stringify(results[name]));
  writeResult('recrawl', { seed: SEED, mutation: MUTATION.join(' '), sites: results });
}

async function measure(name: string): Promise<object> {
  corpora.run('restore', '--sites', name);
  const site = corpora.site(name);
  const directory = temporaryDirectory();
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  const index = watchCompaction(directory);
  const { crawl, close } = openCrawler(store, {}, index.isTidy);
  try {
    const source = await addSite(store, name, `${site.origin}/`);
    const first = await crawl(source);
    const written = chunkRows(directory);
    const earlier = requestsOf(name);
    const same = await crawl(source);
    const requests = requestsOf(name).slice(earlier.length);
    const rewritten = chunkRows(directory);

    const before = await storedLocations(store, first.run);
    corpora.run('mutate', '--sites', name, '--seed', String(SEED), ...MUTATION);
    const changed = await crawl(source);
    const stated = statedChanges(corpora, name, SEED, before);
    const found = comparable(await foundChanges(store, changed.run, before), corpora, name);

    corpora.run('mutate', '--sites', name, '--seed', String(SEED + 1), '--footer');
    const footer = await crawl(source);
    const { new: fresh, changed: altered, unchanged } = footer.run.counts;
    return {
      pages: before.size,
      unchangedRun: {
        outcomes: outcomes(same.run),
        chunkRowsWritten: rewritten - written,
        withValidators: requests.filter((one) => one.hasValidators).length,
        answered304: requests.filter((one) => one.hasValidators && one.status === 304).length,
        cpuShare: Math.round((1000 * same.cpuMs) / first.cpuMs) / 1000,
        firstCpuMs: Math.round(first.cpuMs),
        cpuMs: Math.round(same.cpuMs),
        cpuMsAPage: Math.round((100 * same.cpuMs) / before.size) / 100,
      },
      mutatedRun: {
        outcomes: outcomes(changed.run),
        stated: sizes(stated),
        found: sizes(found),
        exact: JSON.stringify(stated) === JSON.stringify(found),
        differences: differences(stated, found),
      },
      footerRun: { unchangedShare: Math.round((1000 * unchanged) / (unchanged + altered + fresh)) / 1000 },
      violations: (await store.verify()).length,
    };
  } finally {
    await close();
    index.close();
    await store.close();
    rmSync(directory, { recursive: true });
    corpora.run('restore', '--sites', name);
  }
}

/** Rows of chunks that were ever written. */
function chunkRows(directory: string): number {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const [row] = database.prepare(`select seq from sqlite_sequence where name = 'chunks'`).all() as Array<{
    seq: number;
  }>;
  database.close();
  return row?.seq ?? 0;
}

/** As the server saw them. */
function requestsOf(name: string): Array<{ status: number; hasValidators: boolean }> {
  const log = readFileSync(join(state!, 'logs', `${name}.log`), 'utf8');
  return [...log.matchAll(/" (\d{3}) \d+ "[^"]*" "([^"]*)" "([^"]*)" "/g)].map(([, status, etag, since]) => ({
    status: Number(status),
    // A missing Markdown variant is not a page that could be unchanged.
    hasValidators: (etag !== '-' || since !== '-') && status !== '404',
  }));
}

function sizes(changes: Readonly<Record<string, readonly string[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(changes).map(([kind, locations]) => [kind, locations.length]));
}

function differences(
  stated: Readonly<Record<string, readonly string[]>>,
  found: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.keys(stated).flatMap((kind) => [
    ...(stated[kind] ?? [])
      .filter((location) => !found[kind]?.includes(location))
      .map((location) => `${kind} lacks ${location}`),
    ...(found[kind] ?? [])
      .filter((location) => !stated[kind]?.includes(location))
      .map((location) => `${kind} has ${location}`),
  ]);
}
