// Vectors in Qdrant: the nearest chunks are those of a comparison with every vector, whichever of page and vector was stored first.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchFilter } from '../../../src/core/lexical/query/search-filter.ts';
import type { Sha256 } from '../../../src/core/model/hash.ts';
import { cosineSimilarity } from '../../../src/core/vector/cosine-similarity.ts';
import { openNodes } from '../../../src/index/qdrant/nodes.ts';
import { createQdrantIndex, type QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import type { SpaceId } from '../../../src/store/port/vectors.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { claimAll, createRunFixture, createSettlement } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { indexEverything, openQdrantIndex, settlePages } from '../../support/qdrant-library.ts';
import { chunksPassing, variedFilters, variedPage, variedUrls, type VariedPage } from './varied-pages.ts';
import { needing } from '../../support/needs.ts';

const server = startQdrant();
afterAll(() => server?.close());

const DIMENSIONS = 24;
const urls = variedUrls(40);

/** Of length 1, and different for every text. */
function vectorOf(hash: Sha256): Float32Array {
  const bytes = Buffer.from(hash, 'hex').subarray(0, DIMENSIONS);
  const length = Math.hypot(...Array.from(bytes, (byte) => byte - 127.5));
  return Float32Array.from(bytes, (byte) => (byte - 127.5) / length);
}

const QUESTION = vectorOf('5e'.repeat(16).concat('0123456789abcdef'.repeat(2)) as Sha256);

async function embed(store: Store, space: SpaceId, limit: number): Promise<number> {
  const claims = await store.vectors.claim(space, 'test', limit, 60_000);
  await store.vectors.settle(
    claims.map((claim) => {
      return { claim, outcome: { kind: 'embedded', vector: vectorOf(claim.contentHash) } };
    }),
  );
  return claims.length;
}

/** The most similar chunks, as `url ordinal`, by comparing all of them. */
function nearestOf(filter: SearchFilter, limit: number, pageOf: (url: string) => VariedPage = variedPage): string[] {
  const passing = new Set(chunksPassing(urls, filter, pageOf));
  const scored = urls.flatMap((url) =>
    pageOf(url).chunks.flatMap((chunk, ordinal) => {
      const name = `${url} ${ordinal}`;
      return passing.has(name) ? [{ name, similarity: cosineSimilarity(QUESTION, vectorOf(chunk.contentHash)) }] : [];
    }),
  );
  scored.sort((left, right) => right.similarity - left.similarity);
  return scored.slice(0, limit).map(({ name }) => name);
}

async function request<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${server!.urls[0]}/collections${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { readonly result: T }).result;
}

