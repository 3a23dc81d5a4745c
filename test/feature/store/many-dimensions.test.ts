import { afterAll, beforeAll, expect, test } from 'vitest';
import { normalize } from '../../../src/core/vector/pool-tokens.ts';
import { createIndexSql } from '../../../src/store/postgres/vector-index.ts';
import {
  claimAll,
  createRunFixture,
  createSettlement,
  indexAll,
  indexedOutcome,
  WORKER,
} from '../../support/run-fixture.ts';
import { openTestPostgres, type TestStore } from '../../support/stores.ts';

let opened: TestStore;
beforeAll(async () => void (opened = await openTestPostgres()));
afterAll(() => opened.close());

/** More dimensions than an index of whole vectors takes, than one of half precision takes, and few. */
test('vectors of any number of dimensions are stored and searched in PostgreSQL (finding N20)', async () => {
  const { store } = opened;
  const { source } = await createRunFixture(store, ['https://x.dev/a']);
  const [page] = await claimAll(store);
  const texts = Array.from({ length: 12 }, (_, i) => `text ${i}`);
  await store.frontier.settle([createSettlement(page!, indexedOutcome(page!.url, ...texts))]);
  await indexAll(store);
  for (const dimensions of [8, 3072, 4001]) {
    const space = await store.vectors.openSpace(`model/${dimensions}`, dimensions, {});
    const vectorOf = (text: string): Float32Array => {
      const at = Number(text.split(' ')[1]);
      return normalize(Float32Array.from({ length: dimensions }, (_, i) => (i === 0 ? 1 : i === 1 ? at / 10 : 0)));
    };
    const claims = await store.vectors.claim(space.id, WORKER, 100, 60_000);
    await store.vectors.settle(
      claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector: vectorOf(claim.text) } })),
    );
    const createIndex = createIndexSql(space.id, dimensions, 'at once');
    if (createIndex !== null) await opened.sql(createIndex);
    // So few rows are compared one by one for a limit of 12, and looked up in the index for a limit of 1.
    for (const limit of [1, 12]) {
      const nearest = await store.vectors.nearest({
        space: space.id,
        vector: vectorOf('text 7'),
        versions: source.versions.map(({ id }) => id),
        filter: {},
        limit,
      });
      expect(nearest).toHaveLength(limit);
      expect(nearest[0]?.chunk.text).toBe('text 7');
      expect(nearest[0]?.similarity).toBeCloseTo(1, 5);
    }
  }
  expect(await store.verify()).toEqual([]);
});
