// A bundle as a response: the same bytes as on the command line, for the admin role.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/client/connect.ts';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [`guide/${n}.md`, `# Guide ${n}\n\nThe pool keeps ${n} connections open.\n`]),
);

let server: TestServer;
let exported: Buffer;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer({ PINAKES_SERVE_HOST: '0.0.0.0' }, async (library) => {
    await addFiles(library, 'guide', FILES);
    const out = join(temporaryDirectory(), 'guide.zip');
    await library.call('export_source', { source: 'guide', out });
    exported = readFileSync(out);
    for (const role of ['read', 'admin']) {
      const made = (await library.call('create_token', { name: role, role })) as { token: string };
      tokens[role] = made.token;
    }
  });
}, 60_000);

afterAll(() => server?.stop());

function fetchBundle(source: string, role: string): Promise<Response> {
  return fetch(`${server.url}/api/sources/${source}/export`, {
    headers: { authorization: `Bearer ${tokens[role]}` },
  });
}

test('an admin token gets the same bundle as the command line, byte for byte', async () => {
  const answer = await fetchBundle('guide', 'admin');
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="guide.zip"');
  expect(Buffer.from(await answer.arrayBuffer()).equals(exported)).toBe(true);
});

test.each([
  ['pages', 'application/zip', 'guide.zip'],
  ['jsonl', 'application/x-ndjson', 'guide.jsonl'],
  ['llms-full', 'text/plain; charset=utf-8', 'guide.llms-full.txt'],
] as const)('[E6] %s have their own type, and the client reads them', async (format, type, name) => {
  const headers = { authorization: `Bearer ${tokens['admin']}` };
  const answer = await fetch(`${server.url}/api/sources/guide/export?format=${format}`, { headers });
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  const library = connect({ server: server.url, token: tokens['admin'] });
  const read = Buffer.concat(await Array.fromAsync(library.export({ source: 'guide', format })));
  expect(read.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  expect(read.byteLength).toBeGreaterThan(300 * 20);
});

test('a read-only token is refused', async () => {
  const answer = await fetchBundle('guide', 'read');
  expect(answer.status).toBe(403);
});

test('an unknown source is an ordinary error', async () => {
  const answer = await fetchBundle('none', 'admin');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { code: 'source.unknown' } });
});

test('a client that disconnects midway leaves the server working', async () => {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${tokens['admin']}` };
  const answer = await fetch(`${server.url}/api/sources/guide/export`, { headers, signal: gone.signal });
  gone.abort();
  await answer.arrayBuffer().catch(() => undefined);
  expect((await fetchBundle('guide', 'admin')).status).toBe(200);
});
