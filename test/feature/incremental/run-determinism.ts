// Two crawls of real sites from empty stores, and a third into PostgreSQL: npm run test:determinism -- STATE site …,
// where STATE is served by serve-corpora.sh. Pages, documents, chunks, ids and aliases must agree to the byte. Writes
// bench/results/determinism.json.

import { hash } from 'node:crypto';
import { writeResult } from '../../support/write-result.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { openCorpora, type CorpusSite } from '../../support/corpora.ts';
import { addSite, crawl } from '../../support/measured-crawl.ts';
import { storedPages, type StoredPage } from './stored-pages.ts';

const CRAWLS = [
  { name: 'SQLite, one thread', open: openTestSqlite, threads: 1 },
  { name: 'SQLite, two threads', open: openTestSqlite, threads: 2 },
  { name: 'PostgreSQL, two threads', open: openTestPostgres, threads: 2 },
] as const;

const [state, ...names] = process.argv.slice(2);
if (state === undefined || names.length === 0) throw new Error('npm run test:determinism -- STATE site …');
const corpora = openCorpora(state);
const results: Record<string, unknown> = {};
for (const name of names) {
  results[name] = await measure(corpora.site(name));
  console.log(name, JSON.stringify(results[name]));
  writeResult('determinism', { crawls: CRAWLS.map((one) => one.name), sites: results });
}

async function measure({ name, origin }: CorpusSite): Promise<object> {
  const stored: Array<readonly StoredPage[]> = [];
  for (const { open, threads } of CRAWLS) {
    const { store, close } = await open();
    const source = await addSite(store, name, `${origin}/`);
    await crawl(store, source, { threads });
    stored.push(await storedPages(store, source));
    await close();
  }
  const digests = stored.map((pages) => hash('sha256', JSON.stringify(pages)));
  const [first = []] = stored;
  return {
    pages: first.length,
    chunks: first.reduce((total, { chunks }) => total + chunks.length, 0),
    sha256: digests[0],
    identical: new Set(digests).size === 1,
    different: first.flatMap((page, i) =>
      stored.every((pages) => JSON.stringify(pages[i]) === JSON.stringify(page)) ? [] : [page.url],
    ),
  };
}
