// Two replicas of a server on one database, behind a balancer that sends each request wherever it likes.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Settings } from '../../support/program.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { addToken, prepareLibrary } from '../../support/test-server.ts';
import { bearer, serve } from './attacked-server.ts';

let replicas: Awaited<ReturnType<typeof serve>>[] = [];
let database: Awaited<ReturnType<typeof createDatabase>>;
let token = '';

beforeAll(async () => {
  database = await createDatabase();
  const settingsOf = (): Settings => ({
    PINAKES_DATABASE_URL: database.url,
    PINAKES_DATABASE_POOL_SIZE: '4',
    PINAKES_DATA_DIR: temporaryDirectory(),
    PINAKES_SERVE_PORT: '0',
  });
  const first = settingsOf();
  await prepareLibrary(first, async (library) => {
    token = await addToken(library, 'reader', 'read');
  });
  replicas = await Promise.all([serve(first), serve(settingsOf())]);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await database.drop();
});

async function openStream(url: string, ticket: string): Promise<number> {
  const stop = new AbortController();
  const { status } = await fetch(`${url}/events?ticket=${ticket}`, { signal: stop.signal });
  stop.abort();
  return status;
}

test('a stream ticket works once at any replica, and cannot be forged (finding N21)', async () => {
  const [a, b] = replicas.map(({ url }) => url) as [string, string];
  const issued = await fetch(`${a}/events/ticket`, { method: 'POST', headers: bearer(token) });
  const { ticket } = (await issued.json()) as { ticket: string };
  expect(await openStream(b, ticket)).toBe(200);
  expect(await openStream(b, ticket)).toBe(401);
  const [name = '', until = '', nonce = '', signature = ''] = ticket.split('.');
  const forged = [
    [name, String(Number(until) + 1), nonce, signature],
    [Buffer.from('chief').toString('base64url'), until, nonce, signature],
    [name, until, `${nonce}0`, signature],
    [name, until, nonce, ''],
  ];
  for (const parts of forged) expect(await openStream(b, parts.join('.'))).toBe(401);
  expect((await fetch(`${b}/api/sources?ticket=${ticket}`)).status).toBe(401);
});
