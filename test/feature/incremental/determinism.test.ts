// Two crawls of one site from empty stores agree to the byte, whatever the engine and the order of the responses.

import { expect, test } from 'vitest';
import { createSiteServer } from '../../support/generated-site.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { addSite, crawl } from '../../support/measured-crawl.ts';
import { storedPages } from './stored-pages.ts';

test(
  'two crawls from empty stores, and two engines, hold the same pages, chunks and ids',
  { timeout: 120_000 },
  async () => {
    const site = await createSiteServer({ size: 40, slowMs: 20 });
    const stored = [];
    for (const [open, threads] of [
      [openTestSqlite, 1],
      [openTestSqlite, 2],
      [openTestPostgres, 2],
    ] as const) {
      const { store, close } = await open();
      const source = await addSite(store, 'almanac', site.start);
      await crawl(store, source, { threads });
      stored.push(JSON.stringify(await storedPages(store, source)));
      await close();
    }
    await site.close();
    expect(JSON.parse(stored[0]!)).toHaveLength(site.oracle.stored.size);
    expect(stored[1]).toBe(stored[0]);
    expect(stored[2]).toBe(stored[0]);
  },
);
