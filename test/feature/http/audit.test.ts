// The audit log: what a caller changed or was refused is in it, with its name; what it asked for is not, unless a setting says so.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionOutput } from '../../../src/actions/actions.ts';
import { addFiles, addToken, startTestServer, type TestServer } from '../../support/test-server.ts';
import { createDatabase } from '../../support/stores.ts';
import { callTool } from '../../support/mcp-client.ts';

type Entries = ActionOutput<'list_audit'>['entries'];

describe.each([
  ['by default', {}, false],
  ['with reads and queries', { PINAKES_AUDIT_READS: 'true', PINAKES_AUDIT_QUERIES: 'true' }, true],
] as const)('%s', (_, settings, recordsReads) => {
  let server: TestServer;
  let chief = '';
  let reader = '';

  beforeAll(async () => {
    server = await startTestServer(settings, async (library) => {
      await addFiles(library, 'guide', { 'a.md': '# Pool\n\nA pool of connections.\n' });
      chief = await addToken(library, 'chief', 'admin');
      reader = await addToken(library, 'reader', 'read');
    });
  }, 60_000);
  afterAll(() => server.stop());

  const request = (token: string, path: string, method = 'GET'): Promise<Response> =>
    fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } });

  const entries = async (query = ''): Promise<Entries> => {
    const response = await request(chief, `/api/audit${query}`);
    return ((await response.json()) as { entries: Entries }).entries;
  };

  test('changes and refusals are recorded with the caller and the request', async () => {
    const removed = await request(reader, '/api/sources/guide', 'DELETE');
    expect(removed.status).toBe(403);
    expect((await request(chief, '/api/tokens/nobody', 'DELETE')).status).toBe(404);
    expect((await entries('?principal=reader&action=remove_source'))[0]).toMatchObject({
      action: 'remove_source',
      via: 'http',
      source: 'guide',
      outcome: 'http.forbidden',
      requestId: removed.headers.get('x-request-id'),
    });
    expect((await entries('?action=delete_token'))[0]).toMatchObject({ principal: 'chief', outcome: 'token.unknown' });
    expect((await entries('?action=create_token'))[0]).toMatchObject({ principal: null, via: 'local', outcome: 'ok' });
    expect((await request(reader, '/api/audit')).status).toBe(403);
  });

  test('a search is recorded if the settings say so', async () => {
    await request(reader, '/api/search?query=topsecretwords');
    await callTool(server.url, 'search_docs', { query: 'topsecretwords' }, { authorization: `Bearer ${reader}` });
    const expected = [
      ['mcp', 'topsecretwords'],
      ['http', 'topsecretwords'],
    ];
    // A read does not wait until it is recorded.
    await expect
      .poll(async () => (await entries('?action=search_docs')).map(({ via, query }) => [via, query]))
      .toEqual(recordsReads ? expected : []);
  });

  test('documentation files and streams are recorded like other reads', async () => {
    for (const path of ['/llms.txt', '/docs/guide/llms-full.txt', '/docs/gu%00ide%1b/x.md'])
      await (await request(reader, path)).text();
    await (await request(reader, '/events', 'HEAD')).text();
    const reads = async (): Promise<readonly string[]> =>
      (await entries('?principal=reader'))
        .filter(({ action }) => ['read_docs_file', 'open_event_stream'].includes(action))
        .map(({ source, outcome }) => `${source} ${outcome}`)
        .toReversed();
    const expected = ['null ok', 'guide ok', 'guide http.not-found', 'null ok'];
    await expect.poll(reads).toEqual(recordsReads ? expected : []);
  });

  test('the request log has the name of the caller, and neither token nor query', () => {
    const lines = server.log.join('');
    expect(lines).toContain('"caller":"reader"');
    expect(lines).not.toContain(reader);
    expect(lines).not.toContain('topsecretwords');
  });
});

test.each(['sqlite', 'postgres'])(
  '%s: a name that the database rejects keeps nothing out of the audit log (finding Y4)',
  async (engine) => {
    const database = engine === 'postgres' ? await createDatabase() : null;
    const settings = database === null ? {} : { PINAKES_DATABASE_URL: database.url };
    const tokens: Record<string, string> = {};
    const server = await startTestServer(settings, async (library) => {
      for (const role of ['admin', 'read'] as const) tokens[role] = await addToken(library, role, role);
    });
    const request = (role: string, path: string, method: string): Promise<Response> =>
      fetch(`${server.url}/api${path}`, { method, headers: { authorization: `Bearer ${tokens[role]}` } });
    // Written together, because they arrive while others are written.
    const names = ['a%00b', 'c%1b[31md', 'e%E2%80%AEf', 'plain'];
    await Promise.all(names.map((name) => request('read', `/sources/${name}`, 'DELETE')));
    const response = await request('admin', '/audit?action=remove_source', 'GET');
    const { entries } = (await response.json()) as { entries: Entries };
    expect(entries.map(({ source, outcome }) => `${source} ${outcome}`).toSorted()).toEqual(
      ['ab', 'cd', 'ef', 'plain'].map((source) => `${source} http.forbidden`),
    );
    expect(server.log.filter((line) => line.includes('the audit log was not written'))).toEqual([]);
    await server.stop();
    await database?.drop();
  },
);
