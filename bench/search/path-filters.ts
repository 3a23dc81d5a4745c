// node --expose-gc bench/search/path-filters.ts [--sources 1000] [--questions 200] [--write NAME]: questions with a path that was never
// asked for, alternating with unfiltered ones and those of one source, over five segments in each source. CPU time, since a search reads
// from memory; the heap is measured after a collection.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch, type SearchRequest } from '../../src/search/search.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { settlePages } from '../../test/support/qdrant-library.ts';
import { createRandom } from '../../test/support/random.ts';
import { TEST_SETTINGS } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const SEGMENTS = 5;
const PAGES_PER_SEGMENT = 2;
const WORDS = 120;

const { values } = parseArgs({
  options: {
    sources: { type: 'string', default: '1000' },
    questions: { type: 'string', default: '200' },
    write: { type: 'string' },
  },
});
const sources = Number(values.sources);
const questions = Number(values.questions);
const collect = globalThis.gc;
if (collect === undefined) throw new Error('start it with --expose-gc');

const random = createRandom(13);
const textOf = (): string => Array.from({ length: WORDS }, () => `w${Math.floor(4000 ** random())}`).join(' ');

const directory = temporaryDirectory();
const file = join(directory, 'pinakes.db');
migrateSqlite(file);
const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
const store = createSqlStore(engine, sqliteParts(engine), TEST_SETTINGS);
const names: string[] = [];
for (let nth = 0; nth < sources; nth += 1) {
  const pages = Array.from({ length: SEGMENTS * PAGES_PER_SEGMENT }, (_, page) => {
    return { url: `https://x.dev/${nth}/${page}`, texts: [textOf()] };
  });
  names.push((await settlePages(store, pages)).name);
  while ((await store.segments.index(PAGES_PER_SEGMENT)) > 0);
}
const [counted] = await engine.reader.all<{ n: number }>('select count(*) as n from search_segments');

const search = createSearch(store, createSegmentIndex(store.segments));
const KINDS = {
  unfiltered: () => ({}),
  ofOneSource: (nth: number) => ({ source: names[(nth * 37) % sources]! }),
  newPath: (nth: number) => ({ path: `https://x.dev/${(nth * 61) % sources}${nth % 2 === 0 ? '/' : ''}` }),
} satisfies Record<string, (nth: number) => Partial<SearchRequest>>;
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

async function cpuMs(kind: Kind, nth: number): Promise<number> {
  const query = `w${20 + (nth % 50)} w${100 + (nth % 70)}`;
  const before = process.cpuUsage();
  await search({ query, ...KINDS[kind](nth), limit: 8, budget: 2000, offset: 0, explain: false });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const heapMb = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 1e6);
};
const WARM_UP = 70;
for (let nth = 0; nth < WARM_UP; nth += 1) for (const kind of kinds) await cpuMs(kind, questions + nth);

const costs: Record<Kind, number[]> = { unfiltered: [], ofOneSource: [], newPath: [] };
const heaps = [heapMb()];
for (let nth = 0; nth < questions; nth += 1) {
  for (const kind of kinds) costs[kind].push(await cpuMs(kind, nth));
  if (nth % 20 === 19) heaps.push(heapMb());
}
await store.close();
rmSync(directory, { recursive: true });

const at = (share: number, of: readonly number[]): number =>
  Math.round(100 * of.toSorted((a, b) => a - b)[Math.floor(of.length * share)]!) / 100;
const spread = (kind: Kind) => ({ median: at(0.5, costs[kind]), p95: at(0.95, costs[kind]) });
const result = {
  sources,
  segments: counted?.n ?? 0,
  questions,
  cpuMs: { unfiltered: spread('unfiltered'), ofOneSource: spread('ofOneSource'), newPath: spread('newPath') },
  p95Ratio: Math.round((100 * at(0.95, costs.newPath)) / at(0.95, costs.unfiltered)) / 100,
  heapMb: { first: heaps[0], highest: Math.max(...heaps), lowest: Math.min(...heaps) },
};
if (values.write === undefined) console.log(JSON.stringify(result, null, 2));
else writeResult(values.write, result);
