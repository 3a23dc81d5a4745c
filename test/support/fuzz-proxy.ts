// Sends raw bytes through the forward proxy: whatever a site responds and whatever a browser asks for, each request ends with a
// response or a closed connection, and nothing is thrown outside it.

import { createServer, type AddressInfo } from 'node:net';
import { openForwardProxy } from '../../src/fetch/http/forward-proxy.ts';
import type { GuardedDial } from '../../src/fetch/http/guarded-dial.ts';
import type { ProxySession } from '../../src/fetch/http/proxy-session.ts';
import { connectTo } from './raw-http.ts';
import { createRandom } from './random.ts';

export interface FuzzCounts {
  readonly inputs: number;
  /** Responses by status; 0 is a connection that was closed without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Inputs that got neither a response nor an end, or a status that HTTP does not have. */
  readonly failures: readonly string[];
  /** Exceptions that nothing caught: in the program each of them ends the process. */
  readonly uncaught: readonly string[];
}

const MAX_WAIT_MS = 10_000;
const PARALLEL = 16;
/** The share of choices that are the first of their list, the normal one: a response that is odd all over is rejected at once. */
const NORMAL = 0.5;

type Pick = <Item>(items: readonly Item[]) => Item;

const STATUSES =
  '200 -1 0 00 000 0x0 1 9 20 099 99 100 101 102 103 199 200 204 205 206 304 404 500 599 600 700 999 1000 4294967496 2OO'.split(
    ' ',
  );
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2', 'HTTP/9.9', 'http/1.1', 'ICY', ''];
const REASONS = ['OK', '', ' ', 'a\tb', '\u00e9', '\u0000', 'x'.repeat(9000), '\rX: 1'];
const LENGTHS = '5 -1 0 1 6 1e3 0x5 +5 5,5 99999999999999999999 18446744073709551616'.split(' ');
const HEADERS = [
  'X: 1',
  'x',
  ': empty',
  'a b: c',
  'x: \u0001',
  'x: \u007f',
  'x: \u00ff\u00fe',
  ' folded: 1',
  `long: ${'y'.repeat(20_000)}`,
  'transfer-encoding: chunked',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding: identity',
  'trailer: x',
  'connection: upgrade',
  'upgrade: websocket',
  'connection: x, close',
  'keep-alive: timeout=0',
  'set-cookie: a=1',
  'set-cookie: b=\u0002',
  'date: never',
  'content-type: ',
  'expect: 100-continue',
  '__proto__: 1',
  'constructor: 1',
];
const BODIES = [
  'hello',
  '',
  '5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhello\r\n0\r\nX: 1\r\nbad\u0001: 2\r\n\r\n',
  'FFFFFFFFFFFFFFFFF\r\n',
  'zz\r\n',
  '\u0000',
];
const METHODS = 'GET HEAD POST PUT OPTIONS TRACE DELETE PROPFIND QUERY CONNECT'.split(' ');
const TARGETS = ['/', '/a%00b', '/\u00e9', '/a b', '/?q=<>', '/%', '//', '/\\', '/#x', ''];

function several<Item>(random: () => number, most: number, one: () => Item): readonly Item[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, one);
}

function siteBytes(random: () => number, pick: Pick): Buffer {
  const end = pick(['\r\n', '\n', '\r']);
  const head = [
    `${pick(VERSIONS)} ${pick(STATUSES)} ${pick(REASONS)}`,
    ...several(random, 3, () => pick(HEADERS)),
    ...several(random, 2, () => `content-length: ${pick(LENGTHS)}`),
  ];
  const text = head.join(end) + end + end + pick(BODIES);
  // One response, several, or a part of one.
  const all = pick([text, text + text, `HTTP/1.1 100 Continue\r\n\r\n${text}`]);
  return Buffer.from(random() < 0.1 ? all.slice(0, Math.floor(random() * all.length)) : all, 'latin1');
}

