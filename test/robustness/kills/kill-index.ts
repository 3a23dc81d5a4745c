// Kills an indexer repeatedly, first while it indexes and merges, then while it reindexes everything. A control store with the
// same pages is indexed without a kill, and both must return the same results.

import { setTimeout as wait } from 'node:timers/promises';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { createSearch, type SearchAnswer } from '../../../src/search/search.ts';
import type { Store } from '../../../src/store/port.ts';
import { SEGMENT_STATE } from '../../../src/store/sql/engine/states.ts';
import { findChunks } from '../../contract/segments.contract.ts';
import { frontierEntry, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { openDatabase, type TestDatabase } from '../../support/test-database.ts';
import { runChild } from '../../support/run-child.ts';
import { newDatabase } from '../../support/zombie-run.ts';

const INDEXER = new URL('./indexer-process.ts', import.meta.url);
const MAX_WORK_MS = 250;
const WORDS_PER_PAGE = 40;
/** No word is on more pages than are reranked, so that ties are not cut by the order of segments. */
const PAGES_PER_WORD = 24;
const QUERIES = ['word7', 'word3 w13x2', 'w17x3 w18x4', 'w5x1 word5', 'absentee'];

export interface KillIndexSettings {
  readonly engine: TestDatabase['engine'];
  /** In each of the two phases. */
  readonly kills: number;
  readonly pages: number;
}

export interface KillIndexResult {
  readonly engine: string;
  readonly kills: number;
  readonly pages: number;
  /** Pages still queued after each kill of the first phase, which shows that the indexer was killed at work. */
  readonly waited: readonly number[];
  /** Segments that were being filled or merged at a kill. */
  readonly mergesCut: number;
  readonly violations: readonly string[];
  /** Queries with other results in the killed store than in the control store. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

export async function killIndex(settings: KillIndexSettings): Promise<KillIndexResult> {
  const started = Date.now();
  const killed = await newDatabase(settings.engine);
  const control = await newDatabase(settings.engine);
  for (const { database } of [killed, control]) await fill(database, settings.pages);
  await runChild(INDEXER, { database: control.database, pages: 50, reindexForever: false }).ended;
  const expected = await searchAll(control.database);
  const found = await readFound(control.database);
  const seen = { violations: [] as string[], differences: [] as string[], waited: [] as number[], mergesCut: 0 };

  const { database } = killed;
  for (let kill = 1; kill <= settings.kills; kill += 1) {
    await indexAndKill({ database, pages: 4, reindexForever: false });
    const { queueLength, merging, violations } = await readIndexState(database);
    seen.waited.push(queueLength);
    seen.mergesCut += Number(merging);
    seen.violations.push(...violations.map((violation) => `kill ${kill}: ${violation}`));
  }
  await runChild(INDEXER, { database, pages: 4, reindexForever: false }).ended;
  seen.differences.push(...differencesOf(expected, await searchAll(database), 'indexed'));

  for (let kill = 1; kill <= settings.kills; kill += 1) {
    await indexAndKill({ database, pages: 4, reindexForever: true });
    const { merging, violations } = await readIndexState(database);
    seen.mergesCut += Number(merging);
    seen.violations.push(...violations.map((violation) => `kill ${kill} of reindexing: ${violation}`));
    seen.differences.push(...foundDifferences(found, await readFound(database), `kill ${kill} of reindexing`));
  }
  await runChild(INDEXER, { database, pages: 4, reindexForever: false }).ended;
  seen.violations.push(...(await readIndexState(database)).violations.map((violation) => `end: ${violation}`));
  seen.differences.push(...foundDifferences(found, await readFound(database), 'end'));
  await Promise.all([killed.remove(), control.remove()]);
  const { engine, pages } = settings;
  return { engine, kills: settings.kills * 2, pages, ...seen, seconds: Math.round((Date.now() - started) / 1000) };
}

async function fill(database: TestDatabase, pages: number): Promise<void> {
  const { store } = await openDatabase(database);
  const source = await store.sources.add({ name: 'site', kind: 'web', startUrl: 'https://x.dev/', settings: {} }, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('filler', 600_000);
  const words = Math.ceil(pages / PAGES_PER_WORD);
  const urls = Array.from({ length: pages }, (_, i) => frontierEntry(`https://x.dev/${i}`));
  await store.frontier.enqueue(lease!.run.id, urls);
  for (;;) {
    const claims = await store.frontier.claim({ worker: 'filler', limit: 100, leaseMs: 600_000, aheadMs: 1000 });
    if (claims.length === 0) break;
    await store.frontier.settle(
      claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, ...textsOf(claim.url, words)))),
    );
  }
  await store.close();
}

/** Unique words on each page, so that a merge has more terms than one step handles. */
function textsOf(url: string, words: number): string[] {
  const i = Number(url.split('/').at(-1));
  const unique = Array.from({ length: WORDS_PER_PAGE }, (_, j) => `w${i}x${j}`).join(' ');
  return [
    `page number ${i}, common to all, word${i % words}`,
    unique,
    i % 3 === 0 ? 'an ancient text' : 'a common one',
  ];
}

async function indexAndKill(task: object): Promise<void> {
  const { promise: working, resolve: begin } = Promise.withResolvers<void>();
  const child = runChild(INDEXER, task, () => begin());
  await Promise.race([working, child.ended]);
  await wait(Math.random() * MAX_WORK_MS);
  child.kill();
  await child.ended;
}

interface IndexState {
  readonly queueLength: number;
  readonly merging: boolean;
  readonly violations: readonly string[];
}

async function readIndexState(database: TestDatabase): Promise<IndexState> {
  const opened = await openDatabase(database);
  const { store } = opened;
  const violations = (await store.verify()).map(({ invariant, row }) => `${invariant}: ${row}`);
  const merging =
    (await opened.count(
      `select count(*) as n from search_segments where state in (${SEGMENT_STATE.merging}, ${SEGMENT_STATE.dropped})`,
    )) > 0;
  const state = { queueLength: await store.segments.queueLength(), merging, violations };
  await store.close();
  return state;
}

type SearchResults = ReadonlyMap<string, SearchAnswer>;

async function searchAll(database: TestDatabase): Promise<SearchResults> {
  const { store } = await openDatabase(database);
  const results = new Map<string, SearchAnswer>();
  for (const query of QUERIES) results.set(query, await runQuery(store, query));
  await store.close();
  return results;
}

async function runQuery(store: Store, query: string): Promise<SearchAnswer> {
  return createSearch(
    store,
    createSegmentIndex(store.segments),
  )({ query, limit: 50, budget: 4000, offset: 0, explain: true });
}

/** Passages, their order and every part of their scores. */
function differencesOf(expected: SearchResults, actual: SearchResults, when: string): string[] {
  const shown = (answer: SearchAnswer | undefined): string =>
    JSON.stringify(answer?.passages.map(({ checkedAt: _, ...rest }) => rest));
  return QUERIES.filter((query) => shown(expected.get(query)) !== shown(actual.get(query))).map(
    (query) => `${when}: ${query}`,
  );
}

const WORDS = ['common', 'ancient', 'page', 'word7', 'w17x3'];

/** Ids of the chunks that contain a word, by word. */
async function readFound(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const { store } = await openDatabase(database);
  const [source] = await store.sources.list();
  const ids = new Map<string, string>();
  for (const word of WORDS) {
    const chunks = await findChunks(store, source!.versions[0]!.id, [word]);
    ids.set(
      word,
      chunks
        .map(({ chunk }) => chunk.id)
        .toSorted()
        .join(),
    );
  }
  await store.close();
  return ids;
}

/** During reindexing, outdated postings still count for idf, so scores may differ; the set of found chunks may not. */
function foundDifferences(
  expected: ReadonlyMap<string, string>,
  ids: ReadonlyMap<string, string>,
  when: string,
): string[] {
  return WORDS.filter((word) => expected.get(word) !== ids.get(word)).map((word) => `${when}: ${word}`);
}
