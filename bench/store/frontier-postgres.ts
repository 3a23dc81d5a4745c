// Measures the frontier on PostgreSQL against bench/store/reference/frontier.postgres.sql, on the same server and in one run:
// claims in batches of 100, settlements of 20 pages with 50 links each (80 % already enqueued), no content.
//
//   PINAKES_TEST_POSTGRES_URL=postgres://… node bench/store/frontier-postgres.ts [--urls 5000000] [--hosts 50000] [--pages 10000]

import pg from 'pg';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import type { Settlement } from '../../src/store/port/frontier.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { readPostmasterPid, serverCpuMs } from '../support/backend-cpu.ts';
import { referenceStatements } from './reference-statements.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';
import { drawLinks, keyOf, urlOf } from '../support/synthetic-urls.ts';
import { frontierSizes, type Size } from './frontier-sizes.ts';
import { createRandom } from '../../test/support/random.ts';

const { full, small, pages } = frontierSizes({ urls: 5_000_000, hosts: 50_000 }, 50);

const CLAIM = 100;
const SETTLE = 20;
const DELAY_MS = 10;

interface Measurement {
  readonly pages: number;
  readonly serverCpuMsPerPage: number;
  readonly clientCpuMsPerPage: number;
  readonly rssGrowthMb: number;
}

const serverUrl = process.env['PINAKES_TEST_POSTGRES_URL'] ?? '';
const name = `bench_${process.pid}`;
const admin = await connect(serverUrl);
const postmaster = await readPostmasterPid(serverUrl);
const measurements: Record<string, { reference: Measurement; ours: Measurement }> = {};
for (const [label, size] of Object.entries({ small, full })) {
  await admin.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  try {
    measurements[label] = {
      reference: await measureReference(url.href, size),
      ours: await measureOurs(url.href, size),
    };
  } finally {
    await admin.query(`drop database ${name} with (force)`);
  }
}
await admin.end();
report();

function report(): void {
  const { small: atSmall, full: atFull } = measurements as Record<
    'small' | 'full',
    { reference: Measurement; ours: Measurement }
  >;
  const all = (measurement: Measurement): number => measurement.serverCpuMsPerPage + measurement.clientCpuMsPerPage;
  const result = {
    full,
    small,
    claim: CLAIM,
    settle: SETTLE,
    figures: measurements,
    serverRatioToReference: round(atFull.ours.serverCpuMsPerPage / atFull.reference.serverCpuMsPerPage),
    cpuMsPerPageInAll: round(all(atFull.ours)),
    growthFromSmallToFull: round(all(atFull.ours) / all(atSmall.ours)),
    bars: { serverRatioToReference: 2, cpuMsPerPageInAll: 2, growthFromSmallToFull: 1.3 },
  };
  writeResult('frontier-postgres', result);
}

async function measure(work: () => Promise<number>): Promise<Measurement> {
  const before = { server: serverCpuMs(postmaster), client: cpuMs(), rss: process.memoryUsage.rss() };
  const done = await work();
  return {
    pages: done,
    serverCpuMsPerPage: round((serverCpuMs(postmaster) - before.server) / done),
    clientCpuMsPerPage: round((cpuMs() - before.client) / done),
    rssGrowthMb: round((process.memoryUsage.rss() - before.rss) / 2 ** 20),
  };
}