function browserBytes(random: () => number, pick: Pick, site: string, { username, password }: ProxySession): Buffer {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const method = pick(METHODS);
  const target = method === 'CONNECT' ? `${site}:443` : `http://${site}${pick(TARGETS)}`;
  const isOdd = random() < 0.3;
  const headers = isOdd ? several(random, 3, () => pick(HEADERS)) : [];
  const lengths = isOdd ? several(random, 1, () => `content-length: ${pick(LENGTHS)}`) : [];
  const head = [`${method} ${target} HTTP/1.1`, `host: ${site}`, `proxy-authorization: Basic ${credentials}`];
  const text = [...head, ...headers, ...lengths, 'connection: close', '', ''].join('\r\n');
  return Buffer.from(isOdd ? text + pick(BODIES) : text, 'latin1');
}

/** `responses` are sent by the site, to plain requests, before the random ones. */
export async function fuzzProxy(
  inputs: number,
  { seed = 1, responses = [] }: { readonly seed?: number; readonly responses?: readonly string[] } = {},
): Promise<FuzzCounts> {
  const random = createRandom(seed);
  const pick: Pick = (items) => items[random() < NORMAL ? 0 : Math.floor(random() * items.length)]!;
  const site = await openSite();
  const proxy = await openForwardProxy({
    dial: site.dial,
    maxConnections: 64,
    idleTimeoutMs: 500,
    maxConnectionMs: 2000,
  });
  const session = proxy.openSession();
  session.start({ maxReceivedBytes: Infinity, maxSentBytes: Infinity, maxRequests: Infinity });
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const uncaught: string[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(String(error));
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);

  async function sendInput(n: number): Promise<void> {
    const provided = responses[n];
    const host = `input-${n}.test`;
    for (const port of [80, 443]) session.admit(host, port);
    const response = provided === undefined ? siteBytes(random, pick) : Buffer.from(provided, 'latin1');
    const request = browserBytes(
      provided === undefined ? random : () => 1,
      provided === undefined ? pick : ([first]) => first!,
      host,
      session,
    );
    site.responses.set(host, response);
    const status = await exchange(proxy.port, request);
    site.responses.delete(host);
    statuses[status ?? 'none'] = (statuses[status ?? 'none'] ?? 0) + 1;
    const isEnded = status !== null && (status === 0 || (status >= 100 && status <= 599));
    if (!isEnded) failures.push(`${status}: ${describe(request)} <- ${describe(response)}`);
  }

  let next = 0;
  const send = async (): Promise<void> => {
    while (next < inputs) await sendInput(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, send));
  session.close();
  await proxy.close();
  await site.close();
  process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
  return { inputs, statuses, failures, uncaught };
}

const describe = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1').slice(0, 300));

interface FuzzSite {
  readonly dial: GuardedDial;
  /** By host. */
  readonly responses: Map<string, Buffer>;
  close(): Promise<void>;
}

/** Whatever it is asked, it sends the response of the host and closes the connection. */
async function openSite(): Promise<FuzzSite> {
  const responses = new Map<string, Buffer>();
  const hosts = new Map<number, string>();
  const server = createServer((socket) => {
    const respond = (): void => {
      clearTimeout(timer);
      socket.off('data', respond).resume();
      socket.end(responses.get(hosts.get(socket.remotePort ?? 0) ?? '') ?? '');
    };
    // A tunnel may carry nothing.
    const timer = setTimeout(respond, 50);
    socket.on('data', respond).on('error', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    responses,
    async dial({ host }) {
      const socket = await connectTo(port);
      hosts.set(socket.localPort ?? 0, host);
      return socket;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The status of the response, 0 if the connection ended without one, null if it did not end. */
async function exchange(port: number, request: Buffer): Promise<number | null> {
  const socket = await connectTo(port);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let received = '';
  socket.on('data', (part: Buffer) => (received += part.toString('latin1').slice(0, 100)));
  socket.on('error', () => socket.destroy()).on('close', () => resolve(true));
  socket.write(request);
  const timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  const isClosed = await promise;
  clearTimeout(timer);
  socket.destroy();
  if (!isClosed) return null;
  return Number(/^HTTP\/1\.1 (\d+) /.exec(received)?.[1] ?? 0);
}
