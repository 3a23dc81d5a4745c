// Store contract: exclusions, page limits and alias cycles.

import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Exclusion, FrontierEntry, Settlement } from '../../src/store/port/frontier.ts';
import type { Run } from '../../src/store/port/runs.ts';
import {
  createRunFixture,
  claimAll,
  indexedOutcome,
  createSettlement,
  type RunFixture,
} from '../support/run-fixture.ts';

const exclusion = (url: string): Exclusion => ({
  url: pageUrl(url),
  depth: 1,
  foundBy: 'link',
  reason: 'out-of-scope: elsewhere',
  parent: null,
});

const entry = (url: string): FrontierEntry => ({
  url: pageUrl(url),
  depth: 1,
  foundBy: 'link',
  priority: 1,
  parent: null,
});

const limited = (settlement: Settlement, pages: number): Settlement => ({
  ...settlement,
  pageLimit: { pages, reason: `overflow: ${pages} pages` },
});

async function finish(store: Store, { lease }: RunFixture): Promise<void> {
  expect(await store.runs.finish(lease, 'completed', null)).toBe(true);
}

async function countsOf(store: Store, run: Run): Promise<Run['counts'] | undefined> {
  return (await store.runs.byId(run.id))?.counts;
}

export function runLimitsContract(store: () => Store): void {
  test('an excluded URL is recorded in every run', async () => {
    const first = await createRunFixture(store());
    await store().frontier.exclude(first.run.id, [exclusion('https://x.dev/out')]);
    await finish(store(), first);
    const second = await createRunFixture(store(), [], first.source);
    await store().frontier.exclude(second.run.id, [exclusion('https://x.dev/out')]);
    await store().frontier.exclude(second.run.id, [exclusion('https://x.dev/out')]);
    expect(await countsOf(store(), second.run)).toMatchObject({ excluded: 1 });
    for (const { run } of [first, second])
      expect(await store().frontier.reasons(run.id, 'excluded', 5)).toMatchObject([{ count: 1 }]);
  });

  test('an exclusion does not remove a page of an earlier run', async () => {
    const first = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'text'))]);
    await finish(store(), first);
    const second = await createRunFixture(store(), [], first.source);
    await store().frontier.exclude(second.run.id, [exclusion('https://x.dev/a')]);
    expect(await countsOf(store(), second.run)).toMatchObject({ excluded: 0 });
    expect(await store().pages.get(claim!.version, claim!.url)).not.toBeNull();
  });

  test('a page limit is exact, however many workers settle concurrently', async () => {
    const urls = Array.from({ length: 24 }, (_, i) => `https://x.dev/${i}`);
    const { run, lease } = await createRunFixture(store(), urls);
    const claims = await claimAll(store(), 20);
    await Promise.all(
      claims.map((claim) => {
        const settlement = createSettlement(claim, indexedOutcome(claim.url, claim.url), [`${claim.url}/more`]);
        return store().frontier.settle([limited(settlement, 7)]);
      }),
    );
    expect(await store().frontier.excludeOverflow(lease, 'overflow: 7 pages')).toBeGreaterThan(0);
    expect(await store().frontier.isDrained(run.id)).toBe(true);
    const counts = await countsOf(store(), run);
    expect(counts).toMatchObject({ found: 7, new: 7, dropped: 0 });
    expect(await store().frontier.reasons(run.id, 'excluded', 5)).toMatchObject([
      { reason: 'overflow: 7 pages', count: counts?.excluded },
    ]);
  });

  test('stored pages beyond the limit stay, and are counted as dropped', async () => {
    const first = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store());
    await store().frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, claim.url))));
    await finish(store(), first);
    const second = await createRunFixture(store(), [], first.source);
    await store().frontier.enqueuePrevious(second.run.id, null, 10);
    const again = await claimAll(store());
    const unchanged = { kind: 'unchanged', etag: null, lastModified: null } as const;
    await store().frontier.settle(again.map((claim) => limited(createSettlement(claim, unchanged), 1)));
    expect(await countsOf(store(), second.run)).toMatchObject({ found: 2, unchanged: 1, dropped: 1, excluded: 0 });
    for (const { version, url } of claims) expect(await store().pages.get(version, url)).not.toBeNull();
  });

  test('a run finds no more URLs than it may, and counts the links that it left out (finding V08)', async () => {
    const first = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await store().runs.limitUrls(first.lease, 5);
    const [a, b] = await claimAll(store());
    const linksOf = (page: string): string[] => Array.from({ length: 10 }, (_, i) => `https://x.dev/${page}${i}`);
    await store().frontier.settle([createSettlement(a!, indexedOutcome(a!.url, 'a'), linksOf('a'))]);
    await store().frontier.settle([createSettlement(b!, indexedOutcome(b!.url, 'b'), [a!.url, ...linksOf('b')])]);
    expect(await countsOf(store(), first.run)).toMatchObject({ found: 5 });
    expect(await store().runs.byId(first.run.id)).toMatchObject({ leftOut: 17 });
    await store().frontier.exclude(first.run.id, linksOf('out').map(exclusion));
    expect(await countsOf(store(), first.run)).toMatchObject({ excluded: 5 });
    expect(await store().verify()).toEqual([]);
  });

  test('the runs of a version together add a limited number of URLs to it (finding V08)', async () => {
    const first = await createRunFixture(store());
    let { lease } = first;
    for (let nth = 0; ; nth += 1) {
      await store().runs.limitUrls(lease, 4);
      const urls = Array.from({ length: 4 }, (_, i) => `https://x.dev/${nth}-${i}`);
      await store().frontier.enqueue(lease.run.id, urls.map(entry));
      const { found } = (await countsOf(store(), lease.run))!;
      expect(found).toBe(nth < 3 ? 4 : 0);
      await store().runs.dropUnfetched(lease, 'stopped');
      await finish(store(), { ...first, lease });
      if (nth === 3) break;
      ({ lease } = await createRunFixture(store(), [], first.source));
    }
    // What the version has already is always accepted.
    const last = await createRunFixture(store(), [], first.source);
    await store().runs.limitUrls(last.lease, 1);
    await store().frontier.enqueue(last.run.id, [entry('https://x.dev/0-1'), entry('https://x.dev/0-2')]);
    expect(await countsOf(store(), last.run)).toMatchObject({ found: 2 });
  });

  test('one URL of an alias cycle is requeued, with its hop count', async () => {
    const { run, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
    const claims = await claimAll(store());
    const to: Record<string, string> = { a: 'b', b: 'c', c: 'b' };
    await store().frontier.settle(
      claims.map((claim) => createSettlement(claim, { kind: 'moved', to: pageUrl(to[claim.url.at(-1)!]!, claim.url) })),
    );
    expect(await store().frontier.breakAliasCycles(lease, 10)).toBe(1);
    expect(await store().frontier.isDrained(run.id)).toBe(false);
    const [again] = await claimAll(store());
    expect(again).toMatchObject({ url: 'https://x.dev/b', hops: 1, attempts: 1 });
    await store().frontier.settle([createSettlement(again!, indexedOutcome(again!.url, 'text'))]);
    expect(await store().frontier.breakAliasCycles(lease, 10)).toBe(0);
    expect(await countsOf(store(), run)).toMatchObject({ found: 3, moved: 2, new: 1 });
  });
}
