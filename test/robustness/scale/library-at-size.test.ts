// Lists and hot paths with many pages and sources: what they read, and what they leave unread.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ActionDeps } from '../../../src/actions/action.ts';
import { outlineSource } from '../../../src/actions/outline-source.ts';
import { rejectDegradedContent } from '../../../src/crawl/page/page-outcome.ts';
import type { PageContext } from '../../../src/crawl/page/page-redirect.ts';
import type { Store } from '../../../src/store/port.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../../support/run-fixture.ts';
import { openDatabase, type OpenDatabase } from '../../support/test-database.ts';
import { newDatabase } from '../../support/zombie-run.ts';
import { createEngineRecorder } from '../../support/recorded-engine.ts';

describe.each(['sqlite', 'postgres'] as const)('%s', (engine) => {
  const recorder = createEngineRecorder();
  let opened: OpenDatabase;
  let store: Store;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const { database, remove } = await newDatabase(engine);
    opened = await openDatabase(database, recorder.wrap);
    store = opened.store;
    close = async () => {
      await store.close();
      await remove();
    };
  });
  afterEach(() => close());

  test('counts of a version follow its pages through changes, duplicates and removals (finding B8)', async () => {
    const urls = ['a', 'b', 'c', 'd'].map((name) => `https://x.dev/${name}`);
    const { source, lease, run } = await createRunFixture(store, urls);
    const claims = await claimAll(store);
    await store.frontier.settle(
      claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'one', `two of ${claim.url}`))),
    );
    const stats = async (): Promise<unknown> => (await store.stats.versions([run.version]))[0];
    expect(await stats()).toMatchObject({ version: run.version, pages: 4, duplicates: 0, chunks: 8 });
    await store.pages.applyAliases(lease, [{ url: claims[0]!.url, aliasOf: claims[1]!.url }]);
    expect(await stats()).toMatchObject({ pages: 3, duplicates: 1, chunks: 6 });
    await store.runs.finish(lease, 'completed', null);

    const second = await createRunFixture(store, urls, source);
    const again = await claimAll(store);
    await store.frontier.settle(
      again.map((claim) =>
        createSettlement(
          claim,
          claim.url === claims[2]!.url
            ? { kind: 'not-found', reason: 'status 410' }
            : claim.url === claims[3]!.url
              ? indexedOutcome(claim.url, 'shorter now')
              : { kind: 'unchanged', etag: null, lastModified: null },
        ),
      ),
    );
    await store.frontier.confirmMissing(second.lease, 10);
    await store.stats.measureOldestCheck(run.version);
    expect(await stats()).toMatchObject({ pages: 2, duplicates: 1, chunks: 3 });
    expect(await opened.count('select count(*) as n from pages')).toBe(3);
    expect(await store.verify()).toEqual([]);
    await store.sources.remove(source.id);
    expect(await store.stats.versions([run.version])).toEqual([]);
    expect(await store.verify()).toEqual([]);
  });

  test('an outline is read page by page in the order of URLs, without texts (finding B23)', async () => {
    const urls = Array.from({ length: 90 }, (_, nth) => `https://x.dev/${String(nth).padStart(3, '0')}`);
    const { source } = await createRunFixture(store, urls);
    const claims = await claimAll(store, urls.length);
    await store.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'a', 'b'))));
    const outline = (budget: number, cursor?: string) =>
      outlineSource.run({ source: source.name, budget, ...(cursor === undefined ? {} : { cursor }) }, {
        store,
      } as ActionDeps);
    recorder.take();
    const whole = await outline(1_000_000);
    const statements = recorder.take();
    expect(whole.pages.map(({ path }) => path)).toEqual(urls);
    expect(whole.nextCursor).toBeNull();
    expect(statements.length).toBeLessThan(12);
    for (const { sql } of statements) expect(sql).not.toMatch(/chunks\.text|documents\.text|bodies/);

    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const part = await outline(300, cursor);
      expect(part.pages.length).toBeGreaterThan(0);
      read.push(...part.pages.map(({ path }) => path));
      cursor = part.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(read).toEqual(urls);
  });

  test('a source is read with its own versions, a page without its body (finding B24)', async () => {
    const others = await Promise.all(
      ['other-1', 'other-2'].map((name) =>
        store.sources.add({ name, kind: 'web', startUrl: 'https://y.dev/', settings: {} }, '', { afterMs: 0 }),
      ),
    );
    const { source, lease } = await createRunFixture(store, ['https://x.dev/a']);
    recorder.take();
    expect(await store.sources.byName(source.name)).toEqual(source);
    expect((await store.sources.due(1)).map(({ versions }) => versions.length)).toEqual([1]);
    const readVersions = recorder.take().filter(({ sql }) => sql.includes('from versions'));
    expect(readVersions.flatMap(({ rows }) => rows.flat())).toEqual([source.id, others[0]!.id]);

    const [claim] = await claimAll(store);
    const long = 'many words '.repeat(200);
    await store.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, long))]);
    await store.runs.finish(lease, 'completed', null);
    await createRunFixture(store, ['https://x.dev/a'], source);
    const [again] = await claimAll(store);
    const context = { rules: { mode: 'incremental' }, deps: { ports: { store } } } as unknown as PageContext;
    recorder.take();
    const outcome = await rejectDegradedContent(again!, indexedOutcome(again!.url, 'sorry'), context);
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining(`instead of ${long.length + 1}`) });
    for (const { sql } of recorder.take()) expect(sql).not.toMatch(/bodies|select .*documents\.text/);
  });
});
