// A forward proxy for a browser that renders pages: the browser connects to nothing but this proxy, and the proxy to nothing
// but addresses that the guard admits.
//
// It takes no part in TLS: an https request is a tunnel, so what a page can reach is decided by name, port and
// address, for every connection, whichever part of the browser opens it.

import { Agent, createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SAFE_METHODS } from '../../core/ssrf/safe-methods.ts';
import { unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import { GuardRefusal } from './address-guard.ts';
import { offeredProtocols } from './client-hello.ts';
import type { DialTarget, GuardedDial } from './guarded-dial.ts';
import { createProxySessions, type ProxiedPage, type ProxySession, type ProxySessions } from './proxy-session.ts';

export interface ForwardProxyOptions {
  readonly dial: GuardedDial;
  /** Where the proxy listens; by default on a free port of loopback. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** Connections of one session at a time; further ones are refused. */
  readonly maxConnections: number;
  /** A connection without traffic is closed after this time. */
  readonly idleTimeoutMs: number;
  /** A connection is closed after this time, whatever it carries. */
  readonly maxConnectionMs: number;
}

export interface ForwardProxy {
  readonly host: string;
  readonly port: number;
  openSession(): ProxySession;
  close(): Promise<void>;
}

const REALM = 'Basic realm="pinakes"';

/** Between a proxy and one of its peers only, RFC 9110, section 7.6.1. */
const HOP_BY_HOP =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-(connection|authorization|authenticate))$/;

export async function openForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const sessions = createProxySessions();
  const server = createServer();
  // What a site or a page can send must never be an unhandled error: that would end the process.
  server.on('request', (request, response) => {
    forwardRequest(request, response, { options, sessions }).catch(() => failResponse(response));
  });
  server.on('connect', (request, socket) => {
    openTunnel(request, socket, { options, sessions }).catch(() => socket.destroy());
  });
  // A browser may close its end early.
  server.on('clientError', (_, socket) => void socket.destroy());
  const { host, port } = options.listen ?? { host: '127.0.0.1', port: 0 };
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  // It never keeps the process alive.
  server.unref();

  return {
    host,
    port: (server.address() as AddressInfo).port,
    openSession: () => sessions.open(),
    async close() {
      sessions.closeAll();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

interface ProxyContext {
  readonly options: ForwardProxyOptions;
  readonly sessions: ProxySessions;
}

/** The connection to a target that the guard admitted, counted for the page; or the status of the refusal. */
async function connect(target: DialTarget, page: ProxiedPage, options: ForwardProxyOptions): Promise<Socket | number> {
  if (!(await page.mayConnect(target)) || page.sockets.size >= options.maxConnections) return 429;
  let socket: Socket;
  try {
    socket = await options.dial(target);
  } catch (error) {
    if (!(error instanceof GuardRefusal)) return 502;
    page.refuse({ host: target.host, port: target.port, rule: error.rule });
    return 403;
  }
  socket.on('error', () => socket.destroy());
  if (page.isOver()) {
    socket.destroy();
    return 429;
  }
  page.sockets.add(socket);
  const limit = setTimeout(() => socket.destroy(), options.maxConnectionMs).unref();
  socket.setTimeout(options.idleTimeoutMs, () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(limit);
    page.sockets.delete(socket);
  });
  socket.on('data', (part: Buffer) => page.countReceived(part.byteLength));
  return socket;
}

/** The request of a tunnel, which has to carry https. */
async function openTunnel(
  request: IncomingMessage,
  client: Duplex,
  { options, sessions }: ProxyContext,
): Promise<void> {
  client.on('error', () => client.destroy());
  const page = sessions.pageOf(request);
  if (page === null) return refuseTunnel(client, 407, `proxy-authenticate: ${REALM}\r\n`);
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(request.url ?? '') ?? [];
  if (host === '' || Number(port) > 65_535) return refuseTunnel(client, 400);
  const target = { host: unbracketHost(host), port: Number(port), protocol: 'https:' } as const;
  const upstream = await connect(target, page, options);
  if (typeof upstream === 'number') return refuseTunnel(client, upstream);
  if (client.destroyed) return void upstream.destroy();
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  upstream.pipe(client);
  client.on('data', (part: Buffer) => page.countSent(part.byteLength));
  let hello = Buffer.alloc(0);
  const readHello = (part: Buffer): void => {
    hello = Buffer.concat([hello, part]);
    const protocols = offeredProtocols(hello);
    if (protocols === 'incomplete') return;
    // A web socket, with TLS or without.
    if (protocols?.includes('h2') !== true) return void client.destroy();
    client.off('data', readHello);
    upstream.write(hello);
    client.pipe(upstream);
  };
  client.on('data', readHello);
}

function refuseTunnel(client: Duplex, status: number, headers = ''): void {
  client.end(`HTTP/1.1 ${status} Refused\r\n${headers}content-length: 0\r\nconnection: close\r\n\r\n`);
}

/** A plain http request in absolute form. */
async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { options, sessions }: ProxyContext,
): Promise<void> {
  const page = sessions.pageOf(request);
  if (page === null) return void response.writeHead(407, { 'proxy-authenticate': REALM }).end();
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') return void response.writeHead(400).end();
  const refusal = refusalOf(request);
  if (refusal !== null) return void response.writeHead(refusal).end();
  const target = { host: unbracketHost(url.hostname), port: Number(url.port || 80), protocol: 'http:' } as const;
  const socket = await connect(target, page, options);
  if (typeof socket === 'number') return void response.writeHead(socket).end();
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = () => socket;
  const upstream = sendRequest({
    agent,
    host: url.hostname,
    method: request.method ?? 'GET',
    path: url.pathname + url.search,
    headers: { ...endToEnd(request.headers), host: url.host },
  });
  upstream.once('response', (answer) => passOn(answer, response));
  upstream.on('error', () => failResponse(response));
  // Without an error after a switch of protocols, which nothing here asked for.
  upstream.once('close', () => response.headersSent || failResponse(response));
  response.once('close', () => upstream.destroy());
  page.countSent(request.rawHeaders.join(': ').length + (request.url?.length ?? 0));
  request.on('data', (part: Buffer) => page.countSent(part.byteLength));
  request.pipe(upstream);
}

/** Node's client accepts heads that its server rejects with an exception. */
function passOn(answer: IncomingMessage, response: ServerResponse): void {
  answer.on('error', () => response.destroy());
  const status = answer.statusCode ?? 0;
  try {
    if (status < 200 || status > 599) throw new RangeError(`status ${status}`);
    response.writeHead(status, endToEnd(answer.headers));
    answer.pipe(response);
  } catch {
    failResponse(response);
    answer.destroy();
  }
}

function failResponse(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502).end();
}

/** The status, by the request alone. */
function refusalOf({ method = '', headers }: IncomingMessage): number | null {
  if (!SAFE_METHODS.has(method)) return 405;
  return isAhead(headers) ? 403 : null;
}

/**
 * For a page that may follow. The browser requests it past the filter of the page's requests, and one that others have started has no
 * preference against it. Within a tunnel it cannot be seen.
 */
function isAhead(headers: IncomingMessage['headers']): boolean {
  return [headers['sec-purpose'], headers['purpose']].some((purpose) => String(purpose ?? '').includes('prefetch'));
}

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.test(name) ? [] : [[name, value] as const],
    ),
  );
}
