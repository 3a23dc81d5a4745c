// Store contract: statistics, and the frontier row of one URL.

import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import { createRunFixture, claimAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';

export function statsContract(store: () => Store): void {
  test('pages and chunks of a version are counted, and an empty version is left out', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const other = await createRunFixture(store());
    for (const claim of await claimAll(store()))
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, `one of ${claim.url}`, 'two'))]);
    const [stats, ...others] = await store().stats.versions([run.version, other.run.version]);
    expect(others).toEqual([]);
    expect(stats).toMatchObject({ version: run.version, pages: 2, duplicates: 0, chunks: 4 });
    expect(stats!.oldestCheckAt.getTime()).toBeLessThanOrEqual(stats!.newestCheckAt.getTime());
    expect(stats!.changedAt.getTime()).toBeGreaterThan(0);
  });

  test('the site profiles of all versions are read in one call', async () => {
    const { run } = await createRunFixture(store());
    const other = await createRunFixture(store());
    await store().sources.changeSiteProfile(run.version, () => ({ site: { title: 'X' } }));
    const profiles = await store().sources.siteProfiles([run.version, other.run.version]);
    expect(profiles.get(run.version)).toEqual({ site: { title: 'X' } });
    expect(profiles.get(other.run.version)).toEqual({});
  });

  test('changes of a site profile by several processes are all kept', async () => {
    const { run } = await createRunFixture(store());
    const { sources } = store();
    const add = (name: string): Promise<void> =>
      sources.changeSiteProfile(run.version, (profile) => ({ ...profile, [name]: true }));
    await Promise.all(Array.from({ length: 12 }, (_, nth) => add(`key${nth}`)));
    expect(Object.keys(await sources.siteProfile(run.version))).toHaveLength(12);
  });

  test('the size of the database is reported', async () => {
    expect(await store().stats.bytes()).toBeGreaterThan(10_000);
  });

  test('a URL is located with the page that links to it', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'one'), ['https://x.dev/b'])]);
    const found = await store().frontier.locate(run.version, pageUrl('https://x.dev/b'));
    expect(found).toMatchObject({ state: 'queued', foundBy: 'link', depth: 1, parent: 'https://x.dev/a' });
    expect(await store().frontier.locate(run.version, pageUrl('https://x.dev/a'))).toMatchObject({ parent: null });
    expect(await store().frontier.locate(run.version, pageUrl('https://x.dev/none'))).toBeNull();
  });
}
