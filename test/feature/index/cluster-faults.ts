// A cluster under faults: pages are replaced and indexed, 20 questions a second are asked, and one node at a time fails. A
// question asks for a word that only the last acknowledged text of a page has, or one that was never changed. A replica that has
// just recovered may lack a page for a moment; one that is not found again is a loss.

import { setTimeout as wait } from 'node:timers/promises';
import type { QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import type { NodeFault, QdrantServer } from '../../support/qdrant-server.ts';
import { indexAll } from '../../support/run-fixture.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { indexEverything, openQdrantIndex, queryOf, settlePages, urlsOf } from '../../support/qdrant-library.ts';
import { makePages, makeQuestions, type MadePage } from '../../support/zipf-pages.ts';

export type ClusterFault = 'kill' | 'hang' | 'partition' | 'full disk';

interface FaultControl {
  readonly begin: NodeFault;
  readonly end: readonly NodeFault[];
  /** A write takes up to 10 s while a replica does not respond. */
  readonly lastsMs: number;
}

const CONTROLS: Readonly<Record<ClusterFault, FaultControl>> = {
  kill: { begin: 'kill', end: ['start'], lastsMs: 4000 },
  hang: { begin: 'stop', end: ['continue'], lastsMs: 15_000 },
  partition: { begin: 'cut', end: ['heal'], lastsMs: 15_000 },
  // A node that had no room may have ended, or have shards that stay closed until it is restarted.
  'full disk': { begin: 'fill', end: ['free', 'kill', 'start'], lastsMs: 15_000 },
};

export interface FaultResult {
  readonly fault: ClusterFault;
  readonly node: number;
  readonly questions: number;
  readonly slowestMs: number;
  /** Questions that failed or took longer than the retries may. */
  readonly failures: readonly string[];
  /** For how long an acknowledged page was missing in answers, at most, and pages that did not come back. */
  readonly missingMs: number;
  readonly losses: readonly string[];
  /** Pages that were indexed while the node was down. */
  readonly indexed: number;
  /** Age of the oldest change that was not searchable, at most. */
  readonly lagMs: number;
  /** From the end of the fault until that was under 10 s, and until every replica was in use again. */
  readonly caughtUpMs: number;
  readonly replicasMs: number;
}

export interface ClusterFaultsResult {
  readonly faults: readonly FaultResult[];
  /** Between the index and the store, in the end. */
  readonly differences: readonly string[];
}

const QUESTION_EVERY_MS = 50;
const MAX_RETRY_MS = 2000;
const MAX_LAG_MS = 10_000;
const PAGES = 140;
/** This many pages are replaced in turn; the others stay as they are. */
const REPLACED = 40;
const REPLACED_AT_ONCE = 4;

export async function failNodes(
  server: QdrantServer,
  order: ReadonlyArray<readonly [fault: ClusterFault, node: number]>,
): Promise<ClusterFaultsResult> {
  const { store, close } = await openTestSqlite();
  const index = await openQdrantIndex(store, server.urls);
  // No more than are scored for a question: then both engines find the same pages.
  const pages = makePages(PAGES).map((page, at): MadePage => ({ ...page, texts: [...page.texts, `lasting${at}x`] }));
  const source = await settlePages(store, pages);
  await indexEverything(index);
  const library = { store, index, source, pages, marks: new Map<number, number>() };
  const faults: FaultResult[] = [];
  const indexer = startIndexer(library);
  try {
    for (const [fault, node] of order) {
      await waitFor(() => areReplicasActive(server.urls));
      const result = await failNode(server, library, indexer, { fault, node });
      console.log(JSON.stringify(result));
      faults.push(result);
    }
  } finally {
    await indexer.end();
  }
  await indexEverything(index);
  const differences = await compare(library);
  await close();
  return { faults, differences };
}

interface Library {
  readonly store: Store;
  readonly index: QdrantIndex;
  readonly source: Source;
  readonly pages: readonly MadePage[];
  /** By page: the word of its last text that is indexed. A page that is being replaced has none. */
  readonly marks: Map<number, number>;
}

interface Indexer {
  readonly indexed: () => number;
  readonly end: () => Promise<void>;
}

/** Replaces some pages and indexes them, again and again. What the index refuses is tried again, as in a crawl. */
function startIndexer({ store, index, source, pages, marks }: Library): Indexer {
  const ended = new AbortController();
  let indexed = 0;
  const work = (async () => {
    for (let mark = 0; !ended.signal.aborted; mark += 1) {
      const some = Array.from({ length: REPLACED_AT_ONCE }, (_, nth) => (mark * REPLACED_AT_ONCE + nth) % REPLACED);
      for (const at of some) marks.delete(at);
      const replaced = some.map((at) => ({ ...pages[at]!, texts: [...pages[at]!.texts, `mark${mark}x of ${at}`] }));
      await settlePages(store, replaced, source);
      while ((await index.lag()).pages > 0) await indexEverything(index).catch(() => wait(50));
      for (const at of some) marks.set(at, mark);
      indexed += some.length;
      await index.compact(50).catch(() => undefined);
      await wait(200);
    }
  })();
  return {
    indexed: () => indexed,
    async end() {
      ended.abort();
      await work;
    },
  };
}

async function failNode(
  { control, urls }: QdrantServer,
  library: Library,
  indexer: Indexer,
  { fault, node }: Pick<FaultResult, 'fault' | 'node'>,
): Promise<FaultResult> {
  const questions = startQuestions(library);
  const before = indexer.indexed();
  const { begin, end, lastsMs } = CONTROLS[fault];
  let lagMs = 0;
  const readLag = async (): Promise<number> => {
    const { ageMs } = await library.index.lag();
    lagMs = Math.max(lagMs, ageMs);
    return ageMs;
  };
  await control!(begin, node);
  await wait(lastsMs);
  await readLag();
  const indexed = indexer.indexed() - before;
  for (const step of end) await control!(step, node);
  const ended = performance.now();
  await waitFor(async () => (await readLag()) < MAX_LAG_MS);
  const caughtUpMs = Math.round(performance.now() - ended);
  await waitFor(() => areReplicasActive(urls));
  const replicasMs = Math.round(performance.now() - ended);
  return { fault, node, ...(await questions.end()), indexed, lagMs, caughtUpMs, replicasMs };
}

type Answers = Pick<FaultResult, 'questions' | 'slowestMs' | 'failures' | 'missingMs' | 'losses'>;

function startQuestions(library: Library): { readonly end: () => Promise<Answers> } {
  const ended = new AbortController();
  const waitedMs: number[] = [];
  const failures: string[] = [];
  const losses: string[] = [];
  let missingMs = 0;
  const timed = async (question: Question): Promise<boolean> => {
    const begun = performance.now();
    const isFound = await isAnswered(library, question).catch((error: unknown) => {
      failures.push(String(error));
      return true;
    });
    const ms = performance.now() - begun;
    if (ms > MAX_RETRY_MS) failures.push(`answered after ${Math.round(ms)} ms`);
    waitedMs.push(ms);
    return isFound;
  };
  const send = async (nth: number): Promise<void> => {
    const question = questionFor(library, nth);
    const begun = performance.now();
    while (!(await timed(question))) {
      const ms = Math.round(performance.now() - begun);
      missingMs = Math.max(missingMs, ms);
      if (ms > MAX_LAG_MS) losses.push(`${question.word} of page ${question.page}`);
      if (ms > MAX_LAG_MS) break;
      await wait(QUESTION_EVERY_MS);
    }
  };
  const asking = (async () => {
    const requested: Array<Promise<void>> = [];
    for (let nth = 0; !ended.signal.aborted; nth += 1) {
      requested.push(send(nth));
      await wait(QUESTION_EVERY_MS);
    }
    await Promise.all(requested);
  })();
  return {
    async end() {
      ended.abort();
      await asking;
      const slowestMs = Math.round(Math.max(...waitedMs));
      return { questions: waitedMs.length, slowestMs, failures, missingMs, losses };
    },
  };
}

interface Question {
  readonly page: number;
  readonly word: string;
  /** Null if the page does not change. */
  readonly mark: number | null;
}

/** Alternately about pages that change and pages that do not. */
function questionFor({ marks }: Library, nth: number): Question {
  const changed = [...marks][nth % Math.max(1, marks.size)];
  const stable = REPLACED + (nth % (PAGES - REPLACED));
  if (nth % 2 === 1 || changed === undefined) return { page: stable, word: `lasting${stable}x`, mark: null };
  const [page, mark] = changed;
  return { page, word: `mark${mark}x`, mark };
}

/** True also if the page was replaced in the meantime. */
async function isAnswered({ index, source, pages, marks }: Library, { page, word, mark }: Question): Promise<boolean> {
  const versions = source.versions.map(({ id }) => id);
  const found = urlsOf(await index.candidates(queryOf(`${word} ${makeQuestions(1)[0]}`, versions)));
  return found.includes(pages[page]!.url) || (mark !== null && marks.get(page) !== mark);
}

interface CollectionCluster {
  readonly local_shards: ReadonlyArray<{ readonly state: string }>;
  readonly remote_shards: ReadonlyArray<{ readonly state: string }>;
  readonly shard_transfers: readonly unknown[];
}

export async function areReplicasActive(urls: readonly string[]): Promise<boolean> {
  const read = async <T>(url: string): Promise<T> => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    return ((await response.json()) as { readonly result: T }).result;
  };
  try {
    for (const url of urls) {
      const { collections } = await read<{ collections: Array<{ name: string }> }>(`${url}/collections`);
      for (const { name } of collections) {
        const cluster = await read<CollectionCluster>(`${url}/collections/${name}/cluster`);
        const replicas = [...cluster.local_shards, ...cluster.remote_shards];
        if (cluster.shard_transfers.length > 0 || replicas.some(({ state }) => state !== 'Active')) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}

const RECOVERY_MS = 300_000;

export async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + RECOVERY_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`not recovered within ${RECOVERY_MS} ms`);
    await wait(100);
  }
}

/** Longer than points that were replaced are kept: they take the places of others among the pages that are scored. */
const RETAINED_MS = 31_000;

async function compare({ store, index, source }: Library): Promise<readonly string[]> {
  await wait(RETAINED_MS);
  while (!(await index.compact(1000)));
  await indexAll(store);
  const differences = [...(await index.verify(Infinity))];
  const segments = createSegmentIndex(store.segments);
  const versions = source.versions.map(({ id }) => id);
  for (const question of makeQuestions(50)) {
    const query = queryOf(question, versions);
    const [wanted, got] = [await segments.candidates(query), await index.candidates(query)];
    if (urlsOf(wanted).join(' ') !== urlsOf(got).join(' ')) differences.push(`other pages for ${question}`);
  }
  return differences;
}
