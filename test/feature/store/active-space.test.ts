import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprintOf, type SpaceSettings } from '../../../src/core/vector/space.ts';
import type { Embedder } from '../../../src/embed/port.ts';
import { createDenseRetriever } from '../../../src/search/dense-retrieval.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import type { SpaceId } from '../../../src/store/port/vectors.ts';
import type { RetrievalResult } from '../../../src/core/rank/lexical-retrieval.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome, WORKER } from '../../support/run-fixture.ts';
import { openTestSqlite, type TestStore } from '../../support/stores.ts';

const space: SpaceSettings = {
  model: 'test',
  revision: '',
  dtype: 'fp32',
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  textFormat: 1,
  maxTokens: 100,
  dimensions: 2,
};
const vector = new Float32Array([1, 0]);
const embedder: Embedder = {
  space,
  countTokens: (text) => text.length,
  embed: async (texts) => texts.map(() => ({ kind: 'embedded', vector })),
  health: () => ({ state: 'ready', reason: null }),
  close: async () => undefined,
};

let opened: TestStore;
let source: Source;
beforeAll(async () => {
  opened = await openTestSqlite();
  const { store } = opened;
  ({ source } = await createRunFixture(store, ['https://x.dev/a']));
  const [page] = await claimAll(store);
  await store.frontier.settle([createSettlement(page!, indexedOutcome(page!.url, 'text'))]);
  const { id } = await store.vectors.openSpace(fingerprintOf(space), 2, {});
  const claims = await store.vectors.claim(id, WORKER, 10, 60_000);
  await store.vectors.settle(claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector } })));
});
afterAll(() => opened.close());

test('queries that come together read the progress of the space once (finding B22)', async () => {
  const { store } = opened;
  let reads = 0;
  const counting = {
    ...store,
    vectors: {
      ...store.vectors,
      progress: async (of: SpaceId) => {
        reads += 1;
        return store.vectors.progress(of);
      },
    },
  };
  let now = 0;
  const models = { open: async () => embedder, openPrevious: async () => null };
  const retrieve = createDenseRetriever(counting, models, () => now);
  const lexical = { pages: [] } as unknown as RetrievalResult;
  const send = async (): Promise<unknown> =>
    retrieve('query', lexical, { versions: source.versions.map((version) => version.id), filter: {} });
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  expect(answers.every((answer) => answer !== null)).toBe(true);
  expect(reads).toBe(1);
  now = 6000;
  await Promise.all(Array.from({ length: 10 }, send));
  expect(reads).toBe(2);
});

test('a space is used once the engine has its vectors (finding D16)', async () => {
  const { store } = opened;
  let now = 0;
  let unsent = 1;
  const models = { open: async () => embedder, openPrevious: async () => null };
  const index = { nearest: async () => [], unsentVectors: async () => unsent };
  const retrieve = createDenseRetriever(store, models, () => now, index);
  const lexical = { pages: [] } as unknown as RetrievalResult;
  const searchedSpace = async (): Promise<unknown> =>
    retrieve('query', lexical, { versions: source.versions.map((version) => version.id), filter: {} });
  expect(await searchedSpace()).toBeNull();
  unsent = 0;
  now = 6000;
  expect(await searchedSpace()).not.toBeNull();
});

test('a query that is given up ends at the model and at the engine, and both are asked again (finding D24)', async () => {
  const { store } = opened;
  const never = (_: unknown, signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  let doesModelHang = true;
  let doesEngineHang = true;
  const model: Embedder = {
    ...embedder,
    embed: (texts, role, signal) => (doesModelHang ? never(texts, signal) : embedder.embed(texts, role)),
  };
  const models = { open: async () => model, openPrevious: async () => null };
  const index = {
    nearest: (query: unknown, signal?: AbortSignal) => (doesEngineHang ? never(query, signal) : Promise.resolve([])),
    unsentVectors: async () => 0,
  };
  const retrieve = createDenseRetriever(store, models, () => 0, index);
  const lexical = { pages: [] } as unknown as RetrievalResult;
  const versions = source.versions.map((version) => version.id);
  const giveUp = async (): Promise<unknown> => {
    const controller = new AbortController();
    const answer = retrieve('query', lexical, { versions, filter: {}, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('the client is gone')), 20);
    return answer;
  };
  for (let times = 0; times < 4; times += 1) await expect(giveUp()).rejects.toThrow('the client is gone');
  doesModelHang = false;
  await expect(giveUp()).rejects.toThrow('the client is gone');
  doesEngineHang = false;
  expect(await retrieve('query', lexical, { versions, filter: {} })).not.toBeNull();
});
