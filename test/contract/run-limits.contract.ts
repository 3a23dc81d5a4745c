// The store's contract: what a run refuses, how many pages it takes, and aliases that lead in a circle.

import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Refusal, Run, Settlement, Store } from '../../src/store/port.ts';
import { aRun, claimAll, indexed, settling, type ARun } from '../support/run-fixture.ts';

const refusal = (url: string): Refusal => ({
  url: pageUrl(url),
  depth: 1,
  foundBy: 'link',
  reason: 'out-of-scope: elsewhere',
  parent: null,
});

const limited = (settlement: Settlement, pages: number): Settlement => ({
  ...settlement,
  pageLimit: { pages, reason: `overflow: ${pages} pages` },
});

async function finish(store: Store, { lease }: ARun): Promise<void> {
  expect(await store.runs.finish(lease, 'completed', null)).toBe(true);
}

async function countsOf(store: Store, run: Run): Promise<Run['counts'] | undefined> {
  return (await store.runs.byId(run.id))?.counts;
}

export function runLimitsContract(store: () => Store): void {
  test('a URL that a rule refuses is refused in every run', async () => {
    const first = await aRun(store());
    await store().frontier.refuse(first.run.id, [refusal('https://x.dev/out')]);
    await finish(store(), first);
    const second = await aRun(store(), [], first.source);
    await store().frontier.refuse(second.run.id, [refusal('https://x.dev/out')]);
    await store().frontier.refuse(second.run.id, [refusal('https://x.dev/out')]);
    expect(await countsOf(store(), second.run)).toMatchObject({ refused: 1 });
    expect(await store().frontier.reasons(second.run.id, 'refused', 5)).toMatchObject([{ times: 1 }]);
  });

  test('a page of an earlier run is not taken away by a refusal', async () => {
    const first = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'text'))]);
    await finish(store(), first);
    const second = await aRun(store(), [], first.source);
    await store().frontier.refuse(second.run.id, [refusal('https://x.dev/a')]);
    expect(await countsOf(store(), second.run)).toMatchObject({ refused: 0 });
    expect(await store().pages.get(claim!.version, claim!.url)).not.toBeNull();
  });

  test('a run with a limit stores exactly so many pages, however many workers settle at once', async () => {
    const urls = Array.from({ length: 24 }, (_, i) => `https://x.dev/${i}`);
    const { run, lease } = await aRun(store(), urls);
    const claims = await claimAll(store(), 20);
    await Promise.all(
      claims.map((claim) => {
        const settlement = settling(claim, indexed(claim.url, claim.url), [`${claim.url}/more`]);
        return store().frontier.settle([limited(settlement, 7)]);
      }),
    );
    expect(await store().frontier.overflow(lease, 'overflow: 7 pages', 100)).toBeGreaterThan(0);
    expect(await store().frontier.drained(run.id)).toBe(true);
    const counts = await countsOf(store(), run);
    expect(counts).toMatchObject({ found: 7, new: 7, dropped: 0 });
    expect(await store().frontier.reasons(run.id, 'refused', 5)).toMatchObject([
      { reason: 'overflow: 7 pages', times: counts?.refused },
    ]);
  });

  test('known pages beyond the limit stay, and are counted as dropped', async () => {
    const first = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store());
    await store().frontier.settle(claims.map((claim) => settling(claim, indexed(claim.url, claim.url))));
    await finish(store(), first);
    const second = await aRun(store(), [], first.source);
    await store().frontier.offerKnown(second.run.id, null, 10);
    const again = await claimAll(store());
    const unchanged = { kind: 'unchanged', etag: null, lastModified: null } as const;
    await store().frontier.settle(again.map((claim) => limited(settling(claim, unchanged), 1)));
    expect(await countsOf(store(), second.run)).toMatchObject({ found: 2, unchanged: 1, dropped: 1, refused: 0 });
    for (const { version, url } of claims) expect(await store().pages.get(version, url)).not.toBeNull();
  });

  test('one URL of a circle of aliases is asked again, with the hops that led to it', async () => {
    const { run, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
    const claims = await claimAll(store());
    const to: Record<string, string> = { a: 'b', b: 'c', c: 'b' };
    await store().frontier.settle(
      claims.map((claim) => settling(claim, { kind: 'moved', to: pageUrl(to[claim.url.at(-1)!]!, claim.url) })),
    );
    expect(await store().frontier.untangle(lease, 10)).toBe(1);
    expect(await store().frontier.drained(run.id)).toBe(false);
    const [again] = await claimAll(store());
    expect(again).toMatchObject({ url: 'https://x.dev/b', hops: 1, attempts: 1 });
    await store().frontier.settle([settling(again!, indexed(again!.url, 'text'))]);
    expect(await store().frontier.untangle(lease, 10)).toBe(0);
    expect(await countsOf(store(), run)).toMatchObject({ found: 3, moved: 2, new: 1 });
  });
}
