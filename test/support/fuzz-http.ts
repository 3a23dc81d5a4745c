// Sends requests with odd methods, paths, headers, queries and bodies to a server: each route of the action table, and those beside
// it. Whatever arrives, each request ends with a response below 500 or a closed connection.

import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { httpRoutes, pathInputs, type HttpRoute } from '../../src/serve/http/http-routes.ts';
import { createRandom } from './random.ts';

export interface HttpFuzzCounts {
  readonly requests: number;
  /** Responses by status; `closed` is a connection that ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Routes that never responded with a status below 300. */
  readonly unreached: readonly string[];
  /** Requests with a status from 500 on that is not an error of a fetched site, or without an end. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

export interface HttpFuzzOptions {
  readonly seed?: number;
  readonly token: string;
  /** Values that exist in the library, by the name of an input. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
}

const PARALLEL = 12;
/** A plan takes a minute on a busy machine; what hangs never ends. */
const MAX_WAIT_MS = 300_000;
/** A route of a fetched page responds with 502 or 504 if the site does not: that is its result. */
const SITE_ERROR = /"code":"(?:fetch|crawl4ai)\./;
/** Shares of odd values, one of them for each request: a request that is odd all over is rejected at once. */
const ODD_SHARES = [0, 0, 0.1, 0.3, 0.6];
/** Shares of the optional inputs that a request has. */
const INPUT_SHARES = [0.05, 0.2, 0.6];

const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  '\u{e0041}',
  '\r\nx: 1',
  '%00',
  '%',
  '%zz',
  '../../etc/passwd',
  '/etc/passwd',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  'http://127.0.0.1:1/',
  'http://[::1]:1/%2e%2e/',
  'http://user:pass@127.0.0.1:1/',
  'http://127.0.0.1:99999/',
  '"; drop table pages; --',
  "' or 1=1 --",
  '%_\\',
  '*',
  '[',
  '(((((((((((((((((((((',
  '{a,{b,{c,{d,e}}}}}'.repeat(20),
  '\\',
  '$1',
  '@',
  'a@',
  '@1',
  '^1.2 || >=3 <2',
  'latest',
  'now',
  '1e999',
  'NaN',
  '9'.repeat(40),
  'f'.repeat(32),
  'e\u0301'.repeat(200),
  'x'.repeat(5000),
  '\u{1f600}'.repeat(3000),
];
const NUMBERS = [0, -1, 1, 2, 0.5, -0.5, 1e9, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e308, -1e308, 1e-308];
const ODD: readonly unknown[] = [
  ...TEXTS,
  ...NUMBERS,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  Array.from({ length: 2000 }, () => 'a'),
  Array.from({ length: 50 }, (_, nth) => `name-${nth}`),
];
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const HEADERS: readonly OutgoingHttpHeaders[] = [
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { accept: '\u00ff' },
  { accept: 'text/event-stream' },
  { 'accept-encoding': 'gzip;q=NaN, br;q=9' },
  { 'accept-encoding': '*' },
  { range: 'bytes=-1' },
  { 'if-none-match': '"' },
  { 'if-modified-since': 'never' },
  { 'last-event-id': '99999999999999999999' },
  { 'last-event-id': '-1' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '1.2.3.4' },
  { forwarded: 'for=_x' },
  { authorization: 'Bearer' },
  { authorization: 'Basic eDp4' },
  { authorization: 'Bearer \u00ff' },
  { 'mcp-session-id': 'x', 'mcp-protocol-version': '1' },
  { expect: 'x' },
  { cookie: 'a'.repeat(3000) },
  { host: 'evil.test' },
];
const BODIES = [
  '{',
  '[]',
  'null',
  '1',
  '""',
  '\u0000',
  '{"__proto__":{"x":1}}',
  '{"a":1,"a":2}',
  '['.repeat(50_000),
  `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`,
  `{"query":"${'\\ud800'.repeat(100)}"}`,
  `{"a":"${'x'.repeat(100_000)}"}`,
  '{"a":1e400}',
];
const OTHER_PATHS = [
  '/',
  '/events',
  '/events?after=99999999999999',
  '/events?run=x&after=-1',
  '/events?logs=0&after=1&run=999999999999999',
  '/events/ticket',
  '/api/changes/stream',
  '/api/changes/stream?since=x',
  '/api/openapi.json',
  '/healthz',
  '/readyz',
  '/session',
  '/sign-in?to=//x',
  '/sign-in/callback?code=%00&state=x',
  '/metrics',
  '/mcp',
  '/docs/',
  '/docs/guide/llms.txt',
  '/docs/guide/llms-full.txt',
  '/docs/guide/%2e%2e/%2e%2e/etc/passwd',
  '/docs/%00/llms.txt',
  '/docs/guide/a.md',
  '/assets/../../package.json',
  '/assets/%2e%2e/index.html',
  '//',
  '/%',
  '/%ff',
  '/\\..\\',
  '/api',
  '/api/',
  '/api/sources/%/pages',
  '/api/sources/%ff/pages',
  `/${'a/'.repeat(3000)}`,
];
/** Names that requests add, and may remove. */
export const DISPOSABLE = ['one', 'two', 'three'] as const;
const MCP_METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'x', ''];

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | null;
  /** The route it was made for. */
  readonly route: string;
}

