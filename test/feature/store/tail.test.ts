// I22: following the tail misses no event, while eight writers append.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../src/store/port/journal.ts';
import { createRunFixture } from '../../support/run-fixture.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { openDatabase } from '../../support/test-database.ts';
import { runChild } from '../../support/run-child.ts';
import { appendBatches, eventsOf } from './append-batches.ts';

const WRITERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const BATCHES = 150;
const TOTAL = WRITERS.length * eventsOf(BATCHES);
const APPEND = new URL('./append-process.ts', import.meta.url);
const TAIL = new URL('./tail-process.ts', import.meta.url);

/** The event for the start of the run, before all others. */
const BEGUN = 1;

interface Seen {
  readonly seq: number;
  readonly kind: string;
  readonly detail: { readonly n?: unknown };
}

/** Sequence numbers have no gaps, and each writer's events appear in the order in which they were written. */
function expectNoneMissed(seen: readonly Seen[]): void {
  expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: BEGUN + TOTAL }, (_, i) => i + 1));
  const ofWriter = Array.from({ length: TOTAL / WRITERS.length }, (_, i) => i + 1);
  for (const writer of WRITERS)
    expect(seen.filter(({ kind }) => kind === writer).map(({ detail }) => detail.n)).toEqual(ofWriter);
}

describe('I22 a reader that follows the tail of eight writers', () => {
  test('PostgreSQL: writers are processes', { timeout: 120_000 }, async () => {
    const { url, drop } = await createDatabase();
    const database = { engine: 'postgres', url } as const;
    const { store } = await openDatabase(database);
    const { run } = await createRunFixture(store);
    const reading = follow(store.journal);
    await Promise.all(
      WRITERS.map((writer) => runChild(APPEND, { database, run: run.id, writer, batches: BATCHES }).ended),
    );
    expectNoneMissed(await reading);
    expect(await store.verify()).toEqual([]);
    await store.close();
    await drop();
  });

  test('SQLite: writers share the owner, the reader is a separate process', { timeout: 120_000 }, async () => {
    const directory = temporaryDirectory();
    const { store } = await openDatabase({ engine: 'sqlite', directory });
    const { run } = await createRunFixture(store);
    const seen: Seen[] = [];
    const { promise: reading, resolve: begin } = Promise.withResolvers<void>();
    const tail = runChild(TAIL, { file: join(directory, 'pinakes.db'), until: BEGUN + TOTAL }, (line) => {
      const messages = JSON.parse(line) as Seen | 'reading';
      if (messages === 'reading') begin();
      else seen.push(messages);
    });
    await Promise.race([reading, tail.ended]);
    await Promise.all(WRITERS.map((writer) => appendBatches(store, { run: run.id, writer, batches: BATCHES })));
    expect(await tail.ended).toBe('finished');
    expectNoneMissed(seen);
    expect(await store.verify()).toEqual([]);
    await store.close();
    rmSync(directory, { recursive: true });
  });

  test('PostgreSQL: misses an event when numbers come from a sequence instead of the head row', async () => {
    const { url, drop } = await createDatabase();
    const { store } = await openDatabase({ engine: 'postgres', url });
    const { run } = await createRunFixture(store);
    const slow = await clientOf(url);
    const quick = await clientOf(url);
    await slow.query('create sequence numbers start 2');
    await slow.query('begin');
    await slow.query(APPEND_BY_SEQUENCE, [run.source, run.id]);
    await quick.query(APPEND_BY_SEQUENCE, [run.source, run.id]);
    const first = await store.journal.after(BEGUN, 10);
    await slow.query('commit');
    const second = await store.journal.after(first.at(-1)!.seq, 10);
    expect([...first, ...second].map(({ seq }) => seq)).toEqual([3]);
    await slow.end();
    await quick.end();
    await store.close();
    await drop();
  });
});

const APPEND_BY_SEQUENCE = `insert into events (seq, at, source_id, run_id, kind, detail) values (nextval('numbers'), now_ms(), $1, $2, 'note', '{}')`;

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function follow(journal: Journal): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (let last = 0; seen.length < BEGUN + TOTAL; last = seen.at(-1)?.seq ?? 0)
    seen.push(...(await journal.after(last, 100)));
  return seen;
}
