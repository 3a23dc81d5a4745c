// Store contract: statistics, and the frontier row of one URL.

import { setTimeout } from 'node:timers/promises';
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

  test('the oldest check of a version is measured, even after its page was checked again (finding D23)', async () => {
    const urls = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];
    const first = await createRunFixture(store(), urls);
    const { version } = first.run;
    for (const claim of await claimAll(store())) {
      await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, claim.url))]);
      await setTimeout(2);
    }
    const times = async (): Promise<[measured: Date, ...checks: Date[]]> => {
      await store().stats.measureOldestCheck(version);
      const [stats] = await store().stats.versions([version]);
      const { pages } = await store().pages.list(version, null, 10);
      return [
        stats!.oldestCheckAt,
        ...pages.map(({ checkedAt }) => checkedAt).sort((a, b) => a.getTime() - b.getTime()),
      ];
    };
    const [measured, oldest, second] = await times();
    expect(measured).toEqual(oldest);
    await store().runs.finish(first.lease, 'completed', null);
    const { pages } = await store().pages.list(version, null, 10);
    const { url } = pages.find(({ checkedAt }) => checkedAt.getTime() === oldest!.getTime())!;
    await createRunFixture(store(), [url], first.source);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, { kind: 'unchanged', etag: null, lastModified: null })]);
    expect((await times())[0]).toEqual(second);
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
