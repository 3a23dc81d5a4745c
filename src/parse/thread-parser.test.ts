import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { pageUrl } from '../core/model/page-url.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import type { Parser } from './port.ts';
import { createThreadParser, type ThreadParserOptions } from './thread-parser.ts';
import { LINUX } from '../../test/support/needs.ts';

const parsers: Parser[] = [];
function aParser(options: Partial<ThreadParserOptions> = {}): Parser {
  const parser = createThreadParser({ threads: 1, ...options });
  parsers.push(parser);
  return parser;
}
afterEach(async () => {
  await Promise.all(parsers.splice(0).map((parser) => parser.close()));
});

/** Bytes that own their memory, as a fetched body does. */
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
const aPage = (text: string, name = 'page'): RawPage => ({
  url: pageUrl(`https://docs.test/${name}`),
  mediaType: 'text/markdown',
  body: bytes(text),
});
/** Takes a second or so, and some hundred megabytes. */
const heavy = () => aPage('- [a](/b) `c` <d> *e*\n'.repeat(300_000), 'heavy');

test('a page is returned as a document, its chunks, a verdict and a page kind', async () => {
  const parsed = await aParser().parse(aPage('# Title\n\nSome words that say something.\n'));
  expect(parsed).toMatchObject({
    document: { title: 'Title', format: 'markdown' },
    verdict: { kind: 'content' },
    extractor: { name: 'markdown' },
    chunker: 'markdown@3',
  });
  expect(parsed.chunks.map(({ headings }) => headings)).toEqual([['Title']]);
  expect(parsed.chunks.map(({ wordVector }) => wordVector?.length)).toEqual([256]);
});

test('a page whose verdict is not content has no chunks', async () => {
  const parsed = await aParser().parse(aPage('# Page not found\n\nSorry.\n'));
  expect(parsed.verdict).toMatchObject({ reason: 'soft-404' });
  expect(parsed.chunks).toEqual([]);
});

test('code is chunked by its grammar', async () => {
  const code = 'export function first() {}\n\nexport function second() {}\n';
  const page = { url: pageUrl('file:///a/b.ts'), mediaType: null, body: bytes(code) };
  const { chunks } = await aParser({ chunkLimits: { targetChars: 30, capChars: 60, maxChunks: 10 } }).parse(page);
  expect(chunks.map(({ symbol }) => symbol)).toEqual(['first', 'second']);
});

test('a local file is chunked for bundles, a web page for search', async () => {
  const text = `# Title\n\n${'Words that stand here. '.repeat(40)}\n\n${'More of them follow now. '.repeat(40)}`;
  const small = { targetChars: 1000, capChars: 2000, maxChunks: 10 };
  const parser = aParser({ chunkLimits: small, localChunkLimits: { ...small, targetChars: 4000, capChars: 8000 } });
  const parsed = (url: string) => parser.parse({ url: pageUrl(url), mediaType: 'text/markdown', body: bytes(text) });
  expect((await parsed('https://x.dev/a')).chunks).toHaveLength(2);
  expect((await parsed('file:///a.md')).chunks).toHaveLength(1);
});

test('the body is transferred to the thread and back', async () => {
  const page = aPage('# Title\n');
  const pending = aParser().parse(page);
  expect(page.body.byteLength).toBe(0);
  expect(Buffer.from((await pending).body).toString()).toBe('# Title\n');
});

test('a body that shares its memory is copied and stays', async () => {
  const shared = Buffer.from('xx# Title\nxx').subarray(2, 10);
  const parsed = await aParser().parse({ ...aPage(''), body: shared });
  expect(parsed.document.title).toBe('Title');
  expect(shared.toString()).toBe('# Title\n');
});

test('a page that takes too long fails alone, and the next one is parsed', async () => {
  const parser = aParser({ timeoutMs: 200 });
  await parser.parse(aPage('# Warm\n')).catch(() => undefined);
  await expect(parser.parse(heavy())).rejects.toMatchObject({
    code: 'parse.timeout',
    details: { url: 'https://docs.test/heavy', ms: 200 },
  });
  const [after] = await retried(() => parser.parse(aPage('# After\n')));
  expect(after.document.title).toBe('After');
});

