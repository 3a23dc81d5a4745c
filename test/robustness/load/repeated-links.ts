// Pages that all link to the same pages: each URL is one row, however often it is linked.

import type { RunId } from '../../../src/core/model/run.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { Store } from '../../../src/store/port.ts';
import { createRunFixture } from '../../support/run-fixture.ts';
import type { TestStore } from '../../support/stores.ts';

export interface RepeatedLinks {
  readonly pages: number;
  readonly sightings: number;
  readonly rows: number;
  readonly seconds: number;
}

const BATCH = 1000;

export async function enqueueRepeatedLinks(
  { store }: TestStore,
  pages: number,
  linksOfPage: number,
): Promise<RepeatedLinks> {
  const { run } = await createRunFixture(store, []);
  const startedAt = performance.now();
  for (let page = 0; page < pages; page += BATCH / linksOfPage) {
    const links = Array.from({ length: BATCH }, (_, nth) => pageUrl(`https://x.dev/${(page * 7 + nth * 13) % pages}`));
    await store.frontier.enqueue(
      run.id,
      links.map((url) => ({ url, depth: 1, foundBy: 'link', priority: 1, parent: null })),
    );
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { pages, sightings: pages * linksOfPage, rows: await rowsOf(store, run.id), seconds };
}

async function rowsOf(store: Store, run: RunId): Promise<number> {
  let rows = 0;
  let after: string | null = null;
  do {
    const part = await store.frontier.urls(run, { outcome: null, after, limit: 10_000 });
    rows += part.urls.length;
    after = part.after;
  } while (after !== null);
  return rows;
}
