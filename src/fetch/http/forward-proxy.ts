// A forward proxy for a browser that renders pages: the browser connects to nothing but this proxy, and the proxy to nothing
// but addresses that the guard admits.
//
// It has no part of its own in TLS: an https request is a tunnel, so what a page can reach is decided by name, port and
// address, for every connection, whichever part of the browser opens it.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Agent, createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import { GuardRefusal } from './address-guard.ts';
import type { DialTarget, GuardedDial } from './guarded-dial.ts';

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

/** The credentials of one browser context, and what it did. A connection without credentials is refused. */
export interface ProxySession {
  readonly username: string;
  readonly password: string;
  /** Received for the session since the last call of `start`. */
  readonly bytes: () => number;
  /** Hosts that the guard refused since the last call of `start`, with its rule. */
  readonly refusals: () => readonly ProxyRefusal[];
  /** A new page: counts from zero, and closes connections after so many bytes. */
  start(maxBytes: number): void;
  /** Closes its connections; its credentials are void. */
  close(): void;
}

export interface ProxyRefusal {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  readonly rule: string;
}

interface SessionState {
  readonly password: Buffer;
  readonly sockets: Set<Duplex>;
  refusals: ProxyRefusal[];
  bytes: number;
  maxBytes: number;
}

const REALM = 'Basic realm="pinakes"';
const MAX_REFUSALS = 100;

/** Between a proxy and one of its peers only, RFC 9110, section 7.6.1. */
const HOP_BY_HOP =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-(connection|authorization|authenticate))$/;

export async function openForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const sessions = new Map<string, SessionState>();
  const server = createServer();
  server.on('request', (request, response) => void forwardRequest(request, response, { options, sessions }));
  server.on('connect', (request, socket) => void openTunnel(request, socket, { options, sessions }));
  // Of a browser that closes its end early.
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
    openSession: () => openSession(sessions),
    async close() {
      for (const state of sessions.values()) closeSockets(state);
      sessions.clear();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function openSession(sessions: Map<string, SessionState>): ProxySession {
  const username = randomBytes(8).toString('hex');
  const password = randomBytes(24).toString('hex');
  const state: SessionState = {
    password: Buffer.from(password),
    sockets: new Set(),
    refusals: [],
    bytes: 0,
    maxBytes: Infinity,
  };
  sessions.set(username, state);
  return {
    username,
    password,
    bytes: () => state.bytes,
    refusals: () => state.refusals,
    start(maxBytes) {
      Object.assign(state, { bytes: 0, refusals: [], maxBytes });
    },
    close() {
      sessions.delete(username);
      closeSockets(state);
    },
  };
}

function closeSockets({ sockets }: SessionState): void {
  for (const socket of sockets) socket.destroy();
}

interface ProxyContext {
  readonly options: ForwardProxyOptions;
  readonly sessions: ReadonlyMap<string, SessionState>;
}

function sessionOf(request: IncomingMessage, sessions: ProxyContext['sessions']): SessionState | null {
  const [, encoded = ''] = /^basic +([\w+/=]+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
  const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  const state = sessions.get(username);
  const given = Buffer.from(password, 'latin1');
  if (state === undefined || given.length !== state.password.length) return null;
  return timingSafeEqual(given, state.password) ? state : null;
}

/** The connection to a target that the guard admitted, counted for the session; or the status of the refusal. */
async function connect(
  target: DialTarget,
  state: SessionState,
  options: ForwardProxyOptions,
): Promise<Socket | number> {
  if (state.sockets.size >= options.maxConnections || state.bytes >= state.maxBytes) return 429;
  let socket: Socket;
  try {
    socket = await options.dial(target);
  } catch (error) {
    if (!(error instanceof GuardRefusal)) return 502;
    if (state.refusals.length < MAX_REFUSALS)
      state.refusals.push({ host: target.host, port: target.port, rule: error.rule });
    return 403;
  }
  state.sockets.add(socket);
  const limit = setTimeout(() => socket.destroy(), options.maxConnectionMs).unref();
  socket.setTimeout(options.idleTimeoutMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(limit);
    state.sockets.delete(socket);
  });
  socket.on('data', (part: Buffer) => {
    state.bytes += part.byteLength;
    if (state.bytes > state.maxBytes) closeSockets(state);
  });
  return socket;
}

/** The request of a tunnel: https and web sockets. */
async function openTunnel(
  request: IncomingMessage,
  client: Duplex,
  { options, sessions }: ProxyContext,
): Promise<void> {
  client.on('error', () => client.destroy());
  const state = sessionOf(request, sessions);
  if (state === null) return refuseTunnel(client, 407, `proxy-authenticate: ${REALM}\r\n`);
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(request.url ?? '') ?? [];
  if (host === '' || Number(port) > 65_535) return refuseTunnel(client, 400);
  const target = { host: unbracketHost(host), port: Number(port), protocol: 'https:' } as const;
  const upstream = await connect(target, state, options);
  if (typeof upstream === 'number') return refuseTunnel(client, upstream);
  if (client.destroyed) return void upstream.destroy();
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  upstream.pipe(client);
  client.pipe(upstream);
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
  const state = sessionOf(request, sessions);
  if (state === null) return void response.writeHead(407, { 'proxy-authenticate': REALM }).end();
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') return void response.writeHead(400).end();
  const target = { host: unbracketHost(url.hostname), port: Number(url.port || 80), protocol: 'http:' } as const;
  const socket = await connect(target, state, options);
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
  upstream.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    answer.pipe(response);
    answer.once('error', () => response.destroy());
  });
  upstream.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.once('close', () => upstream.destroy());
  request.pipe(upstream);
}

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.test(name) ? [] : [[name, value] as const],
    ),
  );
}
