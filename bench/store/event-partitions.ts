// node bench/store/event-partitions.ts [EVENTS]: what lists, locks and retention of events cost on PostgreSQL in one table, in ranges of
// their numbers as the store has them (13 and 91), and in 91 days. Half of the events are those of one run. PostgreSQL is the one that
// PINAKES_TEST_POSTGRES_URL names; a database is created there and dropped.

import pg from 'pg';
import { createDatabase, postgresUrl } from '../../test/support/stores.ts';
import { readPostmasterPid, serverCpuMs } from '../support/backend-cpu.ts';
import { writeResult } from '../support/write-result.ts';

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const CALLS = 200;
const DAYS = 91;
const DAY_MS = 86_400_000;
const BATCH = 1000;

interface Layout {
  readonly table: string;
  readonly partitions: number;
  readonly by: 'seq' | 'at' | null;
}

const LAYOUTS: readonly Layout[] = [
  { table: 'one_table', partitions: 1, by: null },
  { table: 'ranges_13', partitions: 13, by: 'seq' },
  { table: 'ranges_91', partitions: DAYS, by: 'seq' },
  { table: 'days_91', partitions: DAYS, by: 'at' },
];

const LISTS: ReadonlyArray<readonly [name: string, conditions: string, values: readonly (number | string)[]]> = [
  ['newest', 'order by seq desc', []],
  ['of a large run', 'where run_id = $2 order by seq desc', [1]],
  ['of a small run', 'where run_id = $2 order by seq desc', [8]],
  ['of a rare kind', 'where kind = $2 order by seq desc', ['problem']],
  ['followed', 'where seq > $2 order by seq', [EVENTS - 20]],
  ['older than the middle', 'where seq < $2 order by seq desc', [EVENTS / 2]],
];

const database = await createDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const postmaster = await readPostmasterPid(postgresUrl());

async function create({ table, partitions, by }: Layout): Promise<void> {
  await client.query(`create table ${table} (seq bigint not null, at bigint not null, source_id integer not null, run_id integer not null,
    kind text not null, url text, detail text not null, primary key (seq${by === 'at' ? ', at' : ''})) ${by === null ? '' : `partition by range (${by})`}`);
  for (const columns of ['run_id, seq', 'run_id, kind, seq', 'kind, seq'])
    await client.query(`create index on ${table} (${columns})`);
  const end = by === 'at' ? DAYS * DAY_MS : EVENTS + 1;
  if (by === null) return;
  for (let nth = 0; nth < partitions; nth += 1) {
    const bound = (at: number): number => Math.floor((end * at) / partitions);
    const to = nth === partitions - 1 ? 'maxvalue' : bound(nth + 1);
    await client.query(`create table ${table}_${nth} partition of ${table} for values from (${bound(nth)}) to (${to})`);
  }
}

async function fill({ table }: Layout): Promise<void> {
  await client.query(`insert into ${table} select i, (i - 1)::bigint * ${DAYS * DAY_MS} / ${EVENTS}, 1, case when i % 2 = 0 then 1 else i / 1000 + 1 end,
      case when i % 100000 = 0 then 'problem' when i % 100 = 8 then 'failed' when i % 5 = 0 then 'enqueued' else 'new' end,
      'https://x.dev/guide/page-' || i, '{"depth":3,"reason":"fetch.status: status 500","queueSize":12}' from generate_series(1, ${EVENTS}) i`);
  await client.query(`vacuum analyze ${table}`);
}

async function costOf(work: () => Promise<unknown>, times = 1): Promise<number> {
  const before = serverCpuMs(postmaster);
  for (let nth = 0; nth < times; nth += 1) await work();
  return Math.round(((serverCpuMs(postmaster) - before) / times) * 100) / 100;
}

async function measureLists({ table }: Layout): Promise<Record<string, unknown>> {
  const measurements: Record<string, unknown> = {};
  for (const [nth, [name, conditions, values]] of LISTS.entries()) {
    const text = `select seq, at, source_id, run_id, kind, url, detail from ${table} ${conditions} limit $1`;
    const read = (): Promise<unknown> => client.query({ name: `${table}${nth}`, text, values: [50, ...values] });
    await costOf(read, 8);
    const serverMs = await costOf(read, CALLS);
    await client.query('begin');
    await read();
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from pg_locks where pid = pg_backend_pid()',
    );
    await client.query('commit');
    measurements[name] = { serverMs, locks: rows[0]?.n };
  }
  return measurements;
}

/** The oldest 13th, by rows as the store deletes them, and by dropping its table. */
async function measureRetention(): Promise<Record<string, unknown>> {
  const events = Math.floor((EVENTS + 1) / 13) - 1;
  const wal = async (): Promise<number> =>
    Number((await client.query<{ n: string }>(`select pg_current_wal_lsn() - '0/0'::pg_lsn as n`)).rows[0]?.n);
  const measure = async (work: () => Promise<unknown>): Promise<object> => {
    const [startedAt, walBefore] = [performance.now(), await wal()];
    const serverMs = await costOf(work);
    return { serverMs, ms: Math.round(performance.now() - startedAt), walBytes: (await wal()) - walBefore };
  };
  return {
    events,
    delete: await measure(async () => {
      for (let first = 0; first < events; first += BATCH)
        await client.query(`delete from one_table where seq > $1 and seq <= $2`, [first, first + BATCH]);
    }),
    vacuumAfterDelete: await measure(() => client.query('vacuum one_table')),
    drop: await measure(async () => {
      await client.query('select count(*), max(at) from ranges_13_0');
      await client.query('drop table ranges_13_0');
    }),
  };
}

try {
  const lists: Record<string, unknown> = {};
  for (const layout of LAYOUTS) {
    await create(layout);
    await fill(layout);
    lists[layout.table] = await measureLists(layout);
    console.error(layout.table);
  }
  writeResult('event-partitions', { events: EVENTS, lists, retention: await measureRetention() });
} finally {
  await client.end();
  await database.drop();
}
