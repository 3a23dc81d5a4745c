// Kills an indexer again and again, first while it indexes and merges, then while it does all of it again. A twin with the
// same pages is indexed without a kill, and both must answer alike.

import { setTimeout as wait } from 'node:timers/promises';
import { createSearch, type SearchAnswer } from '../../src/search/search.ts';
import type { Store } from '../../src/store/port.ts';
import { found } from '../contract/search-index.contract.ts';
import { anOffer, indexed, settling } from '../support/run-fixture.ts';
import { openPlace, type Place } from '../zombies/test-database.ts';
import { runChild } from '../zombies/run-child.ts';
import { newPlace } from '../zombies/zombie-run.ts';

const INDEXER = new URL('./indexer-process.ts', import.meta.url);
const LONGEST_WORK_MS = 250;
const WORDS_A_PAGE = 40;
/** None has more pages than get a closer look, however many there are, so that ties are not cut by the order of segments. */
const PAGES_A_WORD = 24;
const QUESTIONS = ['word7', 'word3 w13x2', 'w17x3 w18x4', 'w5x1 word5', 'absentee'];

export interface KillIndexSettings {
  readonly engine: Place['engine'];
  /** In each of the two parts. */
  readonly kills: number;
  readonly pages: number;
}

export interface KillIndexResult {
  readonly engine: string;
  readonly kills: number;
  readonly pages: number;
  /** Pages that still waited after each kill of the first part: the kills fell into the work. */
  readonly waited: readonly number[];
  /** Segments that were being filled or merged at a kill. */
  readonly mergesCut: number;
  readonly violations: readonly string[];
  /** Questions that the killed store answered otherwise than its twin. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

export async function killIndex(settings: KillIndexSettings): Promise<KillIndexResult> {
  const started = Date.now();
  const killed = await newPlace(settings.engine);
  const twin = await newPlace(settings.engine);
  for (const { place } of [killed, twin]) await fill(place, settings.pages);
  await runChild(INDEXER, { place: twin.place, pages: 50, again: false }).ended;
  const wanted = await answersOf(twin.place);
  const living = await foundIn(twin.place);
  const seen = { violations: [] as string[], differences: [] as string[], waited: [] as number[], mergesCut: 0 };

  const { place } = killed;
  for (let kill = 1; kill <= settings.kills; kill += 1) {
    await indexAndKill({ place, pages: 4, again: false });
    const { lag, merging, violations } = await lookAt(place);
    seen.waited.push(lag);
    seen.mergesCut += Number(merging);
    seen.violations.push(...violations.map((violation) => `kill ${kill}: ${violation}`));
  }
  await runChild(INDEXER, { place, pages: 4, again: false }).ended;
  seen.differences.push(...differencesOf(wanted, await answersOf(place), 'indexed'));

  for (let kill = 1; kill <= settings.kills; kill += 1) {
    await indexAndKill({ place, pages: 4, again: true });
    const { merging, violations } = await lookAt(place);
    seen.mergesCut += Number(merging);
    seen.violations.push(...violations.map((violation) => `kill ${kill} of indexing again: ${violation}`));
    seen.differences.push(...foundOtherwise(living, await foundIn(place), `kill ${kill} of indexing again`));
  }
  await runChild(INDEXER, { place, pages: 4, again: false }).ended;
  seen.violations.push(...(await lookAt(place)).violations.map((violation) => `end: ${violation}`));
  seen.differences.push(...foundOtherwise(living, await foundIn(place), 'end'));
  await Promise.all([killed.remove(), twin.remove()]);
  const { engine, pages } = settings;
  return { engine, kills: settings.kills * 2, pages, ...seen, seconds: Math.round((Date.now() - started) / 1000) };
}

async function fill(place: Place, pages: number): Promise<void> {
  const { store } = await openPlace(place);
  const source = await store.sources.add({ name: 'site', kind: 'web', start: 'https://x.dev/', settings: {} }, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  const lease = await store.runs.lease('filler', 600_000);
  const words = Math.ceil(pages / PAGES_A_WORD);
  const urls = Array.from({ length: pages }, (_, i) => anOffer(`https://x.dev/${i}`));
  await store.frontier.offer(lease!.run.id, urls);
  for (;;) {
    const claims = await store.frontier.claim({ worker: 'filler', limit: 100, leaseMs: 600_000, aheadMs: 1000 });
    if (claims.length === 0) break;
    await store.frontier.settle(
      claims.map((claim) => settling(claim, indexed(claim.url, ...textsOf(claim.url, words)))),
    );
  }
  await store.close();
}

/** Words of its own on each page, so that a merge has more of them than one step takes. */
function textsOf(url: string, words: number): string[] {
  const i = Number(url.split('/').at(-1));
  const own = Array.from({ length: WORDS_A_PAGE }, (_, j) => `w${i}x${j}`).join(' ');
  return [`page number ${i}, common to all, word${i % words}`, own, i % 3 === 0 ? 'an ancient text' : 'a common one'];
}

async function indexAndKill(order: object): Promise<void> {
  const { promise: working, resolve: begin } = Promise.withResolvers<void>();
  const child = runChild(INDEXER, order, () => begin());
  await Promise.race([working, child.ended]);
  await wait(Math.random() * LONGEST_WORK_MS);
  child.kill();
  await child.ended;
}

interface Look {
  readonly lag: number;
  readonly merging: boolean;
  readonly violations: readonly string[];
}

async function lookAt(place: Place): Promise<Look> {
  const opened = await openPlace(place);
  const { store } = opened;
  const violations = (await store.verify()).map(({ invariant, row }) => `${invariant}: ${row}`);
  const merging = (await opened.count(`select count(*) as n from search_segments where state in (0, 3)`)) > 0;
  const look = { lag: await store.searchRows.lag(), merging, violations };
  await store.close();
  return look;
}

type Answers = ReadonlyMap<string, SearchAnswer>;

async function answersOf(place: Place): Promise<Answers> {
  const { store } = await openPlace(place);
  const answers = new Map<string, SearchAnswer>();
  for (const query of QUESTIONS) answers.set(query, await ask(store, query));
  await store.close();
  return answers;
}

async function ask(store: Store, query: string): Promise<SearchAnswer> {
  return createSearch(store)({ query, limit: 50, budget: 4000, offset: 0, explain: true });
}

/** Passages, their order and every part of their scores. */
function differencesOf(wanted: Answers, given: Answers, when: string): string[] {
  const shown = (answer: SearchAnswer | undefined): string =>
    JSON.stringify(answer?.passages.map(({ checkedAt: _, ...rest }) => rest));
  return QUESTIONS.filter((query) => shown(wanted.get(query)) !== shown(given.get(query))).map(
    (query) => `${when}: ${query}`,
  );
}

const WORDS = ['common', 'ancient', 'page', 'word7', 'w17x3'];

/** Ids of the chunks that have a word, by word. */
async function foundIn(place: Place): Promise<ReadonlyMap<string, string>> {
  const { store } = await openPlace(place);
  const [source] = await store.sources.list();
  const ids = new Map<string, string>();
  for (const word of WORDS) {
    const chunks = await found(store, source!.versions[0]!.id, [word]);
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

/** While pages are indexed again, old words count for a word's rarity, so scores may differ; what is found may not. */
function foundOtherwise(wanted: ReadonlyMap<string, string>, ids: ReadonlyMap<string, string>, when: string): string[] {
  return WORDS.filter((word) => wanted.get(word) !== ids.get(word)).map((word) => `${when}: ${word}`);
}
