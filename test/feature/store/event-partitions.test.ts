// Events in tables by ranges of their numbers: ranges are added ahead, lists read few of them, and retention drops them.

import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { nextSize } from '../../../src/store/postgres/event-partitions.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import type { Store } from '../../../src/store/port.ts';
import { createRunFixture } from '../../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS } from '../../support/stores.ts';

const DAY_MS = 86_400_000;
const RETENTION_MS = 90 * DAY_MS;
const SIZE = 1_000_000;

const database = await createDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const stores: Store[] = [];

async function openStore(): Promise<Store> {
  stores.push(await openPostgresStore({ ...TEST_SETTINGS, url: database.url, poolSize: 4, onError: () => undefined }));
  return stores.at(-1)!;
}

const { lease } = await createRunFixture(await openStore());
let store: Store;

/** The ranges of a new library, and a process that knows of no others. */
beforeEach(async () => {
  for (const first of await partitions()) await client.query(`drop table events_${first}`);
  await client.query(`create table events_0 partition of events for values from (minvalue) to (${SIZE + 1})`);
  await client.query(`create table events_${SIZE + 1} partition of events for values from (${SIZE + 1}) to (maxvalue)`);
  await skipTo(0);
  store = await openStore();
});

afterAll(async () => {
  for (const one of stores) await one.close();
  await client.end();
  await database.drop();
});

async function partitions(): Promise<readonly number[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`,
  );
  return rows.map(({ name }) => Number(name.replace('events_', ''))).toSorted((a, b) => a - b);
}

/** As if so many events had been written and deleted. */
async function skipTo(last: number): Promise<void> {
  await client.query('update event_head set last = $1', [last]);
}

async function append(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({ kind: 'note', url: null, detail: { n } }));
  await store.journal.append(lease.run.id, events);
}

async function renew(): Promise<void> {
  expect(await store.runs.renew(lease, 60_000)).toBe(true);
}

/** Continues with another process: one whose newest event is changed would report that the database went back. */
async function age(condition: string, days: number): Promise<void> {
  await client.query(`update events set at = at - $1 where ${condition}`, [days * DAY_MS]);
  store = await openStore();
}

async function pruneAll(): Promise<number> {
  await store.journal.advanceExpiry();
  let pruned = 0;
  for (let last = -1; last !== 0; pruned += last) last = await store.journal.prune(RETENTION_MS, 10);
  return pruned;
}

test('a range is added before the events reach it, and one statement may write into two', async () => {
  expect(await partitions()).toEqual([0, SIZE + 1]);
  await renew();
  expect(await partitions(), 'there is room').toHaveLength(2);
  await skipTo(SIZE * 0.6);
  await renew();
  await renew();
  expect(await partitions(), 'twice as large: the first one filled at once').toEqual([0, SIZE + 1, SIZE * 3 + 3]);
  await skipTo(SIZE - 5);
  await append(10);
  const seqs = (await store.journal.after(SIZE - 5, 100)).map(({ seq }) => seq);
  expect(seqs).toEqual(Array.from({ length: 10 }, (_, n) => SIZE - 4 + n));
  const { rows } = await client.query(`select count(*)::int as n from events_${SIZE + 1}`);
  expect(rows).toEqual([{ n: 5 }]);
});

test('events that are ahead of all ranges are written, and their range is closed later', async () => {
  await skipTo(SIZE * 9);
  await append(3);
  await renew();
  const [, , open] = await partitions();
  expect(open).toBeGreaterThan(SIZE * 9);
  await append(3);
  expect(await store.journal.after(SIZE * 9, 100)).toHaveLength(6);
});

test('several processes that extend the ranges at once add one', async () => {
  const others = [await openStore(), await openStore()];
  await skipTo(SIZE * 0.6);
  await Promise.all([store, ...others].map((one) => one.runs.renew(lease, 60_000)));
  expect(await partitions()).toHaveLength(3);
});

/** A full range that begins with the first event, and a second one with the newest. */
async function fillFirstRange(): Promise<void> {
  await skipTo(SIZE * 0.6);
  await append(5);
  await renew();
  await skipTo(SIZE - 5);
  await append(10);
}

test('a range whose events have all expired is dropped, and numbers go on (finding P11)', async () => {
  await fillFirstRange();
  await age(`seq <= ${SIZE}`, 91);
  expect(await pruneAll()).toBe(10);
  expect(await partitions()).toEqual([SIZE + 1, SIZE * 3 + 3]);
  await append(1);
  const newest = await store.journal.list({ run: null, kind: null, before: null, after: null, limit: 10 });
  expect(newest.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1].map((n) => SIZE + n));
});

test('a range is kept until its last event expires, even with a wrong clock at its end', async () => {
  await fillFirstRange();
  await age('true', 85);
  await age(`seq < ${SIZE - 2}`, 6);
  expect(await pruneAll()).toBe(0);
  await client.query(`update events set at = at - 400 * ${DAY_MS}::bigint where seq between ${SIZE - 1} and ${SIZE}`);
  expect(await pruneAll()).toBe(0);
  expect(await partitions()).toContain(0);
});

test('old events of a library with few of them are deleted row by row', async () => {
  await append(25);
  await age('seq <= 20', 91);
  expect(await pruneAll()).toBe(20);
  await append(1);
  expect(await partitions()).toEqual([0, SIZE + 1]);
});

test('a reader that holds the tables keeps nobody waiting: the next run drops them', async () => {
  await fillFirstRange();
  await age(`seq <= ${SIZE}`, 91);
  await client.query('begin; lock table events in access share mode');
  expect(await pruneAll()).toBe(0);
  await append(1);
  await client.query('commit');
  expect(await pruneAll()).toBe(10);
});

test('a client that follows the events reads the newest range only', async () => {
  await fillFirstRange();
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain select seq from events where seq > ${SIZE + 2} order by seq limit 50`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain(`events_${SIZE + 1}`);
  expect(plan).not.toContain('events_0');
});

test('ranges grow and shrink towards some weeks of events', () => {
  expect(nextSize(SIZE, DAY_MS, 3)).toBe(2 * SIZE);
  expect(nextSize(8 * SIZE, 10 * DAY_MS, 3)).toBe(8 * SIZE);
  expect(nextSize(8 * SIZE, 60 * DAY_MS, 3)).toBe(4 * SIZE);
  expect(nextSize(SIZE, 600 * DAY_MS, 3)).toBe(SIZE);
  expect(nextSize(SIZE, 600 * DAY_MS, 33)).toBe(2 * SIZE);
});
