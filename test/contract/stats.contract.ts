// The store's contract: sums over what is stored, and where a page was found.

import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import { aRun, claimAll, indexed, settling } from '../support/run-fixture.ts';

export function figuresContract(store: () => Store): void {
  test('pages and chunks of a version are counted, and an empty version is left out', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await aRun(store());
    for (const claim of await claimAll(store()))
      await store().frontier.settle([settling(claim, indexed(claim.url, `one of ${claim.url}`, 'two'))]);
    const [figures, ...others] = await store().figures.versions();
    expect(others).toEqual([]);
    expect(figures).toMatchObject({ version: run.version, pages: 2, duplicates: 0, chunks: 4 });
    expect(figures!.oldestCheckAt.getTime()).toBeLessThanOrEqual(figures!.newestCheckAt.getTime());
    expect(figures!.changedAt.getTime()).toBeGreaterThan(0);
  });

  test('the size of the database is told', async () => {
    expect(await store().figures.bytes()).toBeGreaterThan(10_000);
  });

  test('a URL is located with the page that led to it', async () => {
    const { run } = await aRun(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([settling(claim!, indexed(claim!.url, 'one'), ['https://x.dev/b'])]);
    const found = await store().frontier.locate(run.version, pageUrl('https://x.dev/b'));
    expect(found).toMatchObject({ state: 'queued', foundBy: 'link', depth: 1, parent: 'https://x.dev/a' });
    expect(await store().frontier.locate(run.version, pageUrl('https://x.dev/a'))).toMatchObject({ parent: null });
    expect(await store().frontier.locate(run.version, pageUrl('https://x.dev/none'))).toBeNull();
  });
}