for (const [engine, open] of [
  ['SQLite', openTestSqlite],
  ['PostgreSQL', openTestPostgres],
] as const) {
  describe(`vectors in Qdrant with ${engine}`, needing('Qdrant', server !== null), () => {
    let opened: TestStore;
    let index: QdrantIndex;
    let run: Run;
    let source: Source;
    let space: SpaceId;

    const settle = async (only: readonly string[], pageOf: (url: string) => VariedPage): Promise<void> => {
      const fixture = await createRunFixture(opened.store, only, source);
      ({ run, source } = fixture);
      for (let claims = await claimAll(opened.store); claims.length > 0; claims = await claimAll(opened.store))
        await opened.store.frontier.settle(claims.map((claim) => createSettlement(claim, pageOf(claim.url))));
      await opened.store.runs.finish(fixture.lease, 'completed', null);
    };
    const found = async (filter: SearchFilter, limit: number): Promise<string[]> => {
      const refs = await index.nearest({ space, vector: QUESTION, versions: [run.version], filter, limit });
      return (refs ?? []).map(({ url, ordinal }) => `${url} ${ordinal}`);
    };

    beforeAll(async () => {
      opened = await open();
      await settle(urls, variedPage);
      ({ id: space } = await opened.store.vectors.openSpace('test/24', DIMENSIONS, {}));
      await embed(opened.store, space, 60);
      index = await openQdrantIndex(opened.store, server!.urls);
      await indexEverything(index);
    });
    afterAll(() => opened.close());

    test('are found, with those that were stored after their pages were indexed', async () => {
      expect((await found({}, 1000)).length).toBe(60);
      while ((await embed(opened.store, space, 25)) > 0) await index.index(10);
      await indexEverything(index);
      expect(await found({}, 1000)).toEqual(nearestOf({}, 1000));
      for (const filter of variedFilters)
        expect(await found(filter, 10), JSON.stringify(filter)).toEqual(nearestOf(filter, 10));
      const [first] =
        (await index.nearest({ space, vector: QUESTION, versions: [run.version], filter: {}, limit: 1 })) ?? [];
      const [url = '', ordinal = ''] = nearestOf({}, 1)[0]?.split(' ') ?? [];
      const hash = variedPage(url).chunks[Number(ordinal)]!.contentHash;
      expect(first?.similarity).toBeCloseTo(cosineSimilarity(QUESTION, vectorOf(hash)), 5);
    });

    test('follow a page that is replaced, and vectors that are sent twice', async () => {
      const replaced = (url: string): VariedPage => {
        const other = urls[(urls.indexOf(url) + 17) % urls.length] ?? '';
        return variedPage(url.replace(/\d+$/, `${1000 + Number(other.split('/').at(-1))}`));
      };
      const some = urls.slice(0, 9);
      await settle(some, replaced);
      await indexEverything(index);
      // Killed after they were sent, before they left the queue.
      const { points } = opened.store;
      const dying = createQdrantIndex({
        nodes: openNodes({ urls: server!.urls, apiKey: undefined }),
        records: { ...points, dequeueTexts: () => Promise.reject(new Error('killed')) },
        changes: opened.store.changes,
        history: opened.store.history,
        timeoutMs: 10_000,
      });
      while ((await embed(opened.store, space, 100)) > 0);
      await expect(dying.index(10)).rejects.toThrow('killed');
      expect((await points.queuedTexts(1000)).length).toBeGreaterThan(0);
      await indexEverything(index);
      expect(await points.queuedTexts(1000)).toEqual([]);
      const pageOf = (url: string): VariedPage => (some.includes(url) ? replaced(url) : variedPage(url));
      expect(await found({}, 1000)).toEqual(nearestOf({}, 1000, pageOf));
      expect(await index.verify(1000)).toEqual([]);
    });

    test('of a text on many pages are sent without reading the pages, a bounded number of chunks at a time (finding D15)', async () => {
      const { store, close } = await open();
      const common = Array.from({ length: 100 }, (_, nth) => ({
        url: `https://common.dev/${nth}`,
        texts: [`page ${nth}`, 'the same footer'],
      }));
      const { versions } = await settlePages(store, common);
      const { id } = await store.vectors.openSpace('test/24', DIMENSIONS, {});
      await indexEverything(await openQdrantIndex(store, server!.urls));
      while ((await embed(store, id, 100)) > 0);
      const sizes: number[] = [];
      const records = {
        ...store.points,
        read: () => Promise.reject(new Error('pages are read')),
        chunksOfTexts: async (...args: Parameters<typeof store.points.chunksOfTexts>) => {
          const chunks = await store.points.chunksOfTexts(...args);
          sizes.push(chunks.length);
          return chunks;
        },
      };
      const { changes, history } = store;
      const nodes = openNodes({ urls: server!.urls, apiKey: undefined });
      const sender = createQdrantIndex({ nodes, records, changes, history, timeoutMs: 10_000 });
      expect(await sender.unsentVectors(id)).toBe(101);
      await indexEverything(sender);
      expect(await sender.unsentVectors(id)).toBe(0);
      const nearest = await sender.nearest({
        space: id,
        vector: QUESTION,
        versions: versions.map((version) => version.id),
        filter: {},
        limit: 1000,
      });
      expect(nearest).toHaveLength(200);
      // Texts are sent in parts, of some 25 each; with so many, at most 80 chunks of each are read at once.
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200);
      expect(sizes.length).toBeGreaterThan(4);
      expect(Math.max(...sizes)).toBeLessThan(120);
      await close();
    });

    test('that the engine has lost are missed', async () => {
      const { collections } = await request<{ readonly collections: ReadonlyArray<{ readonly name: string }> }>(
        'GET',
        '',
      );
      const held = collections.map(({ name }) => name).filter((name) => name.endsWith(`-vectors-${space}`));
      const filter = { must: [{ key: 'version', match: { value: run.version } }] };
      for (const name of held) await request('POST', `/${name}/points/delete?wait=true`, { filter });
      expect((await index.verify(1000)).filter((line) => line.endsWith('lacks vectors'))).toHaveLength(urls.length);
      await index.reindex(run.version);
      await indexEverything(index);
      expect(await index.verify(1000)).toEqual([]);
    });

    test('of a space before the last two are left to the store', async () => {
      const { id: second } = await opened.store.vectors.openSpace('test/24/b', DIMENSIONS, {});
      expect(
        await index.nearest({ space: second, vector: QUESTION, versions: [run.version], filter: {}, limit: 5 }),
      ).toEqual([]);
      expect((await found({}, 5)).length).toBe(5);
      await opened.store.vectors.openSpace('test/24/c', DIMENSIONS, {});
      const requested = { space, vector: QUESTION, versions: [run.version], filter: {}, limit: 5 };
      expect(await index.nearest(requested)).toBeNull();
      await index.compact(10_000);
      const { collections } = await request<{ readonly collections: ReadonlyArray<{ readonly name: string }> }>(
        'GET',
        '',
      );
      const [generation] = await opened.store.points.generations();
      const own = collections.map(({ name }) => name).filter((name) => name.startsWith(`${generation!.name}-`));
      expect(own.toSorted()).toEqual([`${generation!.name}-chunks`, `${generation!.name}-pages`]);
    });
  });
}
