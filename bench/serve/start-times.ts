// Measures how long a new user waits: for help, for an assistant's first response, for the first search result of a new source and for
// a complete small site, at the default rate limit.
//
//   node bench/serve/start-times.ts [--site URL --word WORD] [--rounds 5]
//
// The first result is that of a `search` command started as soon as there is something to find. Without a URL a site of 50 pages is
// served on loopback. The program runs from `src`, compiled once in advance, or is the one that TEST_PROGRAM names, such as
// dist/program/main.js, which runs without a compile cache.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSearch } from '../../src/search/search.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import { run, start, type Settings } from '../../test/support/program.ts';
import { startStdio } from '../../test/support/stdio-client.ts';
import { createSiteServer } from '../../test/support/generated-site.ts';
import { writeResult } from '../support/write-result.ts';

const TARGETS = { helpMs: 300, warmMs: 1000, coldMs: 3000, firstHitMs: 5000, wholeSiteMs: 30_000 };
const PAGES = 50;

const { values } = parseArgs({
  options: {
    site: { type: 'string' },
    /** A word that every page has, so that the first page, whichever it is, can be found. */
    word: { type: 'string', default: 'almanac' },
    rounds: { type: 'string', default: '5' },
  },
});
const rounds = Number(values.rounds);
const site = values.site === undefined ? await createSiteServer({ size: PAGES }) : null;
const url = values.site ?? site?.start ?? '';
const directory = mkdtempSync(join(tmpdir(), 'pinakes-start-'));
const baseSettings: Settings = {
  PINAKES_DATA_DIR: directory,
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_OWNER_IDLE_MS: '1000',
};
/** For the `add` command: its owner stays and is the warm process for what follows. */
const settings: Settings = { ...baseSettings, PINAKES_OWNER_IDLE_MS: '60000' };

const median = (list: readonly number[]): number =>
  Math.round(list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0);

/** From the start of `pinakes mcp` to the response to its first search. */
async function firstAnswerMs(): Promise<number> {
  const began = performance.now();
  const client = startStdio(baseSettings);
  await client.begin();
  const { result } = await client.request('tools/call', { name: 'search_docs', arguments: { query: 'guide' } });
  const ms = performance.now() - began;
  if (result?.['isError'] === true) throw new Error(`the search failed: ${client.stderr()}`);
  await client.close();
  return ms;
}

function ownerPid(): number {
  return (JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8')) as { pid: number }).pid;
}

const isOwned = (): boolean => existsSync(`/proc/${ownerPid()}`);

async function times(count: number, measure: () => Promise<number>): Promise<number[]> {
  const list: number[] = [];
  for (let i = 0; i < count; i += 1) list.push(await measure());
  return list;
}

/** Polls from this process: a command each time would take one of two cores away from what is measured. */
async function untilFound(): Promise<void> {
  const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
  const store = await openSqliteReader({ startDelayMs: 0, maxAttempts: 1, directory, owner });
  const search = createSearch(store, createSegmentIndex(store.segments));
  const asking = { query: values.word, limit: 1, budget: 500, offset: 0, explain: false };
  const late = performance.now() + 60_000;
  while ((await search(asking)).passages.length === 0) {
    if (performance.now() > late) throw new Error('nothing was found within a minute');
    await wait(50);
  }
  await store.close();
}

const helpMs = async (): Promise<number> => (await run(settings, ['--help'])).ms;
await helpMs();
const help = median(await times(rounds, helpMs));

// There is no owner between two rounds: it exits after a second without work.
await firstAnswerMs();
const cold = median(
  await times(rounds, async () => {
    while (isOwned()) await wait(100);
    return firstAnswerMs();
  }),
);

while (isOwned()) await wait(100);
const began = performance.now();
const adding = start(settings, ['add', url, '--name', 'site', '--wait']);
await untilFound();
const found = JSON.parse((await run(settings, ['search', values.word, '--json'])).stdout) as { passages: unknown[] };
if (found.passages.length === 0) throw new Error('the command found nothing');
const firstHit = Math.round(performance.now() - began);
const { stdout: added } = await adding.ended;
const wholeSite = Math.round(performance.now() - began);
const [library] = (
  JSON.parse((await run(settings, ['list', '--json'])).stdout) as { sources: { versions: { pages: number }[] }[] }
).sources;

const warm = median(await times(rounds, firstAnswerMs));

process.kill(ownerPid(), 'SIGTERM');
while (isOwned()) await wait(100);
await site?.close();
rmSync(directory, { recursive: true, force: true });
const measurements = { helpMs: help, coldMs: cold, warmMs: warm, firstHitMs: firstHit, wholeSiteMs: wholeSite };
writeResult('start-times', {
  program: process.env['TEST_PROGRAM'] ?? 'src/main.ts',
  rounds,
  pages: library?.versions[0]?.pages,
  measurements,
  bars: TARGETS,
  holds: Object.entries(TARGETS).every(([name, bar]) => measurements[name as keyof typeof measurements] <= bar),
});
if (added === '') process.exitCode = 1;
