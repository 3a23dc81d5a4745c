// Removing a source takes several transactions. Wherever it is interrupted, every invariant holds, the source is invisible,
// its claims are superseded, and the next start completes the removal.

import { expect, test } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import type { Claim } from '../../../src/store/port/frontier.ts';
import type { Engine } from '../../../src/store/sql/engine/engine.ts';
import { frontierEntry, indexAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { openDatabase } from '../../support/test-database.ts';
import { newDatabase } from '../../support/zombie-run.ts';

const LONG_MS = 600_000;

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: a removal that is interrupted after any of its transactions`, { timeout: 120_000 }, async () => {
    for (let after = 1; ; after += 1) {
      const { database, remove } = await newDatabase(engine);
      const breaker = createBreaker();
      const { store } = await openDatabase(database, breaker.wrap);
      const { source, claimed } = await createBusySource(store);
      breaker.breakAfter(after);
      const isInterrupted = await store.sources.remove(source).then(
        () => false,
        () => true,
      );
      breaker.breakAfter(Number.POSITIVE_INFINITY);

      expect(await store.verify(), `interrupted after ${after}`).toEqual([]);
      expect(await store.sources.list()).toEqual([]);
      expect(await store.frontier.settle([createSettlement(claimed, indexedOutcome(claimed.url, 'late'))])).toEqual([
        'superseded',
      ]);
      expect(await store.frontier.claim({ worker: 'w', limit: 10, leaseMs: LONG_MS, aheadMs: 0 })).toEqual([]);
      await store.sources.finishRemovals();
      expect(await store.runs.list(10)).toEqual([]);
      expect(await store.verify()).toEqual([]);
      await store.close();
      await remove();
      if (!isInterrupted) break;
      expect(after).toBeLessThan(20);
    }
  });
}

/** Lets a number of transactions commit, then fails before the next one begins, as a killed process would. */
function createBreaker(): { wrap: (engine: Engine) => Engine; breakAfter: (transactions: number) => void } {
  let left = Number.POSITIVE_INFINITY;
  return {
    wrap: (engine) => ({
      ...engine,
      async transaction(work) {
        if (left <= 0) throw new Error('interrupted');
        left -= 1;
        return engine.transaction(work);
      },
    }),
    breakAfter: (transactions) => (left = transactions),
  };
}

/** With a page, an alias, a waiting, a claimed and a queued URL, and a live run. */
async function createBusySource(
  store: Store,
): Promise<{ source: Parameters<Store['sources']['remove']>[0]; claimed: Claim }> {
  const source = await store.sources.add({ name: 'busy', kind: 'web', startUrl: 'https://x.dev/', settings: {} }, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('w', LONG_MS);
  const names = ['page', 'alias', 'waiting', 'claimed', 'queued'];
  await store.frontier.enqueue(
    lease!.run.id,
    names.map((name, priority) => frontierEntry(`https://x.dev/${name}`, { priority })),
  );
  const claims = await store.frontier.claim({ worker: 'w', limit: 4, leaseMs: LONG_MS, aheadMs: 0 });
  const [page, alias, waiting, claimed] = claims;
  await store.frontier.settle([
    createSettlement(page!, indexedOutcome(page!.url, 'one', 'two')),
    createSettlement(alias!, { kind: 'moved', to: page!.url }),
    createSettlement(waiting!, { kind: 'retry', reason: 'fetch.timeout', inMs: LONG_MS }),
  ]);
  await indexAll(store);
  return { source: source.id, claimed: claimed! };
}
