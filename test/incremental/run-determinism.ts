// Two crawls of real sites from empty stores, and a third into PostgreSQL: npm run test:twice -- STATE site …, where STATE is
// served by serve-corpora.sh. Pages, documents, chunks, ids and aliases must agree to the byte. Leaves bench/results/determinism.json.

import { hash } from 'node:crypto';
import { writeResult } from '../long/write-result.ts';
import { openTestPostgres, openTestSqlite } from '../support/stores.ts';
import { openCorpora, type CorpusSite } from './corpora.ts';
import { addSite, crawl } from './crawl.ts';
import { heldPages, type HeldPage } from './stored-pages.ts';

const CRAWLS = [
  { name: 'SQLite, one thread', open: openTestSqlite, threads: 1 },
  { name: 'SQLite, two threads', open: openTestSqlite, threads: 2 },
  { name: 'PostgreSQL, two threads', open: openTestPostgres, threads: 2 },
] as const;

const [state, ...names] = process.argv.slice(2);
if (state === undefined || names.length === 0) throw new Error('npm run test:twice -- STATE site …');
const corpora = openCorpora(state);
const figures: Record<string, unknown> = {};
for (const name of names) {
  figures[name] = await measure(corpora.site(name));
  console.log(name, JSON.stringify(figures[name]));
  writeResult('twice', { crawls: CRAWLS.map((one) => one.name), sites: figures });
}

async function measure({ name, origin }: CorpusSite): Promise<object> {
  const held: Array<readonly HeldPage[]> = [];
  for (const { open, threads } of CRAWLS) {
    const { store, close } = await open();
    const source = await addSite(store, name, `${origin}/`);
    await crawl(store, source, { threads });
    held.push(await heldPages(store, source));
    await close();
  }
  const digests = held.map((pages) => hash('sha256', JSON.stringify(pages)));
  const [first = []] = held;
  return {
    pages: first.length,
    chunks: first.reduce((total, { chunks }) => total + chunks.length, 0),
    sha256: digests[0],
    identical: new Set(digests).size === 1,
    different: first.flatMap((page, i) =>
      held.every((pages) => JSON.stringify(pages[i]) === JSON.stringify(page)) ? [] : [page.url],
    ),
  };
}