test('a page that needs too much memory fails alone, and the next one is parsed', async () => {
  const parser = aParser({ maxHeapMb: 24 });
  await expect(parser.parse(heavy())).rejects.toMatchObject({ code: 'parse.memory' });
  expect((await parser.parse(aPage('# After\n'))).document.title).toBe('After');
});

test('a page over the size limit is rejected before it is transferred', async () => {
  const page = aPage('0123456789');
  await expect(aParser({ maxBodyBytes: 9 }).parse(page)).rejects.toMatchObject({ code: 'fetch.too-large' });
  expect(page.body.byteLength).toBe(10);
});

test('an extractor error arrives with its code', async () => {
  const parser = aParser();
  const program = { ...aPage('\x7fELF'), mediaType: 'application/x-elf' };
  await expect(parser.parse(program)).rejects.toMatchObject({ code: 'extract.unsupported', name: 'PinakesError' });
});

test('many pages on several threads give what each gives alone', async () => {
  const texts = Array.from({ length: 60 }, (_, index) => `# Page ${index}\n\n${'word '.repeat(index * 20)}\n`);
  const parser = aParser({ threads: 2 });
  const together = await Promise.all(texts.map((text) => parser.parse(aPage(text))));
  const alone = aParser();
  for (const [index, text] of texts.entries()) expect(together[index]).toEqual(await alone.parse(aPage(text)));
});

test('more waiting pages than allowed are rejected, the others are parsed', async () => {
  const parser = aParser({ maxWaiting: 3 });
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => parser.parse(aPage(`# ${index}\n`))),
  );
  const codes = results.map((result) =>
    result.status === 'fulfilled' ? 'read' : (result.reason as { code: string }).code,
  );
  expect(codes).toEqual([...Array(4).fill('read'), ...Array(6).fill('parse.busy')]);
});

test('an aborted page is dropped immediately, running or waiting', async () => {
  const parser = aParser();
  await parser.parse(aPage('# Warm\n'));
  const running = new AbortController();
  const waiting = new AbortController();
  const first = parser.parse(heavy(), running.signal);
  const second = parser.parse(aPage('# Second\n'), waiting.signal);
  const third = parser.parse(aPage('# Third\n'));
  waiting.abort(new Error('not wanted'));
  running.abort(new Error('stop'));
  await expect(first).rejects.toThrow('stop');
  await expect(second).rejects.toThrow('not wanted');
  expect((await third).document.title).toBe('Third');
  await expect(parser.parse(aPage('x'), AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
});

test('an idle thread is terminated, and the next page is still parsed', LINUX, async () => {
  const tasks = () => readdirSync('/proc/self/task').length;
  const parser = aParser({ idleMs: 200 });
  await parser.parse(aPage('# One\n\nSome words that say something.\n'));
  const withThread = tasks();
  await vi.waitFor(() => expect(tasks()).toBeLessThan(withThread), { timeout: 20_000 });
  const { document } = await parser.parse(aPage('# Two\n\nSome words that say something.\n'));
  expect(document.title).toBe('Two');
});

test('closing rejects jobs in flight and later ones', async () => {
  const parser = aParser();
  const pending = [parser.parse(heavy()), parser.parse(aPage('# Waiting\n'))].map((promise) =>
    promise.catch((error: unknown) => error),
  );
  await parser.close();
  for (const outcome of await Promise.all(pending)) expect(outcome).toMatchObject({ code: 'internal' });
  await expect(parser.parse(aPage('x'))).rejects.toMatchObject({ code: 'internal' });
});

/** On a busy machine even a small page may exceed a timeout of 200 ms once. */
async function retried<T>(work: () => Promise<T>): Promise<readonly [T]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return [await work()];
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
