import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprintOf, type SpaceSettings } from '../../src/core/vector/space.ts';
import type { Embedder } from '../../src/embed/port.ts';
import { createDenseRetriever } from '../../src/search/dense-retrieval.ts';
import type { RetrievalResult } from '../../src/core/rank/lexical-retrieval.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome, WORKER } from '../support/run-fixture.ts';
import { openTestSqlite, type TestStore } from '../support/stores.ts';

const space: SpaceSettings = {
  model: 'test',
  revision: '',
  dtype: 'fp32',
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  textForm: 1,
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
beforeAll(async () => void (opened = await openTestSqlite()));
afterAll(() => opened.close());

test('queries that come together read the progress of the space once (finding B22)', async () => {
  const { store } = opened;
  const { source } = await createRunFixture(store, ['https://x.dev/a']);
  const [page] = await claimAll(store);
  await store.frontier.settle([createSettlement(page!, indexedOutcome(page!.url, 'text'))]);
  const { id } = await store.vectors.openSpace(fingerprintOf(space), 2, {});
  const claims = await store.vectors.claim(id, WORKER, 10, 60_000);
  await store.vectors.settle(claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector } })));

  let reads = 0;
  const counting = {
    ...store,
    vectors: {
      ...store.vectors,
      progress: async (of: typeof id) => {
        reads += 1;
        return store.vectors.progress(of);
      },
    },
  };
  let now = 0;
  const models = { open: async () => embedder, openFormer: async () => null };
  const retrieve = createDenseRetriever(counting, models, () => now);
  const lexical = { pages: [] } as unknown as RetrievalResult;
  const ask = async (): Promise<unknown> =>
    retrieve('query', lexical, { versions: source.versions.map((version) => version.id), filter: {} });
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  expect(answers.every((answer) => answer !== null)).toBe(true);
  expect(reads).toBe(1);
  now = 6000;
  await Promise.all(Array.from({ length: 10 }, ask));
  expect(reads).toBe(2);
});
