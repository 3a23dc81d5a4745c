// The entries for frameworks with the real packages of LangChain and LlamaIndex, over a library in this process. The AI SDK is not
// installed here: test/long/integrations.test.ts runs the programs of all three guides.

import { Document as LangChainDocument } from '@langchain/core/documents';
import { RunnableLambda } from '@langchain/core/runnables';
import { Document as LlamaIndexDocument, MetadataMode, TextNode } from '@llamaindex/core/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLibrary, type Library } from '../../../src/index.ts';
import { createTools } from '../../../src/integrations/ai-sdk.ts';
import * as langchain from '../../../src/integrations/langchain.ts';
import * as llamaindex from '../../../src/integrations/llamaindex.ts';
import type { LoadOptions } from '../../../src/loader.ts';
import type { Fetcher } from '../../../src/ports.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const START = 'https://courier.example/docs/';
const PAGES: Readonly<Record<string, string>> = {
  [START]: `# Courier\n\nCourier delivers parcels between services. See [the pool](${START}pool).\n`,
  [`${START}pool`]:
    '# Pool\n\nThe pool keeps a connection open for thirty seconds.\n\n## Timeout\n\nSet it with timeoutMs.\n',
};

/** Has no network: names that do not exist are fetched from memory. */
const fetcher: Fetcher = {
  async fetch({ url }) {
    const text = PAGES[url];
    if (text === undefined) return { kind: 'not-found', status: 404, firstByteMs: 1 };
    const body = new TextEncoder().encode(text);
    const sent = { wireBytes: body.byteLength, firstByteMs: 1, totalMs: 1, truncated: false };
    const head = { headers: {}, status: 200, mediaType: 'text/markdown', etag: null, lastModified: null };
    return { kind: 'fetched', ...head, ...sent, body };
  },
  async close() {},
};

let library: Library;
beforeAll(async () => {
  library = await openLibrary({ dataDir: temporaryDirectory(), fetcher, settings: { crawl: { startDelayMs: 0 } } });
  await (await library.add({ url: START, name: 'courier' })).done();
  await library.work();
});
afterAll(() => library.close());

test('[K2] LangChain and LlamaIndex get documents of pages, without those that failed', async () => {
  const failed: string[] = [];
  const options: LoadOptions = { fetcher, onFailure: ({ url }) => failed.push(url) };
  const urls = [`${START}pool`, `${START}nowhere`];
  const [loaded, read] = await Promise.all([
    new langchain.PinakesLoader(urls, options).load(),
    new llamaindex.PinakesReader(options).loadData(urls),
  ]);
  expect(failed).toEqual([urls[1], urls[1]]);
  expect([loaded.length, read.length]).toEqual([1, 1]);
  const [ours] = loaded;
  const [theirs] = read;
  expect(ours).toBeInstanceOf(LangChainDocument);
  expect(theirs).toBeInstanceOf(LlamaIndexDocument);
  expect(ours?.pageContent).toBe(theirs?.text);
  expect(ours?.id).toBe(theirs?.id_);
  const crawled = { crawl_timestamp: expect.any(String) };
  expect(ours?.metadata).toEqual({ ...theirs?.metadata, ...crawled });
  expect(ours?.metadata.title).toBe('Pool');
  expect(theirs?.getContent(MetadataMode.ALL)).toContain(`source_url: ${START}pool`);
});

test('[K2] a LangChain retriever is a runnable over the library', async () => {
  const retriever = new langchain.PinakesRetriever({ library, source: 'courier', limit: 3, tags: ['docs'] });
  const urlsOf = RunnableLambda.from((found: Array<LangChainDocument>) =>
    found.map(({ metadata }) => String(metadata['source_url'])),
  );
  expect((await retriever.pipe(urlsOf).invoke('how long is a connection open'))[0]).toBe(`${START}pool`);
  const [answers] = await retriever.batch(['thirty seconds']);
  expect(answers?.[0]).toBeInstanceOf(LangChainDocument);
  expect(answers?.[0]).toMatchObject({
    pageContent: expect.stringContaining('thirty seconds'),
    metadata: { title: 'Pool', library_source: 'courier', library_version: '', rank: 1, injection_flags: '' },
  });
  const values = Object.values(answers?.[0]?.metadata ?? {}) as unknown[];
  expect(values.filter((value) => typeof value !== 'string' && typeof value !== 'number')).toEqual([]);
});

test('[K2] a LlamaIndex retriever returns nodes with scores', async () => {
  const retriever = new llamaindex.PinakesRetriever({ library, limit: 3 });
  const found = await retriever.retrieve({ query: 'how long is a connection open' });
  expect(found[0]?.node).toBeInstanceOf(TextNode);
  expect(found[0]?.node.metadata['source_url']).toBe(`${START}pool`);
  expect(found.map(({ score }) => score)).toEqual(found.map((_, at) => 1 / (at + 1)));
  expect(found[0]?.node.getContent(MetadataMode.NONE)).toContain('thirty seconds');
});

test('[K2] the tools of the AI SDK search and read, confined to a source, in Markdown (finding T12)', async () => {
  const { search_docs: search, read_docs: read } = createTools(library, { source: 'courier' });
  const input = await search.inputSchema.parseAsync({ query: 'connection', source: 'elsewhere' });
  const { passages } = await search.execute(input, {});
  expect(passages[0]?.url).toBe(`${START}pool#pool`);
  expect(search.inputSchema.safeParse({ query: 'a', explain: true }).success).toBe(false);
  const answer = await search.execute(input, {});
  const markdown = search.toModelOutput(answer);
  // Version 6 of the SDK passes an object.
  expect(search.toModelOutput({ output: answer })).toEqual(markdown);
  expect(markdown.value).toContain(`<${START}pool#pool>`);
  expect(markdown.value).not.toMatch(/[0-9a-f]{64}/);
  const page = await read.execute(await read.inputSchema.parseAsync({ target: `${START}pool` }));
  expect(page.text).toContain('timeoutMs');
  const aborted = search.execute(input, { abortSignal: AbortSignal.abort(new Error('enough')) });
  await expect(aborted).rejects.toThrow('enough');
  expect([search.description, read.description].every((text) => text.length > 40)).toBe(true);
});
