// The store's contract: what pages said before, what leads to them, and what is tried again.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl, urlKey, type PageUrl } from '../../src/core/model/page-url.ts';
import type { Outcome, Source, Store } from '../../src/store/port.ts';
import { aRun, claimAll, indexed, settling } from '../support/run-fixture.ts';

const A = pageUrl('https://x.dev/a');

export function pagePastContract(store: () => Store): void {
  async function settleAgain(source: Source, outcome: Outcome): Promise<void> {
    const { lease } = await aRun(store(), [A], source);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, outcome)]);
    await store().runs.finish(lease, 'completed', null);
  }

  test('a page that changed remembers what it said, a new or unchanged one nothing', async () => {
    const { source, run, lease } = await aRun(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(A, 'one'))]);
    await store().runs.finish(lease, 'completed', null);
    expect(await store().pages.earlier(run.version, A)).toEqual([]);
    await settleAgain(source, { kind: 'unchanged', etag: null, lastModified: null });
    await settleAgain(source, indexed(A, 'one'));
    expect(await store().pages.earlier(run.version, A)).toEqual([]);
    await settleAgain(source, indexed(A, 'two'));
    await settleAgain(source, indexed(A, 'three'));
    const earlier = await store().pages.earlier(run.version, A);
    expect(earlier.map(({ text }) => text)).toEqual(['two\n', 'one\n']);
    expect(earlier[1]).toMatchObject({ contentHash: sha256Hex('one\n'), madeBy: 'test/1' });
    expect(earlier[0]!.since.getTime()).toBeGreaterThanOrEqual(earlier[1]!.until.getTime());
  });

  test('the oldest texts and too long ones are forgotten', async () => {
    const { source, run, lease } = await aRun(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(A, 'x'.repeat(300_000)))]);
    await store().runs.finish(lease, 'completed', null);
    await settleAgain(source, indexed(A, 'short'));
    expect(await store().pages.earlier(run.version, A)).toMatchObject([{ text: null }]);
    for (let n = 0; n < 6; n += 1) await settleAgain(source, indexed(A, `text ${n}`));
    const texts = (await store().pages.earlier(run.version, A)).map(({ text }) => text);
    expect(texts).toEqual(['text 4\n', 'text 3\n', 'text 2\n', 'text 1\n', 'text 0\n']);
  });

  test('pages whose text leads to a page are found, also through its aliases', async () => {
    const { run } = await aRun(store(), [A, 'https://x.dev/b', 'https://x.dev/c', 'https://x.dev/old']);
    const leading = (url: PageUrl, ...to: string[]): Outcome => {
      const outcome = indexed(url, `text of ${url}`) as Extract<Outcome, { kind: 'indexed' }>;
      return { ...outcome, page: { ...outcome.page, leadsTo: to.map((one) => urlKey(pageUrl(one))) } };
    };
    const outcomes = new Map<string, Outcome>([
      [A, leading(A, A)],
      ['https://x.dev/b', leading(pageUrl('https://x.dev/b'), 'https://elsewhere.dev/', A)],
      ['https://x.dev/c', leading(pageUrl('https://x.dev/c'), 'https://x.dev/old')],
      ['https://x.dev/old', { kind: 'moved', to: A }],
    ]);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([settling(claim, outcomes.get(claim.url)!)]);
    const urls = async (url: string): Promise<string[]> =>
      (await store().pages.linking(run.version, pageUrl(url), 10)).map((page) => page.url);
    expect(await urls(A)).toEqual(['https://x.dev/b', 'https://x.dev/c']);
    expect(await urls('https://x.dev/b')).toEqual([]);
    expect(await store().pages.linking(run.version, A, 1)).toHaveLength(1);
  });

  test('how a page came is kept with it', async () => {
    const { run } = await aRun(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(A, 'one'))]);
    expect((await store().pages.get(run.version, A))?.arrival).toEqual({ status: 200 });
  });

  test('what failed is told by its reason, and links of a run that tries again take over nothing that is known', async () => {
    const { source, run, lease } = await aRun(store(), [A, 'https://x.dev/b', 'https://x.dev/c']);
    const reasons = new Map([
      ['https://x.dev/b', 'status 500'],
      ['https://x.dev/c', 'timeout'],
    ]);
    for (const claim of await claimAll(store())) {
      const reason = reasons.get(claim.url);
      const outcome: Outcome = reason === undefined ? indexed(A, 'one') : { kind: 'failed', reason };
      await store().frontier.settle([settling(claim, outcome)]);
    }
    const listed = await store().frontier.urls(run.id, { outcome: 'failed', reason: 'timeout', after: null, limit: 9 });
    expect(listed.urls.map(({ url }) => url)).toEqual(['https://x.dev/c']);
    await store().runs.finish(lease, 'partial', 'some failed');

    const again = await store().runs.start(source.versions[0]!.id, 'retry', {});
    await store().runs.lease('w', 60_000);
    const only = { outcome: 'failed', reason: 'status 500' } as const;
    const known = await store().frontier.known(again.id, null, 10, only);
    expect(known.urls.map(({ url }) => url)).toEqual(['https://x.dev/b']);
    const all = await store().frontier.known(again.id, null, 10, { outcome: 'failed', reason: null });
    expect(all.urls).toHaveLength(2);
    await store().frontier.offer(again.id, [{ ...known.urls[0]!, rank: 0, parent: null }]);
    expect(await store().frontier.queue(again.id, 10)).toEqual([{ depth: 0, urls: 1 }]);
    const [claim] = await claimAll(store());
    expect(claim?.url).toBe('https://x.dev/b');
    const links = [A, 'https://x.dev/c', 'https://x.dev/d'];
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'there'), links)]);
    expect((await store().runs.byId(again.id))?.counts).toMatchObject({ found: 2, new: 1 });
    expect(await store().frontier.queue(again.id, 10)).toEqual([{ depth: 0, urls: 1 }]);
  });

  test('every space of vectors tells what waits in it', async () => {
    expect(await store().figures.spaces()).toEqual([]);
    await aRun(store(), [A]);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(A, 'one', 'two'))]);
    await store().vectors.openSpace('model one', 4, {});
    expect(await store().figures.spaces()).toEqual([
      { fingerprint: 'model one', dimensions: 4, wanted: 2, embedded: 0, failed: 0 },
    ]);
  });
}