async function measureReference(url: string, size: Size): Promise<Measurement> {
  const statement = referenceStatements('frontier.postgres.sql');
  const db = await connect(url);
  await db.query(statement('schema'));
  await db.query(
    `insert into fr_hosts select h, now(), ${DELAY_MS}, ${size.urls / size.hosts} from generate_series(0, ${size.hosts - 1}) h`,
  );
  await db.query(`insert into fr_urls(host_id, url_hash, url) select n % ${size.hosts}, encode(substring(sha256(convert_to('https://h' || (n % ${size.hosts}) || '.test/p/' || n, 'UTF8')) for 16), 'hex')::uuid,
    'https://h' || (n % ${size.hosts}) || '.test/p/' || n from generate_series(0, ${size.urls - 1}) n`);
  await db.query('vacuum analyze');
  const run = (which: string, parameters: readonly unknown[]) =>
    db.query({ name: which, text: statement(which), values: [...parameters] });
  const random = createRandom(1);
  let next = size.urls;
  const measurement = await measure(async () => {
    let done = 0;
    while (done < pages) {
      const claimed = (await run('claim', [CLAIM, 1])).rows as Array<{ host_id: number; url_hash: string }>;
      for (let i = 0; i < claimed.length; i += SETTLE) {
        const batch = claimed.slice(i, i + SETTLE);
        const links = batch.flatMap(() => drawLinks(random, size.urls, () => (next += 1)));
        const urls = links.map((n) => urlOf(n, size.hosts));
        await db.query('begin');
        await run('complete', [batch.map((row) => row.host_id), batch.map((row) => row.url_hash)]);
        await run('enqueue', [links.map((n) => n % size.hosts), urls.map((one) => keyOf(one).toString('hex')), urls]);
        await run('add-pending', [links.filter((n) => n > size.urls).map((n) => n % size.hosts)]);
        await db.query('commit');
      }
      done += claimed.length;
    }
    return done;
  });
  await db.query('drop table fr_urls, fr_hosts');
  await db.end();
  return measurement;
}

async function measureOurs(url: string, size: Size): Promise<Measurement> {
  const store = await openPostgresStore({
    url,
    poolSize: 4,
    startDelayMs: DELAY_MS,
    maxAttempts: 8,
    onError: () => undefined,
  });
  const source = await store.sources.add(
    { name: 'bench', kind: 'web', startUrl: 'https://h0.test/', settings: {} },
    '',
  );
  const run = await store.runs.start(source.versions[0]!.id, 'incremental', {});
  await store.runs.lease('bench', 3_600_000);
  await fill(url, size, run);
  const random = createRandom(1);
  let next = size.urls;
  const linkTo = (n: number) => ({
    url: urlOf(n, size.hosts) as PageUrl,
    depth: 1,
    foundBy: 'link' as const,
    priority: 1,
    parent: null,
  });
  const measurement = await measure(async () => {
    let done = 0;
    while (done < pages) {
      const claims = await store.frontier.claim({ worker: 'bench', limit: CLAIM, leaseMs: 3_600_000, aheadMs: 0 });
      for (let i = 0; i < claims.length; i += SETTLE) {
        const settlements = claims.slice(i, i + SETTLE).map((claim): Settlement => ({
          claim,
          outcome: { kind: 'skipped', reason: 'stopped' },
          links: drawLinks(random, size.urls, () => (next += 1)).map(linkTo),
          excluded: [],
          bytes: 0,
        }));
        await store.frontier.settle(settlements);
      }
      done += claims.length;
    }
    return done;
  });
  await store.close();
  return measurement;
}

/** The same rows that enqueuing every URL would leave, in one statement: filling is not measured. */
async function fill(url: string, size: Size, run: { readonly id: number; readonly version: number }): Promise<void> {
  const db = await connect(url);
  await db.query(
    `insert into hosts (host, delay_ms, has_queues) select 'h' || h || '.test', ${DELAY_MS}, true from generate_series(0, ${size.hosts - 1}) h`,
  );
  await db.query(`insert into host_queues (run_id, host_id) select ${run.id}, id from hosts`);
  await db.query(`insert into frontier (version_id, run_id, host_id, url_key, url, depth, priority, found_by, state, enqueued_at)
    select ${run.version}, ${run.id}, hosts.id, substring(sha256(convert_to(u.url, 'UTF8')) for 16), u.url, 0, 0, 4, 0, now_ms()
    from (select n % ${size.hosts} as h, 'https://h' || (n % ${size.hosts}) || '.test/p/' || n as url from generate_series(0, ${size.urls - 1}) n) u
    join hosts on hosts.host = 'h' || u.h || '.test'`);
  await db.query(`update runs set n_found = ${size.urls} where id = ${run.id}`);
  await db.query('vacuum analyze');
  await db.end();
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // Dropping a database ends its sessions; the error that matters came before.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
