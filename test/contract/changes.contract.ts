// Store contract: the outbox.

import { expect, test } from 'vitest';
import { pageUrl, urlKey, type PageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Change } from '../../src/store/port/changes.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import type { RunLease } from '../../src/store/port/runs.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { chunksOf, claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';
import type { TestStore } from '../support/stores.ts';

const A = pageUrl('https://x.dev/a');
const B = pageUrl('https://x.dev/b');
const DAY_MS = 86_400_000;

export function changesContract(opened: () => TestStore): void {
  const store = (): Store => opened().store;
  const all = (): Promise<readonly Change[]> => store().changes.after(0, 1000);
  const ids = (url: PageUrl, ...texts: string[]) => chunksOf(url, texts).map(({ id }) => id);
  const reported = (changes: readonly Change[]) => changes.map(({ kind, url }) => [kind, url]);

  /** A run that settles the page and ends; `beforeEnd` is what its coordinator does last. */
  async function settle(
    outcome: Outcome,
    source?: Source,
    beforeEnd: (lease: RunLease) => Promise<unknown> = async () => undefined,
  ): Promise<Source> {
    const fixture = await createRunFixture(store(), [A], source);
    for (const claim of await claimAll(store())) await store().frontier.settle([createSettlement(claim, outcome)]);
    await beforeEnd(fixture.lease);
    await store().runs.finish(fixture.lease, 'completed', null);
    return fixture.source;
  }

  test('a page is announced when it is new and when its chunks change, with the ids of both', async () => {
    expect(await store().changes.latest()).toBe(0);
    const source = await settle(indexedOutcome(A, 'one', 'two'));
    await settle({ kind: 'unchanged', etag: null, lastModified: null }, source);
    await settle(indexedOutcome(A, 'one', 'two'), source);
    await settle(indexedOutcome(A, 'two', 'three'), source);
    const [first, second, ...more] = await all();
    expect(more).toEqual([]);
    const page = { version: source.versions[0]!.id, source: source.id, page: urlKey(A), url: A };
    expect(first).toEqual({
      ...page,
      position: 1,
      revision: 1,
      at: expect.any(Date) as Date,
      kind: 'new',
      added: ids(A, 'one', 'two'),
      removed: [],
    });
    expect(second).toMatchObject({ ...page, position: 2, revision: 2, kind: 'changed' });
    expect([second!.added, second!.removed]).toEqual([ids(A, 'three'), ids(A, 'one')]);
    expect(await store().changes.after(1, 10)).toEqual([second]);
    expect(await store().changes.after(0, 1)).toEqual([first]);
    expect(await store().changes.latest()).toBe(2);
    expect(await store().changes.after(2, 10)).toEqual([]);
  });

  test('a change of order, headings or title alone adds and removes no chunk', async () => {
    const source = await settle(indexedOutcome(A, 'one', 'two'));
    await settle(indexedOutcome(A, 'two', 'one'), source);
    const outcome = indexedOutcome(A, 'two', 'one') as Extract<Outcome, { kind: 'indexed' }>;
    await settle({ ...outcome, page: { ...outcome.page, title: 'Another' } }, source);
    const changes = (await all()).slice(1);
    expect(changes).toMatchObject([
      { kind: 'changed', added: [], removed: [] },
      { kind: 'changed', added: [], removed: [] },
    ]);
  });

  test('a page without chunks is not announced until it has some', async () => {
    const source = await settle(indexedOutcome(A));
    expect(await all()).toEqual([]);
    await settle(indexedOutcome(A, 'one'), source);
    await settle(indexedOutcome(A), source);
    expect(reported(await all())).toEqual([
      ['new', A],
      ['removed', A],
    ]);
  });

  test('a deleted page is removed, and new with a higher revision when it comes back', async () => {
    const source = await settle(indexedOutcome(A, 'one', 'two'));
    await settle({ kind: 'not-found', reason: 'status 404' }, source, (lease) =>
      store().frontier.confirmMissing(lease, 10),
    );
    expect(await store().pages.get(source.versions[0]!.id, A)).toBeNull();
    await settle(indexedOutcome(A, 'one'), source);
    const [, removed, back] = await all();
    expect(removed).toMatchObject({ kind: 'removed', added: [], revision: 2, url: A, source: source.id });
    expect(removed!.removed.toSorted()).toEqual(ids(A, 'one', 'two').toSorted());
    expect(back).toMatchObject({ kind: 'new', added: ids(A, 'one'), removed: [], revision: 3 });
  });

  test('a duplicate is removed when it becomes an alias, and new when it is reprocessed as a page', async () => {
    const { lease } = await createRunFixture(store(), [A, B]);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'same'))]);
    await store().pages.applyAliases(lease, [{ url: B, aliasOf: A }]);
    await store().pages.applyAliases(lease, [{ url: B, aliasOf: null }]);
    expect((await store().changes.after(2, 10)).map(({ kind }) => kind)).toEqual(['removed']);
    const { page, chunks } = indexedOutcome(B, 'same') as Extract<Outcome, { kind: 'indexed' }>;
    await store().pages.reprocess(lease, [{ url: B, page, chunks }]);
    expect(await store().changes.after(2, 10)).toMatchObject([
      { kind: 'removed', url: B, added: [], removed: ids(B, 'same') },
      { kind: 'new', url: B, added: ids(B, 'same'), removed: [] },
    ]);
  });

  test('reprocessing announces the pages whose chunks differ', async () => {
    const source = await settle(indexedOutcome(A, 'one', 'two'));
    const { lease } = await createRunFixture(store(), [], source);
    const again = (...texts: string[]) => {
      const { page, chunks } = indexedOutcome(A, ...texts) as Extract<Outcome, { kind: 'indexed' }>;
      return store().pages.reprocess(lease, [{ url: A, page, chunks }]);
    };
    await again('one', 'two');
    expect(await store().changes.latest()).toBe(1);
    await again('one');
    expect(await store().changes.after(1, 10)).toMatchObject([{ kind: 'changed', added: [], removed: ids(A, 'two') }]);
  });

  test('removing a source announces each of its pages, and the rows stay', async () => {
    const urls = Array.from({ length: 30 }, (_, n) => pageUrl(`https://x.dev/${n}`));
    const { source } = await createRunFixture(store(), urls);
    // More chunks than one step of the removal deletes.
    const texts = Array.from({ length: 150 }, (_, n) => `part ${n}`);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([
        createSettlement(claim, indexedOutcome(claim.url, ...(claim.url === urls[7] ? texts : ['one', 'two']))),
      ]);
    const latest = await store().changes.latest();
    await store().sources.remove(source.id);
    const changes = await store().changes.after(latest, 1000);
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['removed']));
    expect(new Set(changes.map(({ url }) => url))).toEqual(new Set(urls));
    expect(changes.every((change) => change.source === source.id && change.added.length === 0)).toBe(true);
    const parts = changes.filter(({ url }) => url === urls[7]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap(({ removed }) => removed)).toEqual(ids(urls[7]!, ...texts));
    expect(changes.flatMap(({ removed }) => removed)).toHaveLength(29 * 2 + 150);
  });

  test('a settlement that fails leaves no change and uses no position', async () => {
    const { run } = await createRunFixture(store(), [A, B]);
    const claims = await claimAll(store());
    const claim = claims.find(({ url }) => url === A)!;
    const outcome = indexedOutcome(A, 'one') as Extract<Outcome, { kind: 'indexed' }>;
    const twice = { ...outcome, chunks: [...outcome.chunks, ...outcome.chunks] };
    await expect(store().frontier.settle([createSettlement(claim, twice)])).rejects.toThrow();
    expect([await all(), await store().changes.latest()]).toEqual([[], 0]);
    await store().frontier.settle([createSettlement(claim, outcome)]);
    expect(await all()).toMatchObject([{ position: 1, version: run.version }]);
  });

  test('a superseded settlement announces nothing', async () => {
    await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    const settlement = createSettlement(claim!, indexedOutcome(A, 'one'));
    expect(await store().frontier.settle([settlement])).toEqual(['settled']);
    expect(await store().frontier.settle([settlement])).toEqual(['superseded']);
    expect(await store().changes.latest()).toBe(1);
  });

  test('each consumer has its own position, which never moves back', async () => {
    expect(await store().changes.consumer('one')).toBeNull();
    await store().changes.advance('one', 7);
    await store().changes.advance('other', 3);
    await store().changes.advance('one', 5);
    expect(await store().changes.consumer('one')).toBe(7);
    expect(await store().changes.consumer('other')).toBe(3);
  });

  test('a position that was never assigned has expired', async () => {
    await settle(indexedOutcome(A, 'one'));
    await expect(store().changes.after(2, 10)).rejects.toMatchObject({ code: 'changes.expired', httpStatus: 410 });
  });

  test('compaction keeps the newest row of each page, and earlier positions expire', async () => {
    const { lease, source } = await createRunFixture(store(), [A, B]);
    for (const claim of (await claimAll(store())).toSorted((a, b) => (a.url < b.url ? -1 : 1)))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'one'))]);
    await store().runs.finish(lease, 'completed', null);
    for (const text of ['two', 'three']) await settle(indexedOutcome(A, text), source);
    // Positions 1 and 2 are the new pages, 3 and 4 the changes of A.
    const ageTo = (position: number) =>
      opened().sql(
        `update changes set at = at - ${100 * DAY_MS} where position <= ${position} and at > ${90 * DAY_MS}`,
      );
    const compact = () => store().changes.compact(90 * DAY_MS, 2);
    const retained = async () => {
      const oldest = await store().changes.oldestComplete();
      return [oldest, (await store().changes.after(oldest, 10)).map(({ position }) => position)];
    };
    expect(await compact()).toBe(0);
    expect(await retained()).toEqual([0, [1, 2, 3, 4]]);
    await ageTo(3);
    expect([await compact(), await compact(), await compact()]).toEqual([2, 1, 0]);
    expect(await retained()).toEqual([3, [4]]);
    await expect(store().changes.after(2, 10)).rejects.toMatchObject({
      code: 'changes.expired',
      httpStatus: 410,
      details: { position: 2, oldest: 3 },
    });
    await ageTo(4);
    expect([await compact(), await compact()]).toEqual([1, 0]);
    expect(await rows()).toEqual([2, 4]);

    await settle({ kind: 'not-found', reason: 'status 404' }, source, (ending) =>
      store().frontier.confirmMissing(ending, 10),
    );
    await ageTo(5);
    expect(await compact()).toBe(1);
    expect(await rows()).toEqual([2]);
    expect(await store().changes.latest()).toBe(5);
  });

  /** Positions of all rows: what is before the oldest complete one is read as if it were complete. */
  async function rows(): Promise<readonly number[]> {
    const oldest = await store().changes.oldestComplete();
    await opened().sql('update change_log set complete_from = 0');
    const found = (await all()).map(({ position }) => position);
    await opened().sql(`update change_log set complete_from = ${oldest}`);
    return found;
  }
}
