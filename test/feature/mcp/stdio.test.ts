// MCP over stdin and stdout, as an assistant uses it.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../support/program.ts';
import { addFiles, addToken, startTestServer } from '../../support/test-server.ts';
import { createSiteServer } from '../../support/generated-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startStdio, type RpcMessage } from '../../support/stdio-client.ts';
import { leftBehind, connectAndDisconnect } from '../../support/disconnecting-clients.ts';

const SETTINGS = {
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_CRAWL_START_DELAY_MS: '0',
  PINAKES_OWNER_IDLE_MS: '1000',
} as const;

const search = { name: 'search_docs', arguments: { query: 'almanac' } };

/** Every line of stdout is one JSON-RPC message, with nothing in between. */
function messagesIn(stdout: string): RpcMessage[] {
  expect(stdout.endsWith('\n')).toBe(true);
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RpcMessage);
  for (const message of messages) expect(message.jsonrpc).toBe('2.0');
  return messages;
}

test('[M2] stdout carries only JSON-RPC, under load and with every kind of error', { timeout: 120_000 }, async () => {
  const directory = temporaryDirectory();
  const client = startStdio({ ...SETTINGS, PINAKES_DATA_DIR: directory, PINAKES_LOG_LEVEL: 'debug' });
  expect((await client.begin()).result).toMatchObject({ serverInfo: { name: 'pinakes' } });
  expect((await client.request('no/such/method')).error?.code).toBe(-32601);
  expect((await client.request('tools/call', { name: 'no_tool', arguments: {} })).error?.code).toBe(-32602);
  expect(
    (await client.request('tools/call', { ...search, arguments: { query: '', limit: 'x' } })).result,
  ).toMatchObject({
    isError: true,
  });
  for (const line of [
    'not json',
    '{}',
    '[]',
    'null',
    '{"jsonrpc":"2.0"}',
    '\u0000',
    '{"jsonrpc":"2.0","id":9e9,"method":5}',
  ])
    client.send(line);
  const answers = await Promise.all(Array.from({ length: 100 }, () => client.request('tools/call', search)));
  for (const { result } of answers) expect(result).toMatchObject({ structuredContent: { passages: [] } });
  expect(await client.close()).toBe(0);
  expect(messagesIn(client.stdout()).length).toBeGreaterThanOrEqual(104);
  expect(await leftBehind(directory)).toEqual({ processes: 0, locks: 0 });
  rmSync(directory, { recursive: true });
});

test(
  'a question that names no source prefers those that the assistant used, and says so',
  { timeout: 120_000 },
  async () => {
    const directory = temporaryDirectory();
    const settings = { ...SETTINGS, PINAKES_DATA_DIR: directory };
    for (const name of ['guide', 'manual']) {
      const docs = temporaryDirectory();
      writeFileSync(
        join(docs, 'pool.md'),
        `# Pool of the ${name}\n\nThe connection pool of the ${name} keeps connections.\n`,
      );
      expect(await run(settings, ['add', docs, '--name', name, '--wait'])).toMatchObject({ code: 0 });
      rmSync(docs, { recursive: true });
    }
    const client = startStdio(settings);
    await client.begin();
    const request = async (
      input: object,
    ): Promise<{ first: string | undefined; preferred: readonly string[]; text: string }> => {
      const { result } = await client.request('tools/call', {
        name: 'search_docs',
        arguments: { query: 'connection pool', ...input },
      });
      const { structuredContent, content } = result as {
        structuredContent: { passages: { source: string }[]; preferred: string[] };
        content: { text: string }[];
      };
      const { passages, preferred } = structuredContent;
      return { first: passages[0]?.source, preferred, text: content[0]?.text ?? '' };
    };
    const before = await request({});
    expect(before).toMatchObject({
      preferred: [],
      text: expect.stringContaining(' of 2 sources. To search one, pass source.'),
    });
    const other = before.first === 'guide' ? 'manual' : 'guide';
    expect(await request({ source: other })).toMatchObject({ first: other, preferred: [] });
    expect(await request({})).toMatchObject({
      first: other,
      preferred: [other],
      text: expect.stringContaining(`Ranked higher, because you used them: ${other}.`),
    });
    expect(await client.close()).toBe(0);
    rmSync(directory, { recursive: true });
  },
);

test('[M2] clients that disconnect leave no process and no lock', { timeout: 180_000 }, async () => {
  const directory = temporaryDirectory();
  await connectAndDisconnect({ ...SETTINGS, PINAKES_DATA_DIR: directory }, 8);
  expect(await leftBehind(directory)).toEqual({ processes: 0, locks: 0 });
  rmSync(directory, { recursive: true });
});

test('eight clients search concurrently during a crawl without an error', { timeout: 180_000 }, async () => {
  const directory = temporaryDirectory();
  const settings = { ...SETTINGS, PINAKES_DATA_DIR: directory };
  const site = await createSiteServer({ size: 60, answerMs: 10 });
  expect(await run(settings, ['add', site.start, '--name', 'almanac'])).toMatchObject({ code: 0 });
  const clients = Array.from({ length: 8 }, () => startStdio(settings));
  await Promise.all(
    clients.map(async (client) => {
      await client.begin();
      for (const tool of [
        search,
        { name: 'crawl_status', arguments: {} },
        search,
        { name: 'list_sources', arguments: {} },
      ]) {
        const { result, error } = await client.request('tools/call', tool);
        expect(error).toBeUndefined();
        expect(result?.['isError'], `${JSON.stringify(result)} ${client.stderr()}`).toBeUndefined();
      }
      expect(await client.close()).toBe(0);
      messagesIn(client.stdout());
    }),
  );
  await run(settings, ['stop', 'almanac']);
  await site.close();
  expect(await leftBehind(directory)).toEqual({ processes: 0, locks: 0 });
  rmSync(directory, { recursive: true });
});

test('a client on stdin uses a remote server', async () => {
  let token = '';
  const server = await startTestServer({ PINAKES_SERVE_HOST: '0.0.0.0' }, async (library) => {
    await addFiles(library, 'guide', { 'a.md': '# Almanac\n\nDays and months.\n' });
    token = await addToken(library, 'remote', 'read');
  });
  const directory = temporaryDirectory();
  const client = startStdio({ PINAKES_DATA_DIR: directory, PINAKES_TOKEN: token }, '--server', server.url);
  await client.begin();
  const { result } = await client.request('tools/call', search);
  expect(result).toMatchObject({ structuredContent: { passages: [{ source: 'guide' }] } });
  const read = await client.request('resources/read', { uri: 'pinakes://page/guide/file:///a.md' });
  expect(JSON.stringify(read.result)).toContain('Days and months');
  expect(await client.close()).toBe(0);
  expect(await leftBehind(directory)).toEqual({ processes: 0, locks: 0 });
  await server.stop();
});
