// Store contract: links that many pages of a run share.

import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { createRunFixture, claimAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import type { Store } from '../../src/store/port.ts';
import type { Claim, Settlement } from '../../src/store/port/frontier.ts';

const LINK = 'https://x.dev/shared';
const PAGES = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];

const linkingTo = (claim: Claim, excluded: readonly string[] = []): Settlement => ({
  ...createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`), [LINK]),
  excluded: excluded.map((url) => ({
    url: pageUrl(url),
    depth: 1,
    foundBy: 'link',
    reason: 'out-of-scope: https://other.dev',
    parent: claim.url,
  })),
});

export function linksContract(store: () => Store): void {
  test('a link of several pages enters its run once', async () => {
    const { run } = await createRunFixture(store(), PAGES);
    const claims = await claimAll(store());
    for (const claim of claims) await store().frontier.settle([linkingTo(claim, ['https://other.dev/'])]);
    expect((await claimAll(store())).map(({ url }) => url)).toEqual([LINK]);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ found: 4, new: 3, excluded: 1 });
  });

  test('a link of a superseded settlement is enqueued by the next page that has it', async () => {
    const { run } = await createRunFixture(store(), PAGES.slice(0, 2));
    const late = await claimAll(store(), 2, -1);
    const current = await claimAll(store());
    expect(await store().frontier.settle(late.map((claim) => linkingTo(claim)))).toEqual(['superseded', 'superseded']);
    expect((await store().runs.byId(run.id))?.counts.found).toBe(2);
    await store().frontier.settle(current.map((claim) => linkingTo(claim)));
    expect((await claimAll(store())).map(({ url }) => url)).toEqual([LINK]);
  });

  test('a link of an earlier run enters the next one again', async () => {
    const first = await createRunFixture(store(), PAGES.slice(0, 1));
    await store().frontier.settle((await claimAll(store())).map((claim) => linkingTo(claim)));
    const [shared] = await claimAll(store());
    await store().frontier.settle([createSettlement(shared!, indexedOutcome(shared!.url, 'shared'))]);
    expect(await store().runs.finish(first.lease, 'completed', null)).toBe(true);
    const { run } = await createRunFixture(store(), PAGES.slice(0, 1), first.source);
    await store().frontier.settle((await claimAll(store())).map((claim) => linkingTo(claim)));
    expect((await claimAll(store())).map(({ url, run: of }) => [url, of])).toEqual([[LINK, run.id]]);
  });
}
