// node bench/search/compare-engines.ts FOLDER QUESTIONS.jsonl [--count 200] [--write NAME]: asks questions of the same folder in
// SQLite, PostgreSQL (PINAKES_TEST_POSTGRES_URL), a private Qdrant and browser mode in Chromium, and counts the answers that
// differ from those on SQLite. Browser mode shows the chunk of each passage, so these are compared there; elsewhere whole answers.

import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { getWordTable } from '../../src/compose/word-table.ts';
import type { Passage } from '../../src/core/answer/answer-passages.ts';
import { openNodes } from '../../src/index/qdrant/nodes.ts';
import { createQdrantIndex } from '../../src/index/qdrant/qdrant-index.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch, type Search } from '../../src/search/search.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { CHROMIUM, ensureBuilt, openChromium } from '../../test/support/dashboard-server.ts';
import { createLibrary, type Library } from '../../test/support/library.ts';
import { startQdrant } from '../../test/support/qdrant-server.ts';
import { TEST_SETTINGS, thisOwner } from '../../test/support/stores.ts';
import { writeResult } from '../support/write-result.ts';
import { readQuestions } from './read-questions.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '200' }, write: { type: 'string' } },
});
const [folder = '', file = ''] = positionals;
if (folder === '' || file === '') throw new Error('usage: node bench/search/compare-engines.ts FOLDER QUESTIONS.jsonl');
const PROJECT = join(import.meta.dirname, '../..');
const SHORT_ID_CHARS = 12;
/** The limits of a search in browser mode. */
const LIMITS = { limit: 20, budget: 2000, offset: 0, explain: false };
const ANSWER_DEADLINE_MS = 20_000;

const queries = readQuestions(file)
  .slice(0, Number(options.count))
  .map(({ query }) => query);
await ensureBuilt();

type Answers = ReadonlyArray<readonly Passage[]>;

async function answersFrom(search: Search): Promise<Answers> {
  const answers: Array<readonly Passage[]> = [];
  for (const query of queries) answers.push((await search({ ...LIMITS, query })).passages);
  return answers;
}

async function readFolder(engine: Library['engine']): Promise<Library> {
  const library = await createLibrary(engine);
  // The name is the same as in browser mode: citations name the source, and they count.
  const { stderr } = await library.run('add', folder, '--name', basename(folder), '--wait');
  process.stderr.write(`${engine}: ${stderr.trim().split('\n').at(-1) ?? ''}\n`);
  return library;
}

function answersOfStore(library: Library): Promise<Answers> {
  return library.read((store) =>
    answersFrom(createSearch(store, createSegmentIndex(store.segments), null, getWordTable())),
  );
}

/** The pages of the library, with their points in a Qdrant of this run. */
async function answersOfQdrant({ settings }: Library): Promise<Answers | null> {
  const server = startQdrant();
  if (server === null) return null;
  const directory = settings['PINAKES_DATA_DIR'] ?? '';
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  try {
    const { points: records, changes, history } = store;
    const nodes = openNodes({ urls: server.urls, apiKey: undefined });
    const index = createQdrantIndex({ nodes, records, changes, history, timeoutMs: 30_000 });
    while ((await index.index(100)) > 0);
    return await answersFrom(createSearch(store, index, null, getWordTable()));
  } finally {
    await store.close();
    server.close();
  }
}

/** Short ids of the chunks that are shown for each question. A tab that shows another first chunk runs into the deadline. */
async function answersOfBrowserMode(expected: Answers): Promise<ReadonlyArray<readonly string[]>> {
  const browser = await openChromium(CHROMIUM);
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(PROJECT, 'dist/web/browser-mode.html')).href);
    await page.setInputFiles('input[aria-label=Folder]', folder);
    await page.waitForSelector('[data-state=ready]', { timeout: 600_000 });
    const shown: Array<readonly string[]> = [];
    for (const [at, query] of queries.entries()) {
      await page.fill('input[type=search]', query);
      const first = expected[at]?.[0]?.chunkId.slice(0, SHORT_ID_CHARS);
      const isShown = (id: string | undefined): boolean =>
        document.querySelector('.hit .path .mono')?.textContent === id;
      await page.waitForFunction(isShown, first, { timeout: ANSWER_DEADLINE_MS }).catch(() => undefined);
      shown.push(await page.locator('.hit .path .mono').allTextContents());
    }
    return shown;
  } finally {
    await browser.close();
  }
}

/** Without the time of the check, which is that of the library. */
function comparable(passages: readonly Passage[] = []): string {
  return JSON.stringify(passages.map(({ checkedAt: _, ...passage }) => passage));
}

function chunksOf(passages: readonly Passage[] = []): string {
  return passages.map(({ chunkId }) => chunkId.slice(0, SHORT_ID_CHARS)).join(' ');
}

/** The share of the questions; the others are printed. */
function share(what: string, isSame: (at: number) => boolean): number {
  const others = queries.filter((_, at) => !isSame(at));
  for (const query of others) process.stderr.write(`${what} differs: ${query}\n`);
  return Math.round(1000 * (1 - others.length / queries.length)) / 1000;
}

const sqlite = await readFolder('sqlite');
const postgres = await readFolder('postgres');
const expected = await answersOfStore(sqlite);
const onPostgres = await answersOfStore(postgres);
await postgres.remove();
const inBrowser = await answersOfBrowserMode(expected);
const onQdrant = await answersOfQdrant(sqlite);
await sqlite.remove();
const result = {
  folder: basename(folder),
  questions: queries.length,
  answered: expected.filter((passages) => passages.length > 0).length,
  passages: expected.reduce((sum, passages) => sum + passages.length, 0),
  sameAnswer: {
    postgres: share('PostgreSQL', (at) => comparable(onPostgres[at]) === comparable(expected[at])),
    browser: share('browser mode', (at) => inBrowser[at]?.join(' ') === chunksOf(expected[at])),
    qdrant: onQdrant && share('Qdrant', (at) => comparable(onQdrant[at]) === comparable(expected[at])),
  },
  sameFirstPassage: onQdrant && {
    qdrant: share(
      'first passage on Qdrant',
      (at) => comparable(onQdrant[at]?.slice(0, 1)) === comparable(expected[at]?.slice(0, 1)),
    ),
  },
};
if (options.write === undefined) process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
else writeResult(options.write, result);
