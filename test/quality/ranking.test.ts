// Search quality on small real sites: no figure falls below the committed ones, and every engine ranks alike. The sites are
// crawled by the program itself, so a loss in extraction or chunking shows here as well. All sites: npm run eval.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { askQuestion, summary, type Measured } from '../../bench/search/eval/evaluate-question.ts';
import { memoryRows } from '../../bench/search/eval/memory-index.ts';
import { readQuestions } from '../../bench/search/read-questions.ts';
import type { SearchRows, Store } from '../../src/store/port.ts';
import { openCorpora } from '../incremental/corpora.ts';
import { addSite, crawl } from '../incremental/crawl.ts';
import { indexAll } from '../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../support/stores.ts';

const NGINX = '/usr/sbin/nginx';
const PORT_OFFSET = 11_000;
/** How far the means of two engines may lie apart. */
const APART = 0.01;
const Baseline = z.object({ sites: z.array(z.string()), tolerance: z.number(), means: z.record(z.string(), z.number()) });
const baseline = Baseline.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'baseline.json'), 'utf8')));
const questions = readQuestions(join(import.meta.dirname, 'dev.jsonl')).filter(({ site }) =>
  baseline.sites.includes(site),
);
const corpora = openCorpora(fileURLToPath(new URL('../../.state/corpora-quality', import.meta.url)), PORT_OFFSET);
const opened: TestStore[] = [];
const means = new Map<string, Record<string, number>>();

beforeAll(async () => {
  if (!existsSync(NGINX)) throw new Error(`${NGINX} is needed: apt-get install nginx-light`);
  corpora.run('up', '--sites', baseline.sites.join(','));
  const sqlite = await library(await openTestSqlite());
  const postgres = await library(await openTestPostgres());
  means.set('sqlite', await measure(sqlite, sqlite.searchRows));
  means.set('postgres', await measure(postgres, postgres.searchRows));
  means.set('core', await measure(sqlite, { ...sqlite.searchRows, ...(await memoryRows(sqlite)) }));
}, 300_000);

afterAll(async () => {
  for (const { close } of opened) await close();
  corpora.run('down');
});

async function library(place: TestStore): Promise<Store> {
  opened.push(place);
  for (const name of baseline.sites) {
    const source = await addSite(place.store, name, `${corpora.site(name).origin}/`);
    await crawl(place.store, source);
  }
  await indexAll(place.store);
  return place.store;
}

async function measure(store: Store, rows: SearchRows): Promise<Record<string, number>> {
  const sources = await store.sources.list();
  const measured: Measured[] = [];
  for (const question of questions) measured.push(await askQuestion(question, { rows, sources, scope: 'site' }));
  return summary(measured);
}

describe('on a fixed set of small sites', () => {
  test.each(Object.entries(baseline.means))('%s does not fall below %f', (name, before) => {
    expect(means.get('sqlite')?.[name]).toBeGreaterThanOrEqual(before - baseline.tolerance);
  });

  test.each(['postgres', 'core'])('%s ranks as SQLite does', (engine) => {
    const apart = Math.abs((means.get(engine)?.['ndcg'] ?? 0) - (means.get('sqlite')?.['ndcg'] ?? 1));
    expect(apart).toBeLessThanOrEqual(APART);
  });
});
