// What an agent reads: Markdown that costs less than the same data as JSON.

import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { displayUrl } from '../../../src/core/files/file-url.ts';
import { callTool } from '../../support/mcp-client.ts';
import { countTokens } from '../../support/count-tokens.ts';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';

const DOCS = new URL('../../../docs/', import.meta.url);
const QUESTIONS = [
  'how do I connect an assistant',
  'crawl a private site with a login',
  'which settings limit a crawl',
  'backup and restore',
  'run several workers with PostgreSQL',
  'install without a network',
];

let server: TestServer;
beforeAll(async () => {
  const files = globSync('guides/*.md', { cwd: DOCS });
  const texts = files.map((file) => [file, readFileSync(new URL(file, DOCS), 'utf8')] as const);
  server = await startTestServer({}, (library) => addFiles(library, 'guide', Object.fromEntries(texts)));
}, 180_000);
afterAll(() => server.stop());

test('a search result is Markdown that takes at most .8 of the tokens of its JSON (finding T1.9)', async () => {
  let markdown = 0;
  let json = 0;
  for (const query of QUESTIONS) {
    const { content, structuredContent } = await callTool(server.url, 'search_docs', { query, budget: 1000 });
    const text = content[0]?.text ?? '';
    const { passages } = structuredContent as { passages: { text: string; url: string; chunkId: string }[] };
    expect(passages.length, query).toBeGreaterThan(0);
    for (const passage of passages) {
      expect(text).toContain(passage.text.replace(/^#.*\n/, '').trim());
      const [page = '', anchor] = displayUrl(passage.url).split('#');
      expect(text).toContain(`<${page}`);
      expect(text).toContain(anchor === undefined ? `id ${passage.chunkId.slice(0, 12)}` : `#${anchor}`);
    }
    markdown += countTokens(text);
    json += countTokens(JSON.stringify(structuredContent));
  }
  expect(markdown / json).toBeLessThanOrEqual(0.8);
}, 120_000);

test('errors name the tool to call and the nearest source, not a command (finding T1.10)', async () => {
  const errorOf = async (name: string, args: object): Promise<string> => {
    const { isError, content } = await callTool(server.url, name, args);
    expect(isError).toBe(true);
    return content[0]?.text ?? '';
  };
  expect(await errorOf('search_docs', { query: 'pool', source: 'gide' })).toBe(
    'There is no source gide (did you mean guide?). Call list_sources to see all sources.',
  );
  const errors = [
    await errorOf('read_docs', { target: 'https://example.dev/nowhere' }),
    await errorOf('read_docs', { target: 'guides/ci.md', section: 'nowhere' }),
    await errorOf('search_docs', { query: 'pool', version: '9' }),
    await errorOf('crawl_status', { run: 'gide' }),
    await errorOf('outline', { source: 'gide' }),
  ];
  for (const text of errors) {
    expect(text).toMatch(/\. Call (?:list_sources|search_docs|read_docs|crawl_status) /);
    expect(text).not.toContain('pinakes');
  }
  expect(errors[3]).toContain('did you mean guide?');
  expect(await errorOf('search_docs', { query: 'pool', limit: 99 })).toContain('limit: must be at most 50');
});

test('numbers are accepted as texts (finding T1.10)', async () => {
  const found = await callTool(server.url, 'search_docs', { query: 'assistant', limit: '1' });
  expect(found.structuredContent?.['passages']).toHaveLength(1);
});

test('an empty library says so, and how to add a source (finding T1.10)', async () => {
  const empty = await startTestServer();
  const { content } = await callTool(empty.url, 'search_docs', { query: 'pool' });
  expect(content[0]?.text).toMatch(/^The library is empty: .*add_source.*pinakes add URL/);
  await empty.stop();
});
