// A database that goes back to an earlier state, while Qdrant keeps the points of a later one.

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { createReadiness } from '../../../src/library/health.ts';
import { restoreSqlite } from '../../../src/store/sqlite/backup-restore.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { needing } from '../../support/needs.ts';
import { indexEverything, openQdrantIndex, queryOf, settlePages, urlsOf } from '../../support/qdrant-library.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { createDatabase, createMigratedDatabase, TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const server = startQdrant();
const folder = temporaryDirectory();
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

/** A library that can be taken back to where it was saved. */
interface Rewindable {
  open(): Promise<Store>;
  /** Closed. */
  save(): Promise<void>;
  goBack(): Promise<void>;
}

let made = 0;

function sqliteLibrary(how: 'restore' | 'copy'): Rewindable {
  const directory = join(folder, `library-${(made += 1)}`);
  const file = join(directory, 'pinakes.db');
  const open = async (): Promise<Store> => openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  return {
    open,
    async save() {
      const store = await open();
      await store.backup(join(folder, `backup-${made}`));
      await store.close();
    },
    async goBack() {
      if (how === 'restore') restoreSqlite(directory, join(folder, `backup-${made}`), thisOwner);
      else {
        for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(join(folder, `backup-${made}`), file);
      }
    },
  };
}

async function postgresLibrary(): Promise<Rewindable> {
  let { url } = await createMigratedDatabase();
  let saved = url;
  const nameOf = (of: string): string => new URL(of).pathname.slice(1);
  return {
    open: () => openPostgresStore({ ...TEST_SETTINGS, url, poolSize: 4, onError: () => undefined }),
    async save() {
      saved = (await createDatabase(nameOf(url))).url;
    },
    async goBack() {
      url = saved;
    },
  };
}

const page = (name: string, text: string): { url: string; texts: string[] } => ({
  url: `https://x.dev/${name}`,
  texts: [text],
});

async function found(store: Store, word: string, source: Source): Promise<string[]> {
  const index = await openQdrantIndex(store, server!.urls);
  return urlsOf(await index.candidates(queryOf(word, [source.versions[0]!.id])));
}

/** As a worker does that is started again when it ends. */
async function work(store: Store): Promise<number> {
  for (let starts = 1; ; starts += 1) {
    try {
      const index = await openQdrantIndex(store, server!.urls, { keepReplacedMs: 0 });
      await indexEverything(index);
      while (!(await index.compact(1000)));
      return starts;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('gone back') || starts > 2) throw error;
    }
  }
}

async function statusOf(store: Store): Promise<string | null> {
  // A server is ready meanwhile: the former generation answers.
  expect(await createReadiness(store)()).toBeNull();
  return (await openQdrantIndex(store, server!.urls)).problem();
}

const LIBRARIES = [
  ['a restored backup', async () => sqliteLibrary('restore')],
  ['a SQLite file that was copied back', async () => sqliteLibrary('copy')],
  ['a PostgreSQL that lost commits', postgresLibrary],
] as const;

test('indexers that start together make one generation, and no one fails (finding D14)', async () => {
  const store = await (await postgresLibrary()).open();
  const { points } = store;
  const fingerprint = 'form';
  for (const state of ['current', 'building']) {
    const current = (await points.generations()).find((one) => one.state === 'current')?.id ?? null;
    await Promise.all(
      Array.from({ length: 4 }, (_, nth) => points.addGeneration({ name: `${state}-${nth}`, fingerprint }, current)),
    );
  }
  expect((await points.generations()).map(({ state }) => state)).toEqual(['current', 'building']);
  await store.close();
});

