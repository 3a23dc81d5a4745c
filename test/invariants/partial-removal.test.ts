// Removing a source takes several transactions. Wherever it is cut off, every invariant holds, the source is invisible,
// its workers are superseded, and the next start ends what was begun.

import { expect, test } from 'vitest';
import type { Claim, Store } from '../../src/store/port.ts';
import type { Engine } from '../../src/store/sql/engine/engine.ts';
import { anOffer, indexAll, indexed, settling } from '../support/run-fixture.ts';
import { openPlace } from '../zombies/test-database.ts';
import { newPlace } from '../zombies/zombie-run.ts';

const LONG_MS = 600_000;

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: a removal that is cut off after any of its transactions`, { timeout: 120_000 }, async () => {
    for (let after = 1; ; after += 1) {
      const { place, remove } = await newPlace(engine);
      const breaker = createBreaker();
      const { store } = await openPlace(place, breaker.around);
      const { source, held } = await aBusySource(store);
      breaker.breakAfter(after);
      const cutOff = await store.sources.remove(source).then(
        () => false,
        () => true,
      );
      breaker.breakAfter(Number.POSITIVE_INFINITY);

      expect(await store.verify(), `cut off after ${after}`).toEqual([]);
      expect(await store.sources.list()).toEqual([]);
      expect(await store.frontier.settle([settling(held, indexed(held.url, 'late'))])).toEqual(['superseded']);
      expect(await store.frontier.claim({ worker: 'w', limit: 10, leaseMs: LONG_MS, aheadMs: 0 })).toEqual([]);
      await store.sources.finishRemovals();
      expect(await store.runs.list(10)).toEqual([]);
      expect(await store.verify()).toEqual([]);
      await store.close();
      await remove();
      if (!cutOff) break;
      expect(after).toBeLessThan(20);
    }
  });
}

/** Lets so many transactions commit, then fails before the next one begins, as a killed process would. */
function createBreaker(): { around: (engine: Engine) => Engine; breakAfter: (transactions: number) => void } {
  let left = Number.POSITIVE_INFINITY;
  return {
    around: (engine) => ({
      ...engine,
      async transaction(work) {
        if (left <= 0) throw new Error('cut off');
        left -= 1;
        return engine.transaction(work);
      },
    }),
    breakAfter: (transactions) => (left = transactions),
  };
}

/** With a page, an alias, a waiting, a claimed and a queued URL, and a run that goes on. */
async function aBusySource(store: Store): Promise<{ source: Parameters<Store['sources']['remove']>[0]; held: Claim }> {
  const source = await store.sources.add({ name: 'busy', kind: 'web', start: 'https://x.dev/', settings: {} }, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('w', LONG_MS);
  const names = ['page', 'alias', 'waiting', 'held', 'queued'];
  await store.frontier.offer(
    lease!.run.id,
    names.map((name, rank) => anOffer(`https://x.dev/${name}`, { rank })),
  );
  const claims = await store.frontier.claim({ worker: 'w', limit: 4, leaseMs: LONG_MS, aheadMs: 0 });
  const [page, alias, waiting, held] = claims;
  await store.frontier.settle([
    settling(page!, indexed(page!.url, 'one', 'two')),
    settling(alias!, { kind: 'moved', to: page!.url }),
    settling(waiting!, { kind: 'retry', reason: 'fetch.timeout', inMs: LONG_MS }),
  ]);
  await indexAll(store);
  return { source: source.id, held: held! };
}
