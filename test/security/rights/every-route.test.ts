// Every route, tool and stream of a real server, with every kind of caller: none without a valid token learns anything, and one with
// the right to some sources nothing of the others. The requests are generated from the declarations.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leavesLibrary } from '../../../src/actions/action.ts';
import { actionNamed, type ActionName } from '../../../src/actions/actions.ts';
import { httpRoutes, pathInputs, type HttpRoute } from '../../../src/serve/http/http-routes.ts';
import { MCP_TOOLS } from '../../../src/serve/mcp/mcp-tools.ts';
import { examples } from '../../feature/client/action-examples.table.ts';
import { sendLegacy } from '../../support/mcp-client.ts';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { HIDDEN, RIGHTS, UNKNOWN, VISIBLE } from './restricted-library.ts';

/** A word that only the hidden source has, in a title, a text and a file name. */
const WORD = 'mongoosetail';
const UNKNOWN_RUN = 987_654;
const PATHS = [
  '/llms.txt',
  '/metrics',
  '/api/activity',
  '/api/openapi.json',
  '/queues/ssr',
  '/problems/ssr',
  '/milestones/ssr',
  '/analysis/ssr',
];

const SETTINGS = {
  PINAKES_SERVE_REQUESTS_PER_MINUTE: '100000',
  PINAKES_SERVE_WRITE_TOOLS: 'true',
  PINAKES_SERVE_WRITES_PER_HOUR: '100000',
};

let server: TestServer;
let hiddenRun = 0;
const tokens: Record<string, string> = {};

const request = (caller: string, path: string, init: RequestInit = {}): Promise<Response> => {
  const token = tokens[caller];
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return fetch(server.url + path, { redirect: 'manual', ...init, headers });
};

beforeAll(async () => {
  server = await startTestServer(SETTINGS, async (library) => {
    await addFiles(library, VISIBLE, { 'pool.md': '# Pool\n\nA shared pool of connections.\n' });
    await addFiles(library, HIDDEN, { [`${WORD}.md`]: `# The ${WORD}\n\nThe ${WORD} has a shared burrow.\n` });
    const status = (await library.call('crawl_status', { run: HIDDEN })) as { runs: { run: number }[] };
    hiddenRun = status.runs[0]!.run;
    const callers = {
      reader: {},
      chief: { role: 'admin' },
      scoped: { sources: RIGHTS },
      scopedChief: { role: 'admin', sources: RIGHTS },
      expired: { expiresInDays: 1 },
      revoked: {},
    };
    for (const [name, input] of Object.entries(callers))
      tokens[name] = ((await library.call('create_token', { name, ...input })) as { token: string }).token;
  });
  const database = new DatabaseSync(join(server.directory, 'pinakes.db'), { timeout: 5000 });
  database.exec(`update tokens set expires_at = 1 where name = 'expired'; delete from tokens where name = 'revoked'`);
  database.close();
}, 60_000);
afterAll(() => server.stop());

interface Named {
  readonly source: string;
  readonly run: number;
  readonly page: string;
}

const HIDDEN_THING = (): Named => ({ source: HIDDEN, run: hiddenRun, page: `${WORD}.md` });
const UNKNOWN_THING: Named = { source: UNKNOWN, run: UNKNOWN_RUN, page: 'mongoosehead.md' };

function inputOf({ action, binding }: HttpRoute, { source, run, page }: Named): Record<string, unknown> {
  const example = (examples[action.name as ActionName]?.input ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = { source, run: String(run), url: page, target: page, name: source, wait: 0 };
  const fields = Object.keys(action.input.shape).filter((field) => field in values);
  const input = { ...example, ...Object.fromEntries(fields.map((field) => [field, values[field]])) };
  if (action.name === 'list_changes') delete (input as { since?: unknown }).since;
  for (const name of pathInputs(binding)) (input as Record<string, unknown>)[name] ??= 'x';
  return input;
}

async function send(caller: string, route: HttpRoute, named: Named): Promise<{ status: number; text: string }> {
  const { binding } = route;
  const input = inputOf(route, named);
  const path = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const inPath = new Set([...pathInputs(binding), ...Object.keys(binding.fixedInput ?? {})]);
  const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const hasBody = binding.method === 'POST' || binding.method === 'PATCH';
  const query = hasBody ? '' : `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString()}`;
  const response = await request(caller, `/api${path}${query}`, {
    method: binding.method,
    ...(hasBody && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(rest)),
    }),
  });
  return { status: response.status, text: await response.text() };
}