describe('Qdrant', needing('Qdrant', server !== null), () => {
  for (const [name, openIndexed] of LIBRARIES) {
    test(`${name} is searchable again, and reported until then, while servers are ready (finding V07)`, async () => {
      const library = await openIndexed();
      let store = await library.open();
      const source = await settlePages(store, [page('a', 'the walrus'), page('b', 'the walrus swims')]);
      await work(store);
      await store.close();
      await library.save();

      store = await library.open();
      await settlePages(store, [page('a', 'the pelican'), page('b', 'the pelican flies')], source);
      await work(store);
      expect(await found(store, 'pelican', source)).toHaveLength(2);
      expect(await statusOf(store)).toBeNull();
      await store.close();
      await library.goBack();

      store = await library.open();
      expect(await statusOf(store)).toContain('gone back');
      await work(store);
      expect(await found(store, 'walrus', source)).toHaveLength(2);
      expect(await found(store, 'pelican', source)).toEqual([]);
      expect(await statusOf(store)).toBeNull();
      expect(await (await openQdrantIndex(store, server!.urls)).verify(100)).toEqual([]);
      await store.close();
    });

    test(`${name} finds pages again that were removed (finding V07)`, async () => {
      const library = await openIndexed();
      let store = await library.open();
      const source = await settlePages(store, [page('a', 'the walrus')]);
      const other = await settlePages(store, [page('c', 'the heron')]);
      await work(store);
      await store.close();
      await library.save();

      store = await library.open();
      await store.sources.remove(other.id);
      await store.sources.finishRemovals();
      // Twice: the mark of the first deletion is replaced by that of the second.
      await work(store);
      await store.sources.remove(source.id);
      await store.sources.finishRemovals();
      await work(store);
      await store.close();
      await library.goBack();

      store = await library.open();
      expect(await statusOf(store)).toContain('gone back');
      await work(store);
      expect(await found(store, 'walrus', source)).toHaveLength(1);
      expect(await statusOf(store)).toBeNull();
      await store.close();
    });
  }

  test('a number that the engine holds already ends the history (finding V07)', async () => {
    const library = sqliteLibrary('copy');
    const store = await library.open();
    const source = await settlePages(store, [page('a', 'the walrus')]);
    const index = await openQdrantIndex(store, server!.urls);
    await indexEverything(index);
    // As if the database had gone back since the engine was last asked.
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(folder, `library-${made}`, 'pinakes.db'), { timeout: 5000 });
    database.exec(`delete from point_pages; update point_generations set last_number = 0;
      update sqlite_sequence set seq = 0 where name = 'point_pages'`);
    database.close();
    await settlePages(store, [page('b', 'the pelican')], source);
    await expect(indexEverything(index)).rejects.toThrow('gone back');
    await work(store);
    expect(await found(store, 'the', source)).toHaveLength(2);
    await store.close();
  });

  test('generations of a lost history leave no points in those of the new one (finding V07)', async () => {
    const library = sqliteLibrary('copy');
    let store = await library.open();
    const source = await settlePages(store, [page('a', 'the walrus')]);
    await work(store);
    await store.close();
    await library.save();

    store = await library.open();
    await store.history.begin((await store.history.follow(null)).id);
    await settlePages(store, [page('a', 'the pelican')], source);
    await work(store);
    await store.close();
    await library.goBack();

    store = await library.open();
    await store.history.begin((await store.history.follow(null)).id);
    await work(store);
    const names = (await store.points.generations()).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    expect(await found(store, 'pelican', source)).toEqual([]);
    expect(await found(store, 'walrus', source)).toHaveLength(1);
    await store.close();
  });

  test('indexers at work together do not take each other for another history (finding V07)', async () => {
    const store = await (await postgresLibrary()).open();
    const source = await settlePages(
      store,
      Array.from({ length: 20 }, (_, nth) => page(`${nth}`, 'the walrus')),
    );
    await work(store);
    const writer = new AbortController();
    const indexers = Array.from({ length: 3 }, async () => {
      // A new one each time, because it asks the engine when it begins.
      for (let steps = 0; !writer.signal.aborted || steps < 2; steps += 1) {
        const index = await openQdrantIndex(store, server!.urls, { keepReplacedMs: 0 });
        await index.index(7);
        await index.compact(0);
      }
    });
    for (let nth = 0; nth < 8; nth += 1) {
      await store.points.queueVersion(1, source.versions[0]!.id);
      await settlePages(store, [page(`${nth}`, `the pelican ${nth}`)], source);
    }
    writer.abort();
    await Promise.all(indexers);
    await work(store);
    expect(await store.points.generations()).toHaveLength(1);
    expect(await found(store, 'pelican', source)).toHaveLength(8);
    expect(await (await openQdrantIndex(store, server!.urls)).verify(100)).toEqual([]);
    await store.close();
  });

  test('a database that goes back while an index is built again gets another one (finding V07)', async () => {
    const library = sqliteLibrary('copy');
    const store = await library.open();
    const source = await settlePages(store, [page('a', 'the walrus'), page('b', 'the heron')]);
    await work(store);
    for (let nth = 0; nth < 2; nth += 1) {
      await store.history.begin((await store.history.follow(null)).id);
      const index = await openQdrantIndex(store, server!.urls);
      // One page, so that the generation is not complete.
      await index.index(1);
      expect(await statusOf(store)).toContain('gone back');
    }
    await work(store);
    expect(await statusOf(store)).toBeNull();
    expect(await found(store, 'the', source)).toHaveLength(2);
    const states = (await store.points.generations()).map(({ state }) => state);
    expect(states.filter((state) => state === 'current')).toHaveLength(1);
    expect(states).not.toContain('building');
    await store.close();
  });
});
