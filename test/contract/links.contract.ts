// The store's contract: links that many pages of a run name.

import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { aRun, claimAll, indexed, settling } from '../support/run-fixture.ts';
import type { Claim, Settlement, Store } from '../../src/store/port.ts';

const LINK = 'https://x.dev/shared';
const PAGES = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];

const naming = (claim: Claim, refused: readonly string[] = []): Settlement => ({
  ...settling(claim, indexed(claim.url, `text of ${claim.url}`), [LINK]),
  refused: refused.map((url) => ({
    url: pageUrl(url),
    depth: 1,
    foundBy: 'link',
    reason: 'other-origin: https://other.dev',
    parent: claim.url,
  })),
});

export function linksContract(store: () => Store): void {
  test('a link that pages name one after the other enters its run once', async () => {
    const { run } = await aRun(store(), PAGES);
    const claims = await claimAll(store());
    for (const claim of claims) await store().frontier.settle([naming(claim, ['https://other.dev/'])]);
    expect((await claimAll(store())).map(({ url }) => url)).toEqual([LINK]);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 4, new: 3, refused: 1 });
  });

  test('what only a superseded settlement named is offered by the next page that names it', async () => {
    const { run } = await aRun(store(), PAGES.slice(0, 2));
    const late = await claimAll(store(), 2, -1);
    const current = await claimAll(store());
    expect(await store().frontier.settle(late.map((claim) => naming(claim)))).toEqual(['superseded', 'superseded']);
    expect((await store().runs.byId(run.id))?.counts.found).toBe(2);
    await store().frontier.settle(current.map((claim) => naming(claim)));
    expect((await claimAll(store())).map(({ url }) => url)).toEqual([LINK]);
  });

  test('a link of an earlier run enters the next one again', async () => {
    const first = await aRun(store(), PAGES.slice(0, 1));
    await store().frontier.settle((await claimAll(store())).map((claim) => naming(claim)));
    const [shared] = await claimAll(store());
    await store().frontier.settle([settling(shared!, indexed(shared!.url, 'shared'))]);
    expect(await store().runs.finish(first.lease, 'completed', null)).toBe(true);
    const { run } = await aRun(store(), PAGES.slice(0, 1), first.source);
    await store().frontier.settle((await claimAll(store())).map((claim) => naming(claim)));
    expect((await claimAll(store())).map(({ url, run: of }) => [url, of])).toEqual([[LINK, run.id]]);
  });
}
