// What a program brings itself: its fetcher, its model, and the server that its MCP clients connect to.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { openLibrary } from '../../../src/index.ts';
import type { Embedder, Fetcher } from '../../../src/ports.ts';
import { createMcpServer } from '../../../src/serve/mcp/create-mcp-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const PAGES: Readonly<Record<string, string>> = {
  'https://courier.example/docs/':
    '# Courier\n\nCourier delivers parcels between services. See [the pool](https://courier.example/docs/pool).\n',
  'https://courier.example/docs/pool': '# Pool\n\nThe pool keeps a connection open for thirty seconds.\n',
};

/** Has no network: a name that does not exist is fetched from memory. */
function memoryFetcher(): Fetcher & { readonly fetched: string[]; readonly closed: () => number } {
  const fetched: string[] = [];
  let closed = 0;
  return {
    fetched,
    closed: () => closed,
    async fetch({ url }) {
      fetched.push(url);
      const text = PAGES[url];
      if (text === undefined) return { kind: 'not-found', status: 404, firstByteMs: 1 };
      const body = new TextEncoder().encode(text);
      const sent = { wireBytes: body.byteLength, firstByteMs: 1, totalMs: 1, truncated: false };
      const head = { headers: {}, status: 200, mediaType: 'text/markdown', etag: null, lastModified: null };
      return { kind: 'fetched', ...head, ...sent, body };
    },
    async close() {
      closed += 1;
    },
  };
}

const LETTERS: Embedder['space'] = {
  model: 'letters',
  revision: '1',
  dtype: 'fp32',
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  textFormat: 1,
  maxTokens: 512,
  dimensions: 26,
};

/** A class, since programs have those: its methods need their `this`. */
class LetterModel implements Embedder {
  readonly space = LETTERS;
  #closed = 0;
  roles: string[] = [];
  countTokens(text: string): number {
    return text.length / 4;
  }
  async embed(texts: readonly string[], role: string) {
    this.roles.push(role);
    return texts.map((text) => ({ kind: 'embedded' as const, vector: lettersOf(text) }));
  }
  health() {
    return { state: 'ready' as const, reason: null };
  }
  async close(): Promise<void> {
    this.#closed += 1;
  }
  get closed(): number {
    return this.#closed;
  }
}

function lettersOf(text: string): Float32Array {
  const vector = new Float32Array(26);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

test('[K5] a library uses the fetcher and the model of its program, and closes neither', async () => {
  const fetcher = memoryFetcher();
  const embed = new LetterModel();
  const settings = { crawl: { startDelayMs: 0 }, parse: { threads: 1 } };
  {
    await using library = await openLibrary({ dataDir: temporaryDirectory(), fetcher, embed, settings });
    const run = await library.add('https://courier.example/docs/');
    expect(await run.done()).toMatchObject({ state: 'completed', counts: { new: 2 } });
    await library.work();
    const { mode, passages } = await library.search('connection pool');
    expect([mode, passages[0]?.url]).toEqual(['hybrid', 'https://courier.example/docs/pool#pool']);

    const handler = createMcpHandler(createMcpServer(library, { writeTools: true }));
    const call = async (name: string, args: object): Promise<string> => {
      const response = await handler.fetch(
        new Request('http://127.0.0.1/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
        }),
      );
      return response.text();
    };
    expect(await call('search_docs', { query: 'pool' })).toContain('thirty seconds');
    // Whoever calls over MCP never reaches the files of the program.
    expect(await call('add_source', { url: import.meta.dirname })).toContain('isError');
    await handler.close();
  }
  expect(fetcher.fetched).toContain('https://courier.example/robots.txt');
  expect(embed.roles).toEqual(expect.arrayContaining(['passage', 'query']));
  expect([fetcher.closed(), embed.closed]).toEqual([0, 0]);
});

test('[K5] work ends when every text has its vector, also after a rest', async () => {
  const folder = temporaryDirectory();
  await using library = await openLibrary({ dataDir: temporaryDirectory(), embed: new LetterModel() });
  for (let round = 0; round < 4; round++) {
    writeFileSync(join(folder, `page-${round}.md`), `# Page ${round}\n\nThe pool closes after ${round} seconds.\n`);
    await (round === 0 ? library.add({ url: folder, name: 'docs' }) : library.recrawl('docs'));
    await library.work();
    const { spaces } = await library.call('show_stats', {});
    expect(spaces).toMatchObject([{ pending: 0, embedded: round + 1 }]);
  }
});
