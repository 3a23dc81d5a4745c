// Measures the frontier on SQLite against bench/store/reference/frontier.sqlite.sql, in one process and one run:
// claims in batches of 100, settlements of 20 pages with 50 links each (80 % already enqueued), no content.
//
//   node bench/store/frontier-sqlite.ts [--urls 1000000] [--hosts 10000] [--pages 10000]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Settlement } from '../../src/store/port/frontier.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { referenceStatements } from './reference-statements.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';
import { drawLinks, keyOf, urlOf } from '../support/synthetic-urls.ts';
import { frontierSizes, type Size } from './frontier-sizes.ts';
import { createRandom } from '../../test/support/random.ts';

const { full, small, pages } = frontierSizes({ urls: 1_000_000, hosts: 10_000 }, 10);

const CLAIM = 100;
const SETTLE = 20;
const DELAY_MS = 1;

interface Measurement {
  readonly pages: number;
  readonly cpuMsPerPage: number;
  readonly pagesPerCpuSecond: number;
  readonly rssGrowthMb: number;
}

const directory = mkdtempSync(join(tmpdir(), 'pinakes-bench-'));
try {
  const reference = { small: await measureReference(small), full: await measureReference(full) };
  const ours = { small: await measureOurs(small), full: await measureOurs(full) };
  const measurements = {
    full,
    small,
    claim: CLAIM,
    settle: SETTLE,
    reference,
    ours,
    ratioToReference: round(ours.full.cpuMsPerPage / reference.full.cpuMsPerPage),
    growthFromSmallToFull: round(ours.full.cpuMsPerPage / ours.small.cpuMsPerPage),
    bars: { pagesPerCpuSecond: 1500, growthFromSmallToFull: 1.3 },
  };
  writeResult('frontier-sqlite', measurements);
} finally {
  rmSync(directory, { recursive: true });
}

function measure(work: () => Promise<number>): Promise<Measurement> {
  const before = { cpu: cpuMs(), rss: process.memoryUsage.rss() };
  return work().then((done) => {
    const cpu = cpuMs() - before.cpu;
    const rssGrowthMb = round((process.memoryUsage.rss() - before.rss) / 2 ** 20);
    return {
      pages: done,
      cpuMsPerPage: round(cpu / done),
      pagesPerCpuSecond: Math.round((done / cpu) * 1000),
      rssGrowthMb,
    };
  });
}

async function measureReference(size: Size): Promise<Measurement> {
  const statement = referenceStatements('frontier.sqlite.sql');
  const db = new DatabaseSync(join(directory, `reference-${size.urls}.db`));
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536; pragma mmap_size = 268435456',
  );
  db.exec(statement('schema'));
  const prepared = (name: string) => db.prepare(statement(name));
  const [hostsReady, reserve, claim, complete, enqueue, addPending] = [
    'hosts',
    'reserve',
    'claim',
    'complete',
    'enqueue',
    'add-pending',
  ].map(prepared) as [
    ReturnType<typeof prepared>,
    ReturnType<typeof prepared>,
    ReturnType<typeof prepared>,
    ReturnType<typeof prepared>,
    ReturnType<typeof prepared>,
    ReturnType<typeof prepared>,
  ];
  db.exec('begin');
  const addHost = db.prepare('insert into fr_hosts values (?, 0, ?, ?)');
  for (let host = 0; host < size.hosts; host += 1) addHost.run(host, DELAY_MS, size.urls / size.hosts);
  for (let n = 0; n < size.urls; n += 1) {
    const url = urlOf(n, size.hosts);
    enqueue.run(n % size.hosts, keyOf(url), url);
  }
  db.exec('commit; pragma wal_checkpoint(truncate)');

  const random = createRandom(1);
  let next = size.urls;
  const measurement = await measure(async () => {
    let done = 0;
    while (done < pages) {
      db.exec('begin immediate');
      const now = Date.now();
      const hosts = hostsReady.all(now, CLAIM) as Array<{ host_id: number }>;
      const claimed = hosts.flatMap(({ host_id }) => {
        reserve.run(now, host_id);
        return claim.all(host_id) as Array<{ rowid: number }>;
      });
      db.exec('commit');
      for (let i = 0; i < claimed.length; i += SETTLE) {
        db.exec('begin immediate');
        for (const { rowid } of claimed.slice(i, i + SETTLE)) {
          complete.run(rowid);
          for (const n of drawLinks(random, size.urls, () => (next += 1))) {
            const url = urlOf(n, size.hosts);
            if (enqueue.run(n % size.hosts, keyOf(url), url).changes > 0) addPending.run(n % size.hosts);
          }
        }
        db.exec('commit');
      }
      done += claimed.length;
    }
    return done;
  });
  db.close();
  return measurement;
}

async function measureOurs(size: Size): Promise<Measurement> {
  const owner = { pid: process.pid, command: 'bench', since: 'now' };
  const store = openSqliteStore({
    directory: join(directory, `ours-${size.urls}`),
    owner,
    startDelayMs: DELAY_MS,
    maxAttempts: 8,
  });
  const source = await store.sources.add(
    { name: 'bench', kind: 'web', startUrl: 'https://h0.test/', settings: {} },
    '',
  );
  const run = await store.runs.start(source.versions[0]!.id, 'incremental', {});
  await store.runs.lease('bench', 3_600_000);
  for (let first = 0; first < size.urls; first += 10_000) {
    const entries = Array.from({ length: Math.min(10_000, size.urls - first) }, (_, i) => linkTo(first + i, size));
    await store.frontier.enqueue(run.id, entries);
  }
  const measurement = await measure(() => crawl(store, size));
  await store.close();
  return measurement;
}

async function crawl(store: Store, size: Size): Promise<number> {
  const random = createRandom(1);
  let next = size.urls;
  let done = 0;
  while (done < pages) {
    const claims = await store.frontier.claim({ worker: 'bench', limit: CLAIM, leaseMs: 3_600_000, aheadMs: 0 });
    for (let i = 0; i < claims.length; i += SETTLE) {
      const settlements = claims.slice(i, i + SETTLE).map((claim): Settlement => ({
        claim,
        outcome: { kind: 'skipped', reason: 'stopped' },
        links: drawLinks(random, size.urls, () => (next += 1)).map((n) => linkTo(n, size)),
        excluded: [],
        bytes: 0,
      }));
      await store.frontier.settle(settlements);
    }
    done += claims.length;
  }
  return done;
}

function linkTo(n: number, size: Size) {
  return { url: urlOf(n, size.hosts) as PageUrl, depth: 1, foundBy: 'link' as const, priority: 1, parent: null };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