const withoutNames = (text: string, { source, run, page }: Named): string =>
  text
    .replaceAll(source, '<source>')
    .replaceAll(page, '<page>')
    .replaceAll(new RegExp(String.raw`\b${run}\b(?!\.\d)`, 'g'), '<run>')
    .replaceAll(/"requestId":"[^"]*"/g, '<request>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');

/** What an answer shows of the hidden source beyond what the request itself names. */
const leaks = (text: string): string[] => [WORD, HIDDEN].filter((secret) => text.includes(secret));

describe.each(httpRoutes.map((route) => [`${route.binding.method} ${route.binding.path}`, route] as const))(
  '%s',
  (_, route) => {
    test('needs a valid token with the right role', async () => {
      for (const caller of ['none', 'expired', 'revoked']) {
        const { status, text } = await send(caller, route, HIDDEN_THING());
        expect([401, 429], caller).toContain(status);
        expect(leaks(text)).toEqual([]);
      }
      if (route.action.effect === 'read' && route.binding.file === undefined) return;
      expect((await send('reader', route, UNKNOWN_THING)).status).toBe(403);
    });

    test.each(['scoped', 'scopedChief'])('treats a hidden source as unknown: %s', async (caller) => {
      const { action } = route;
      // What fetches or starts work is called by name only where that is an error.
      if (caller === 'scopedChief' && (action.effect === 'network' || action.name === 'apply_definitions')) return;
      const ofHidden = await send(caller, route, HIDDEN_THING());
      const ofUnknown = await send(caller, route, UNKNOWN_THING);
      expect(ofHidden.status).toBe(ofUnknown.status);
      expect(withoutNames(ofHidden.text, HIDDEN_THING())).toBe(withoutNames(ofUnknown.text, UNKNOWN_THING));
      if (action.effect === 'admin') expect(ofHidden.status).toBe(403);
    });

    test('shows nothing of it without naming it', async () => {
      if (!leavesLibrary(route.action.effect)) return;
      const { text } = await send('scoped', route, { source: VISIBLE, run: UNKNOWN_RUN, page: 'pool.md' });
      expect(leaks(text)).toEqual([]);
    });
  },
);

test.each(PATHS)(
  '%s is closed to invalid tokens, and shows one with some sources nothing of the others',
  async (path) => {
    for (const caller of ['none', 'expired', 'revoked'])
      expect((await request(caller, path)).status).toBeGreaterThan(400);
    const scoped = await request('scoped', path);
    expect(leaks(await scoped.text())).toEqual([]);
    if (path === '/metrics' || path === '/api/activity') expect(scoped.status).toBe(403);
  },
);

test.each(['/llms.txt', '/llms-full.txt', `/${WORD}.md`])(
  'the files of a hidden source are unknown: %s',
  async (path) => {
    const of = async (source: string): Promise<string> => {
      const response = await request('scoped', `/docs/${source}${path}`);
      return `${response.status} ${await response.text()}`.replaceAll(source, '<source>');
    };
    expect(await of(HIDDEN)).toBe(await of(UNKNOWN));
    expect((await request('scoped', `/docs/${VISIBLE}/llms.txt`)).status).toBe(200);
  },
);

