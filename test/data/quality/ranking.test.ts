// Search quality on small real sites: no metric falls below the committed baseline, and all engines rank alike. The sites are
// crawled by the program itself, so a regression in extraction or chunking shows here as well. All sites: npm run eval.

import { existsSync, readFileSync } from 'node:fs';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerableMetrics, searchAnswerable, weakShare } from '../../../bench/search/eval/answerable.ts';
import { evaluateQuestion, summary, type QuestionResult } from '../../../bench/search/eval/evaluate-question.ts';
import { searchIdentifier, drawIdentifierHeadings, identifierMetrics } from '../../../bench/search/eval/identifier-headings.ts';
import { loadMemoryIndex } from '../../../bench/search/eval/memory-index.ts';
import { readQuestions } from '../../../bench/search/read-questions.ts';
import { getWordTable } from '../../../src/compose/word-table.ts';
import { createSearch, type Search } from '../../../src/search/search.ts';
import type { IndexReader } from '../../../src/core/lexical/query/index-reader.ts';
import { indexReaderOf } from '../../support/index-reader.ts';
import type { Store } from '../../../src/store/port.ts';
import { openCorpora } from '../../support/corpora.ts';
import { addSite, CHUNK_LIMITS, openCrawler } from '../../support/measured-crawl.ts';
import { indexAll } from '../../support/run-fixture.ts';
import { parseOnce, sharedParser } from '../../support/shared-parser.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { answerDigests, knownAnswers, type Digests } from './known-answers.ts';

const NGINX = '/usr/sbin/nginx';
const PORT_OFFSET = 11_000;
/** Largest difference between the means of two engines. */
const MAX_DIFFERENCE = 0.01;
const Baseline = z.object({ sites: z.array(z.string()), tolerance: z.number(), means: z.record(z.string(), z.number()) });
const baseline = Baseline.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'baseline.json'), 'utf8')));
const allQuestions = readQuestions(join(import.meta.dirname, 'dev.jsonl'));
const questions = allQuestions.filter(({ site }) => baseline.sites.includes(site));
const corpora = openCorpora(fileURLToPath(new URL('../../../.state/corpora-quality', import.meta.url)), PORT_OFFSET);
const opened: TestStore[] = [];
const parser = parseOnce(sharedParser(CHUNK_LIMITS));
const means = new Map<string, Record<string, number>>();
let digests: Digests = {};
let postgresDigests: Digests = {};
const COMPARED_ANSWERS = 200;
let sqliteStore: Store;
let search: Search;

beforeAll(async () => {
  if (!existsSync(NGINX)) throw new Error(`${NGINX} is needed: apt-get install nginx-light`);
  corpora.run('up', '--sites', baseline.sites.join(','));
  const stores = await Promise.all([openTestSqlite(), openTestPostgres()]);
  const [sqlite, postgres] = (await Promise.all(stores.map(crawlSites))) as [Store, Store];
  means.set('sqlite', await measure(sqlite, indexReaderOf(sqlite)));
  sqliteStore = sqlite;
  search = createSearch(sqlite, createSegmentIndex(sqlite.segments), null, getWordTable());
  digests = await answerDigests(search, allQuestions, baseline.sites);
  means.set('postgres', await measure(postgres, indexReaderOf(postgres)));
  means.set('core', await measure(sqlite, await loadMemoryIndex(sqlite)));
  const compared = allQuestions.slice(0, COMPARED_ANSWERS);
  const inPostgres = createSearch(postgres, createSegmentIndex(postgres.segments), null, getWordTable());
  postgresDigests = await answerDigests(inPostgres, compared, baseline.sites);
}, 300_000);

afterAll(async () => {
  for (const { close } of opened) await close();
  corpora.run('down');
});

async function crawlSites(testStore: TestStore): Promise<Store> {
  opened.push(testStore);
  const crawler = openCrawler(testStore.store, { parser });
  for (const name of baseline.sites) {
    const source = await addSite(testStore.store, name, `${corpora.site(name).origin}/`);
    await crawler.crawl(source);
  }
  await crawler.close();
  await indexAll(testStore.store);
  return testStore.store;
}

async function measure(store: Store, index: IndexReader): Promise<Record<string, number>> {
  const sources = await store.sources.list();
  const results: QuestionResult[] = [];
  const context = { index, sources, scope: 'site', words: getWordTable() } as const;
  for (const question of questions) results.push(await evaluateQuestion(question, context));
  return summary(results);
}

describe('on a fixed set of small sites', () => {
  test.each(Object.entries(baseline.means))('%s does not fall below %f', (name, before) => {
    expect(means.get('sqlite')?.[name]).toBeGreaterThanOrEqual(before - baseline.tolerance);
  });

  test.each(['postgres', 'core'])('%s ranks as SQLite does', (engine) => {
    const difference = Math.abs((means.get(engine)?.['ndcg'] ?? 0) - (means.get('sqlite')?.['ndcg'] ?? 1));
    expect(difference).toBeLessThanOrEqual(MAX_DIFFERENCE);
  });

  test('PostgreSQL gives the same answers as SQLite, to the byte', () => {
    const others = postgresDigests;
    expect(Object.keys(others).length).toBeGreaterThanOrEqual(COMPARED_ANSWERS);
    expect(Object.keys(others).filter((question) => others[question] !== digests[question])).toEqual([]);
  });

  test.each([200, 2000])('an identifier is cited at its own heading within %i tokens (finding T1)', async (budget) => {
    const sources = await sqliteStore.sources.list();
    const headings = await drawIdentifierHeadings(sqliteStore, sources, { count: 15, seed: 7 });
    expect(headings.length).toBeGreaterThanOrEqual(30);
    const results = [];
    for (const heading of headings) {
      const { identifier, source } = heading;
      for (const query of [identifier, `what does ${identifier} do`])
        results.push(await searchIdentifier(search, heading, { query, source, budget }));
    }
    const { citedShare, firstTokensP50 } = identifierMetrics(results);
    expect(citedShare).toBeGreaterThanOrEqual(0.95);
    expect(firstTokensP50).toBeLessThanOrEqual(300);
  });

  test('questions of another site have weak evidence, and few of the right one', async () => {
    const sources = await sqliteStore.sources.list();
    const context = { index: indexReaderOf(sqliteStore), sources, scope: 'site', words: getWordTable() } as const;
    const results = [];
    for (const question of questions) results.push(...(await searchAnswerable(question, context)));
    expect(weakShare(results, 'otherSource')).toBeGreaterThanOrEqual(0.6);
    expect(weakShare(results, 'present')).toBeLessThanOrEqual(0.15);
    expect(answerableMetrics(results, 'otherSource', ({ confidence }) => confidence).auc).toBeGreaterThanOrEqual(0.85);
  });

  test('the answer to every question is the known one', () => {
    const known = knownAnswers(digests);
    const changed = Object.keys(known).filter((question) => digests[question] !== known[question]);
    expect(changed).toEqual([]);
    expect(Object.keys(digests)).toHaveLength(Object.keys(known).length);
  });
});
