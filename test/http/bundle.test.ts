// A bundle as the answer of a request: the bytes of the command line, for those who may do everything.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFiles, serve, type Serving } from '../support/test-server.ts';
import { temporaryDirectory } from '../support/stores.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [`guide/${n}.md`, `# Guide ${n}\n\nThe pool keeps ${n} connections open.\n`]),
);

let server: Serving;
let exported: Buffer;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await serve({ PINAKES_SERVE_HOST: '0.0.0.0' }, async (library) => {
    await addFiles(library, 'guide', FILES);
    const out = join(temporaryDirectory(), 'guide.zip');
    await library.call('export_source', { source: 'guide', out });
    exported = readFileSync(out);
    for (const scope of ['read', 'admin']) {
      const made = (await library.call('create_token', { name: scope, scope })) as { token: string };
      tokens[scope] = made.token;
    }
  });
}, 60_000);

afterAll(() => server?.stop());

function ask(source: string, scope: string): Promise<Response> {
  return fetch(`${server.url}/api/sources/${source}/bundle`, {
    headers: { authorization: `Bearer ${tokens[scope]}` },
  });
}

test('whoever may do everything gets the bundle of the command line to the byte', async () => {
  const answer = await ask('guide', 'admin');
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="guide.zip"');
  expect(Buffer.from(await answer.arrayBuffer()).equals(exported)).toBe(true);
});

test('a token that may read only is refused', async () => {
  const answer = await ask('guide', 'read');
  expect(answer.status).toBe(403);
});

test('a source that is not there is an ordinary refusal', async () => {
  const answer = await ask('none', 'admin');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { code: 'source.unknown' } });
});

test('whoever goes away in the middle leaves a server that answers', async () => {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${tokens['admin']}` };
  const answer = await fetch(`${server.url}/api/sources/guide/bundle`, { headers, signal: gone.signal });
  gone.abort();
  await answer.arrayBuffer().catch(() => undefined);
  expect((await ask('guide', 'admin')).status).toBe(200);
});
