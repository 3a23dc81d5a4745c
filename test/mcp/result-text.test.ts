// What an agent reads: Markdown that costs less than the same data as JSON.

import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool } from '../http/mcp-client.ts';
import { countTokens } from '../support/count-tokens.ts';
import { addFiles, startTestServer, type TestServer } from '../support/test-server.ts';

const DOCS = new URL('../../docs/', import.meta.url);
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
}, 60_000);
afterAll(() => server.stop());

test('a search result is Markdown that takes at most .8 of the tokens of its JSON (finding T1.9)', async () => {
  let markdown = 0;
  let json = 0;
  for (const query of QUESTIONS) {
    const { content, structuredContent } = await callTool(server.url, 'search_docs', { query, budget: 1000 });
    const text = content[0]?.text ?? '';
    const { passages } = structuredContent as { passages: { text: string; url: string; chunk: string }[] };
    expect(passages.length, query).toBeGreaterThan(0);
    for (const passage of passages) {
      expect(text).toContain(passage.text.replace(/^#.*\n/, '').trim());
      expect(text).toContain(`<${passage.url}>`);
      expect(text).toContain(`id ${passage.chunk.slice(0, 12)}\n`);
    }
    markdown += countTokens(text);
    json += countTokens(JSON.stringify(structuredContent));
  }
  expect(markdown / json).toBeLessThanOrEqual(0.8);
}, 30_000);
