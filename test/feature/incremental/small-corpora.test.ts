// Two small real sites, served by nginx as in the long forms: the oracle, a mutation, and crawls that agree. The long
// forms are npm run test:oracle, test:recrawl and test:determinism.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { compare } from './compare.ts';
import { openCorpora } from '../../support/corpora.ts';
import { addSite, CHUNK_LIMITS, crawl } from '../../support/measured-crawl.ts';
import { sharedParser } from '../../support/shared-parser.ts';
import { storedPages } from './stored-pages.ts';
import { foundChanges, statedChanges, storedLocations } from './mutation.ts';
import { readOracle } from './oracle.ts';

const NGINX = '/usr/sbin/nginx';
const SITES = ['fastify', 'undici'];
const SEED = 7;
const MUTATION = ['--change', '2', '--touch', '5', '--delete', '1', '--move', '1', '--add', '1'];
const state = fileURLToPath(new URL('../../../.state/corpora-small', import.meta.url));
const corpora = openCorpora(state, 12_000);
const opened: TestStore[] = [];

beforeAll(() => {
  if (!existsSync(NGINX)) throw new Error(`${NGINX} is needed: apt-get install nginx-light`);
  corpora.run('up', '--sites', SITES.join(','));
  corpora.run('restore', '--sites', SITES.join(','));
  corpora.run('reach', '--sites', SITES.join(','));
}, 300_000);

/** The pages of both engines are parsed by one thread; each crawl parses its own. */
const parser = sharedParser(CHUNK_LIMITS);

afterAll(async () => {
  for (const { close } of opened) await close();
  corpora.run('down');
});

for (const name of SITES) {
  test(`${name}: two crawls from empty stores, and two engines, agree to the byte`, { timeout: 300_000 }, async () => {
    const stored: string[] = [];
    for (const open of [openTestSqlite, openTestSqlite, openTestPostgres]) {
      const database = await open();
      opened.push(database);
      const source = await addSite(database.store, name, `${corpora.site(name).origin}/`);
      await crawl(database.store, source, { parser });
      stored.push(JSON.stringify(await storedPages(database.store, source)));
    }
    expect(JSON.parse(stored[0]!).length).toBeGreaterThan(40);
    expect(stored[1]).toBe(stored[0]);
    expect(stored[2]).toBe(stored[0]);
  });

  test(
    `${name}: a crawl finds what the site has, and reports a mutation as it was made`,
    { timeout: 300_000 },
    async () => {
      const site = corpora.site(name);
      const { reachable } = JSON.parse(readFileSync(join(state, 'meta', `${name}.reach.json`), 'utf8')) as {
        reachable: string[];
      };
      const database = await openTestSqlite();
      opened.push(database);
      const { store } = database;
      const source = await addSite(store, name, `${site.origin}/`);
      const first = await crawl(store, source, { parser });
      expect(await compare(store, first.run, site, readOracle(site, reachable))).toMatchObject({
        recall: 1,
        missing: [],
        outOfScope: [],
        disallowed: [],
        noindex: [],
        doubled: [],
        wrongProvenance: [],
      });

      const before = await storedLocations(store, first.run);
      corpora.run('mutate', '--sites', name, '--seed', String(SEED), ...MUTATION);
      const second = await crawl(store, source, { parser });
      expect(await foundChanges(store, second.run, before)).toEqual(statedChanges(corpora, name, SEED, before));

      corpora.run('mutate', '--sites', name, '--seed', String(SEED + 1), '--footer');
      const { counts } = (await crawl(store, source, { parser })).run;
      expect(counts.unchanged / (counts.unchanged + counts.changed)).toBeGreaterThanOrEqual(0.98);
      expect(await store.verify()).toEqual([]);
    },
  );
}
