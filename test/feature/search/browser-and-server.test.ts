// The same folder, indexed in browser mode and by a server, answers the same questions with the same passages.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Passage } from '../../../src/core/answer/answer-passages.ts';
import { createBrowserLibrary, type BrowserLibrary } from '../../../web/browser-mode/browser-library.ts';
import { createLibrary, ENGINES, type Library } from '../../support/library.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startWebServer, type WebServer } from '../../support/dashboard-server.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const home = temporaryDirectory();
const folder = join(home, 'handbook');
const LIMITS = { limit: 8, budget: 2000 };
/** As the page contains it. */
const words = deflateRawSync(readFileSync(join(PROJECT, 'src/core/vector/word-vectors.bin'))).toString('base64');
let browser: BrowserLibrary;

beforeAll(async () => {
  for (const name of ['decisions', 'guides', 'reference'])
    cpSync(join(PROJECT, 'docs', name), join(folder, name), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'docs')).filter((file) => file.endsWith('.md')))
    cpSync(join(PROJECT, 'docs', name), join(folder, name));
  writeFileSync(
    join(folder, 'retry.html'),
    '<title>Retry</title><main><h1>Retry</h1><p>Settings that say when to fetch a page again, and how often, before it is given up.</p></main>',
  );
  // A page that links to everything ranks lower than the pages that it names.
  const titles = ['Fencing token', 'Lease', 'Request slot', 'Rate limit', 'Sitemap', 'Bundle', 'Chunk', 'Segment'];
  const links = titles.map((title) => `- [${title}](${title.toLowerCase().replaceAll(' ', '-')}.md)`);
  writeFileSync(join(folder, 'genindex.md'), `# Index\n\n${links.join('\n')}\n`);
  // Markdown needs no grammar, and nothing is saved where there is no IndexedDB.
  browser = createBrowserLibrary({ grammars: {}, words, readers: [], yieldToPage: async () => undefined });
  const { pages } = await browser.ingest({ name: 'handbook', files: filesOf(folder) }, () => undefined);
  expect(pages.length).toBeGreaterThan(60);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function filesOf(directory: string): Array<{ path: string; file: Blob }> {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(directory, path), file: new Blob([readFileSync(path)]) }));
}

/** All but the time of indexing, which differs. */
function comparable({
  source,
  version,
  declaredVersion,
  url,
  title,
  headings,
  lines,
  chunkId,
  text,
  isPartial,
}: Passage): Omit<Passage, 'checkedAt'> {
  return { source, version, declaredVersion, url, title, headings, lines, chunkId, text, isPartial };
}

describe.each(ENGINES)('browser mode and a server on %s', (engine) => {
  let library: Library;
  let server: WebServer;

  beforeAll(async () => {
    library = await createLibrary(engine);
    const added = await library.run('add', folder, '--name', 'handbook', '--wait');
    expect(added.code, added.stderr).toBe(0);
    server = await startWebServer(temporaryDirectory(), library.settings);
    while ((await library.read(({ segments }) => segments.queueLength())) > 0) await wait(100);
  });
  afterAll(async () => {
    await server?.stop();
    await library?.remove();
  });

  test.each([
    { path: 'decisions/' },
    { path: '/guides' },
    { fileKind: 'markdown' },
    { fileKind: 'json' },
    { fileKind: 'html' },
    { heading: 'Consequences' },
    { path: 'reference/', heading: 'Errors' },
    { symbol: 'nothing' },
  ] as const)('[L2] filter alike: %j', async (filter) => {
    let found = 0;
    for (const query of ['database and tokens', 'fetch a page', 'settings']) {
      const parameters = new URLSearchParams({ query, limit: '8', budget: '2000', ...filter });
      const answer = await server.request<{ passages?: readonly Passage[] }>(`/search?${parameters}`);
      const hits = await browser.search(query, LIMITS, filter);
      expect(hits.map(comparable)).toEqual((answer.passages ?? []).map(comparable));
      found += hits.length;
    }
    expect(found > 0).toBe(!('symbol' in filter || ('fileKind' in filter && filter.fileKind === 'json')));
  });

  test.each(questions())('answer alike: %s', async (query) => {
    const parameters = new URLSearchParams({ query, limit: String(LIMITS.limit), budget: String(LIMITS.budget) });
    const answer = await server.request<{ passages: readonly Passage[] }>(`/search?${parameters}`);
    const hits = await browser.search(query, LIMITS);
    expect(hits.map(comparable)).toEqual(answer.passages.map(comparable));
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.filter(({ path }) => path === '')).toEqual([]);
  });
});

function questions(): string[] {
  return `
how do I install pinakes
start with docker compose
what is a fencing token
why two databases, SQLite and PostgreSQL
how is a page deleted that is gone from the site
politeness and crawl delay
robots.txt rules
what happens after kill -9
PINAKES_FETCH_ALLOW_CIDRS
--confirm-removals
maxBodyBytes
which environment variable sets the data directory
connect an assistant over MCP
access tokens and roles
run it behind a reverse proxy
how are chunks cut
chunk id
what is in a bundle
index.json
manifest.min.json
export a source without images
import vectors from a bundle
embedding model in an air-gapped network
pull a model
hybrid search
how are lexical and vector scores fused
ranking signals
stop words in a query
spelling correction
tokenizer and identifiers
inverted index in plain tables
segments and compaction
how much memory does a crawl need
worker threads and backpressure
load shedding
rate limit of a host across workers
lease expires
schedule a recrawl every day
only changed pages
duplicate pages and canonical URL
version labels and ranges
sitemaps and llms.txt
Markdown variants of HTML pages
OpenAPI documents
Jupyter notebooks
PDF files
private documentation behind a login
cookies and headers for a source
SSRF protection
prompt injection
content security policy of the browser mode
backup and restore
upgrade from an earlier version
health check and metrics
error fetch.throttled
HTTP status 429
exit code of the command line
conection pol sise
why not a full-text extension of the database
which files of a folder are excluded
`
    .trim()
    .split('\n');
}
