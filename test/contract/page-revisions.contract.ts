// Store contract: revisions and backlinks of pages, response metadata, retries and embedding progress.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl, urlKey, type PageUrl } from '../../src/core/model/page-url.ts';
import type { Reason } from '../../src/core/outcome/reasons.table.ts';
import type { Store } from '../../src/store/port.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { createRunFixture, claimAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';

const A = pageUrl('https://x.dev/a');

export function pageRevisionsContract(store: () => Store): void {
  async function settleAgain(source: Source, outcome: Outcome): Promise<void> {
    const { lease } = await createRunFixture(store(), [A], source);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, outcome)]);
    await store().runs.finish(lease, 'completed', null);
  }

  test('a changed page keeps its former content, a new or unchanged one has none', async () => {
    const { source, run, lease } = await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(A, 'one'))]);
    await store().runs.finish(lease, 'completed', null);
    expect(await store().pages.revisions(run.version, A)).toEqual([]);
    await settleAgain(source, { kind: 'unchanged', etag: null, lastModified: null });
    await settleAgain(source, indexedOutcome(A, 'one'));
    expect(await store().pages.revisions(run.version, A)).toEqual([]);
    await settleAgain(source, indexedOutcome(A, 'two'));
    await settleAgain(source, indexedOutcome(A, 'three'));
    const revisions = await store().pages.revisions(run.version, A);
    expect(revisions.map(({ text }) => text)).toEqual(['two\n', 'one\n']);
    expect(revisions[1]).toMatchObject({ contentHash: sha256Hex('one\n'), pipelineVersion: 'test/1' });
    expect(revisions[0]!.since.getTime()).toBeGreaterThanOrEqual(revisions[1]!.until.getTime());
  });

  test('a removed page leaves its last text, and is a page again when it returns (finding T5.6)', async () => {
    const { source, run, lease } = await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(A, 'last words'))]);
    await store().runs.finish(lease, 'completed', null);
    expect(await store().pages.removed(run.version, A)).toBeNull();
    const again = await createRunFixture(store(), [A], source);
    const [gone] = await claimAll(store());
    await store().frontier.settle([createSettlement(gone!, { kind: 'missing', reason: 'status 410' })]);
    expect(await store().frontier.confirmMissing(again.lease, 10)).toBe(1);
    await store().runs.finish(again.lease, 'completed', null);
    expect(await store().pages.get(run.version, A)).toBeNull();
    const removed = await store().pages.removed(run.version, A);
    expect(removed).toMatchObject({ text: 'last words\n' });
    expect(removed!.removedAt.getTime()).toBeGreaterThanOrEqual(removed!.since.getTime());
    await settleAgain(source, indexedOutcome(A, 'back'));
    expect(await store().pages.get(run.version, A)).not.toBeNull();
  });

  test('the oldest revisions and too long texts are not kept', async () => {
    const { source, run, lease } = await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(A, 'x'.repeat(300_000)))]);
    await store().runs.finish(lease, 'completed', null);
    await settleAgain(source, indexedOutcome(A, 'short'));
    expect(await store().pages.revisions(run.version, A)).toMatchObject([{ text: null }]);
    for (let n = 0; n < 6; n += 1) await settleAgain(source, indexedOutcome(A, `text ${n}`));
    const texts = (await store().pages.revisions(run.version, A)).map(({ text }) => text);
    expect(texts).toEqual(['text 4\n', 'text 3\n', 'text 2\n', 'text 1\n', 'text 0\n']);
  });

  test('backlinks of a page include links to its aliases', async () => {
    const { run } = await createRunFixture(store(), [A, 'https://x.dev/b', 'https://x.dev/c', 'https://x.dev/old']);
    const leading = (url: PageUrl, ...to: string[]): Outcome => {
      const outcome = indexedOutcome(url, `text of ${url}`) as Extract<Outcome, { kind: 'indexed' }>;
      return { ...outcome, page: { ...outcome.page, outlinks: to.map((one) => urlKey(pageUrl(one))) } };
    };
    const outcomes = new Map<string, Outcome>([
      [A, leading(A, A)],
      ['https://x.dev/b', leading(pageUrl('https://x.dev/b'), 'https://elsewhere.dev/', A)],
      ['https://x.dev/c', leading(pageUrl('https://x.dev/c'), 'https://x.dev/old')],
      ['https://x.dev/old', { kind: 'moved', to: A }],
    ]);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, outcomes.get(claim.url)!)]);
    const urls = async (url: string): Promise<string[]> =>
      (await store().pages.backlinks(run.version, pageUrl(url), 10)).map((page) => page.url);
    expect(await urls(A)).toEqual(['https://x.dev/b', 'https://x.dev/c']);
    expect(await urls('https://x.dev/b')).toEqual([]);
    expect(await store().pages.backlinks(run.version, A, 1)).toHaveLength(1);
  });

  test('the most linked pages come first, with links of other pages only', async () => {
    const [b, c, copy] = ['https://x.dev/b', 'https://x.dev/c', 'https://x.dev/copy'].map((url) => pageUrl(url));
    const { run, lease } = await createRunFixture(store(), [A, b!, c!, copy!]);
    const links = new Map<PageUrl, readonly PageUrl[]>([
      [A, [A, c!, c!]],
      [b!, [A, c!, pageUrl('https://elsewhere.dev/')]],
      [c!, [copy!]],
      [copy!, []],
    ]);
    for (const claim of await claimAll(store())) {
      const outcome = indexedOutcome(claim.url, `text of ${claim.url}`) as Extract<Outcome, { kind: 'indexed' }>;
      const outlinks = links.get(claim.url)!.map((url) => urlKey(url));
      await store().frontier.settle([createSettlement(claim, { ...outcome, page: { ...outcome.page, outlinks } })]);
    }
    await store().pages.applyAliases(lease, [{ url: copy!, aliasOf: A }]);
    const linked = async (limit: number) =>
      (await store().pages.mostLinked(run.version, limit)).map(({ url, links: count }) => [url, count]);
    expect(await linked(10)).toEqual([
      [A, 2],
      [c, 2],
    ]);
    expect(await linked(1)).toHaveLength(1);
    await store().pages.countLinks(lease);
    const locations = [A, b!, c!].map((url) => ({ version: run.version, url, ordinal: 0 }));
    const found = await store().chunks.chunks(locations);
    const counts = new Map(found.map(({ chunk }) => [chunk.page.url, chunk.page.inlinks]));
    expect([A, b!, c!].map((url) => counts.get(url))).toEqual([2, 0, 2]);
  });

  test('response metadata is stored with a page', async () => {
    const { run } = await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(A, 'one'))]);
    expect((await store().pages.get(run.version, A))?.responseMeta).toEqual({ status: 200 });
  });

  test('failed URLs are listed by reason, and a retry run takes over no earlier URL', async () => {
    const { source, run, lease } = await createRunFixture(store(), [A, 'https://x.dev/b', 'https://x.dev/c']);
    const reasons = new Map<string, Reason>([
      ['https://x.dev/b', 'status 500'],
      ['https://x.dev/c', 'fetch.timeout'],
    ]);
    for (const claim of await claimAll(store())) {
      const reason = reasons.get(claim.url);
      const outcome: Outcome = reason === undefined ? indexedOutcome(A, 'one') : { kind: 'failed', reason };
      await store().frontier.settle([createSettlement(claim, outcome)]);
    }
    const listed = await store().frontier.urls(run.id, {
      outcome: 'failed',
      reason: 'fetch.timeout',
      after: null,
      limit: 9,
    });
    expect(listed.urls.map(({ url }) => url)).toEqual(['https://x.dev/c']);
    await store().runs.finish(lease, 'partial', 'some failed');

    const again = await store().runs.start(source.versions[0]!.id, 'retry', {});
    await store().runs.lease('w', 60_000);
    const only = { outcome: 'failed', reason: 'status 500' } as const;
    const known = await store().frontier.previousUrls(again.id, null, 10, only);
    expect(known.urls.map(({ url }) => url)).toEqual(['https://x.dev/b']);
    const all = await store().frontier.previousUrls(again.id, null, 10, { outcome: 'failed', reason: null });
    expect(all.urls).toHaveLength(2);
    await store().frontier.enqueue(again.id, [{ ...known.urls[0]!, priority: 0, parent: null }]);
    expect(await store().frontier.queueByDepth(again.id, 10)).toEqual([{ depth: 0, urls: 1 }]);
    const [claim] = await claimAll(store());
    expect(claim?.url).toBe('https://x.dev/b');
    const links = [A, 'https://x.dev/c', 'https://x.dev/d'];
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'there'), links)]);
    expect((await store().runs.byId(again.id))?.counts).toMatchObject({ found: 2, new: 1 });
    expect(await store().frontier.queueByDepth(again.id, 10)).toEqual([{ depth: 0, urls: 1 }]);
  });

  test('stats report the progress of every embedding space', async () => {
    expect(await store().stats.spaces()).toEqual([]);
    await createRunFixture(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(A, 'one', 'two'))]);
    await store().vectors.openSpace('model one', 4, {});
    expect(await store().stats.spaces()).toEqual([
      { fingerprint: 'model one', dimensions: 4, pending: 2, embedded: 0, failed: 0 },
    ]);
  });
}