describe.each(['scoped', 'scopedChief'])('MCP with the right to some sources: %s', (caller) => {
  const sendRpc = async (method: string, params: object): Promise<string> =>
    (await sendLegacy(server.url, method, params, { authorization: `Bearer ${tokens[caller]}` })).text;

  test.each(MCP_TOOLS.map(({ action: { name } }) => name))('%s', async (name) => {
    const call = async ({ source, run, page }: Named): Promise<string> => {
      const { action } = MCP_TOOLS.find((tool) => tool.action.name === name)!;
      const values: Record<string, unknown> = { source, run: String(run), url: page, target: page, name: source };
      const example = (examples[name as ActionName]?.input ?? {}) as object;
      const fields = Object.keys(action.input.shape).filter((field) => field in values);
      return sendRpc('tools/call', {
        name,
        arguments: { ...example, ...Object.fromEntries(fields.map((field) => [field, values[field]])) },
      });
    };
    const hidden = await call(HIDDEN_THING());
    expect(withoutNames(hidden, HIDDEN_THING())).toBe(withoutNames(await call(UNKNOWN_THING), UNKNOWN_THING));
    if (!leavesLibrary(actionNamed(name)!.effect)) return;
    expect(leaks(await call({ source: VISIBLE, run: UNKNOWN_RUN, page: 'pool.md' }))).toEqual([]);
  });

  test('its instructions, its lists and its resources', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const begun = await sendRpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    expect(begun).toContain(VISIBLE);
    const listed = await sendRpc('tools/call', { name: 'list_sources', arguments: {} });
    expect(listed).toContain(VISIBLE);
    const found = await sendRpc('tools/call', { name: 'search_docs', arguments: { query: 'shared burrow' } });
    for (const text of [begun, listed, found]) expect(leaks(text)).toEqual([]);
    const read = async ({ source, page }: Named): Promise<string> =>
      sendRpc('resources/read', { uri: `pinakes://page/${source}/${page}` });
    expect(withoutNames(await read(HIDDEN_THING()), HIDDEN_THING())).toBe(
      withoutNames(await read(UNKNOWN_THING), UNKNOWN_THING),
    );
  });
});

test('the changes from any position on are those of visible sources alone', async () => {
  interface Feed {
    readonly changes: ReadonlyArray<{ readonly source: string; readonly versionId: number }>;
    readonly position: string;
  }
  const read = async (caller: string, query: string): Promise<Feed> =>
    (await request(caller, `/api/changes?wait=0&${query}`)).json() as Promise<Feed>;
  const [all, some] = [await read('reader', 'since=0'), await read('scoped', 'since=0')];
  expect(new Set(all.changes.map(({ source }) => source))).toEqual(new Set([VISIBLE, HIDDEN]));
  expect(new Set(some.changes.map(({ source }) => source))).toEqual(new Set([VISIBLE]));
  expect(new Set(some.changes.map(({ versionId }) => versionId)).size).toBe(1);
  expect(some.position).toBe(all.position);
});

describe('streams', () => {
  async function follow(
    caller: string,
    path: string,
  ): Promise<{ readonly text: () => string; readonly end: () => void }> {
    const stop = new AbortController();
    const response = await request(caller, path, { signal: stop.signal });
    expect(response.status).toBe(200);
    let text = '';
    void (async () => {
      const decoder = new TextDecoder();
      for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true });
    })().catch(() => undefined);
    return { text: () => text, end: () => stop.abort() };
  }

  test('have no event and no change of a hidden source, also after a reconnection', async () => {
    for (const path of ['/events', '/api/changes/stream'])
      for (const caller of ['none', 'expired', 'revoked'])
        expect((await request(caller, path)).status).toBeGreaterThan(400);
    const paths = ['/events?after=0', `/events?run=${hiddenRun}&after=0`, '/events', '/api/changes/stream'];
    const scoped = await Promise.all(paths.map((path) => follow('scoped', path)));
    const reader = await Promise.all(['/events', '/api/changes/stream'].map((path) => follow('reader', path)));
    const started = await request('chief', `/api/sources/${HIDDEN}/recrawl`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { run } = (await started.json()) as { run: number };
    await waitUntil('the reader has received its events', () => reader[0]!.text().includes(`"run":${run}`));
    await waitUntil('the reader has received the page', () => reader[1]!.text().includes(WORD));
    await waitUntil('the scoped stream has its page', () => scoped[3]!.text().includes('pool.md'));
    for (const { text } of scoped) {
      expect(leaks(text())).toEqual([]);
      for (const hidden of [hiddenRun, run]) expect(text()).not.toContain(`"run":${hidden},`);
    }
    for (const { end } of [...scoped, ...reader]) end();
  }, 30_000);
});