interface Field {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

interface FuzzedRoute extends HttpRoute {
  readonly required: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
  readonly name: string;
}

const routes: readonly FuzzedRoute[] = httpRoutes.map((route) => {
  const schema = z.toJSONSchema(route.action.input, { io: 'input', unrepresentable: 'any' });
  const { properties = {}, required = [] } = schema as Field;
  return { ...route, fields: properties, required, name: `${route.binding.method} ${route.binding.path}` };
});

/** What starts a crawl takes a thousand times as long as what reads. */
const WEIGHTS = { read: 20, admin: 10, write: 4, network: 1 } as const;
const weighted = routes.flatMap((route) => Array.from({ length: WEIGHTS[route.action.effect] }, () => route));

/** The requests of a seed: the same ones on every run. */
function createRequests({ seed = 1, token, known }: HttpFuzzOptions): () => FuzzRequest {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const maybe = (share: number): boolean => random() < share;
  const authorization = `Bearer ${token}`;

  function expected(name: string, field: Field): unknown {
    const values = known[name];
    if (values !== undefined) return pick(values);
    if (field.enum !== undefined) return pick(field.enum);
    if (field.anyOf !== undefined) return expected(name, pick(field.anyOf));
    const type = typeof field.type === 'string' ? field.type : pick(field.type ?? ['string']);
    if (type === 'boolean') return maybe(0.5);
    if (type === 'null') return null;
    if (type === 'array')
      return Array.from({ length: Math.floor(random() * 3) }, () => expected('', field.items ?? {}));
    if (type === 'object')
      return Object.fromEntries(
        Object.entries(field.properties ?? {})
          .filter(() => maybe(0.4))
          .map(([key, own]) => [key, valueOf(key, own)]),
      );
    if (type === 'string') return pick(['pool', 'a', 'guide', '1', '/a.md']);
    const least = Math.max(field.minimum ?? 0, -1000);
    return least + Math.floor(random() * Math.min(20, (field.maximum ?? 20) - least));
  }

  let oddShare = 0;
  const valueOf = (name: string, field: Field): unknown => (maybe(oddShare) ? pick(ODD) : expected(name, field));

  function actionRequest(): FuzzRequest {
    const { action, binding, fields, required, name } = pick(weighted);
    const inPath = new Set(pathInputs(binding));
    oddShare = pick(ODD_SHARES);
    const inputShare = pick(INPUT_SHARES);
    const values = new Map(
      Object.entries(fields)
        .filter(([input]) => inPath.has(input) || required.includes(input) || maybe(inputShare))
        .map(([input, field]) => [input, valueOf(input, field)]),
    );
    // What was there at the beginning stays: the other requests need it.
    if (binding.method === 'DELETE')
      for (const input of inPath) values.set(input, pick([...DISPOSABLE, ...DISPOSABLE, pick(ODD)]));
    if (maybe(0.05)) values.set(pick(['x', '__proto__', 'source', 'limit']), pick(ODD));
    const path = binding.path.replaceAll(/\{(\w+)\}/g, (_, input: string) => pathText(values.get(input)));
    const inBody = (binding.method === 'POST' || binding.method === 'PATCH') && !maybe(0.05);
    const rest = [...values].filter(([input]) => !inPath.has(input));
    const query = new URLSearchParams();
    for (const [input, value] of inBody ? [] : rest)
      for (const one of Array.isArray(value) ? value.slice(0, 50) : [value]) query.append(input, textOf(one));
    const text = query.size === 0 ? '' : `?${query.toString()}`;
    return {
      method: maybe(0.97) ? binding.method : pick(METHODS),
      path: `/api${path}${text}`.slice(0, 12_000),
      headers: headersOf(inBody),
      body: inBody ? (maybe(0.93) ? JSON.stringify(Object.fromEntries(rest)) : pick(BODIES)) : null,
      route: `${name} ${action.name}`,
    };
  }

  function mcpRequest(): FuzzRequest {
    const { action, fields } = pick(weighted);
    oddShare = pick(ODD_SHARES);
    const args = Object.fromEntries(Object.entries(fields).map(([input, field]) => [input, valueOf(input, field)]));
    const params = {
      name: maybe(0.9) ? action.name : pick(ODD),
      arguments: maybe(0.9) ? args : pick(ODD),
      uri: pick(TEXTS),
    };
    const call = {
      jsonrpc: '2.0',
      id: pick([1, 'a', null, 1.5]),
      method: pick(MCP_METHODS),
      params: maybe(0.9) ? params : pick(ODD),
    };
    return {
      method: 'POST',
      path: '/mcp',
      headers: { ...headersOf(true), accept: 'application/json, text/event-stream' },
      body: maybe(0.9) ? JSON.stringify(maybe(0.9) ? call : [call, call]) : pick(BODIES),
      route: 'POST /mcp',
    };
  }

  function otherRequest(): FuzzRequest {
    const method = maybe(0.7) ? 'GET' : pick(METHODS);
    const body = method === 'GET' || method === 'HEAD' ? null : pick(BODIES);
    const path = pick(OTHER_PATHS);
    return { method, path, headers: headersOf(body !== null), body, route: `GET ${path}` };
  }

  function headersOf(hasBody: boolean): OutgoingHttpHeaders {
    const type = hasBody ? { 'content-type': 'application/json' } : {};
    return { authorization, ...type, ...(maybe(0.1) ? pick(HEADERS) : {}) };
  }

  return () => {
    const kind = random();
    return kind < 0.8 ? actionRequest() : kind < 0.92 ? mcpRequest() : otherRequest();
  };
}

/** A lone surrogate has no encoding. */
function pathText(value: unknown): string {
  const text = textOf(value).toWellFormed().slice(0, 2000);
  return text === '' || text === '.' || text === '..' ? '%2e' : encodeURIComponent(text);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Response {
  /** Null if it did not end, `closed` if the connection ended without one. */
  readonly status: number | 'closed' | null;
  readonly start: string;
}

/** Streams are left after their head. */
function send(url: URL, agent: Agent, { method, path, headers, body }: FuzzRequest): Promise<Response> {
  return new Promise((resolve) => {
    const outgoing = request({ host: url.hostname, port: url.port, agent, method, path, headers }, (incoming) => {
      let start = '';
      const status = incoming.statusCode ?? 0;
      const end = (): void => {
        clearTimeout(timer);
        resolve({ status, start });
      };
      incoming.on('data', (part: Buffer) => {
        if (start.length < 2000) start += part.toString('latin1');
      });
      incoming.on('end', end).on('error', end).on('close', end);
      if (String(incoming.headers['content-type']).startsWith('text/event-stream') && !path.startsWith('/mcp')) {
        end();
        outgoing.destroy();
      }
    });
    const timer = setTimeout(() => {
      resolve({ status: null, start: '' });
      outgoing.destroy();
    }, MAX_WAIT_MS);
    outgoing.on('error', () => {
      clearTimeout(timer);
      resolve({ status: 'closed', start: '' });
    });
    outgoing.end(body ?? undefined);
  });
}

export async function fuzzHttp(server: string, requests: number, options: HttpFuzzOptions): Promise<HttpFuzzCounts> {
  const url = new URL(server);
  const nextRequest = createRequests(options);
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const reached = new Set<string>();
  let slowestMs = 0;
  let sent = 0;

  const work = async (): Promise<void> => {
    while (sent < requests) {
      sent += 1;
      const one = nextRequest();
      const startedAt = performance.now();
      const { status, start } = await send(url, agent, one);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
      if (typeof status === 'number' && status < 300) reached.add(one.route);
      const isFailure = status === null || (typeof status === 'number' && status >= 500 && !SITE_ERROR.test(start));
      if (isFailure)
        failures.push(
          `${status} ${one.method} ${one.path.slice(0, 300)} ${one.body?.slice(0, 500)}: ${start.slice(0, 300)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  agent.destroy();
  const unreached = routes.map(({ name, action }) => `${name} ${action.name}`).filter((name) => !reached.has(name));
  return { requests, statuses, unreached, failures, slowestMs: Math.round(slowestMs) };
}
