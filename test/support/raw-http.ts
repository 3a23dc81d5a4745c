// Requests that no normal client would send: duplicate or missing headers, bodies byte by byte.

import { connect, type Socket } from 'node:net';

export interface RawResponse {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly version?: '1.0' | '1.1';
  /** `name: value`; only `connection: close` and the length of the body are added. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

export function connectTo(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  return promise;
}

export async function sendRaw(port: number, request: RawRequest): Promise<RawResponse> {
  const { method = 'GET', path = '/healthz', version = '1.1', headers = [], body = '' } = request;
  const socket = await connectTo(port);
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${path} HTTP/${version}`, ...headers, ...length, 'connection: close', '', ''].join('\r\n');
  socket.write(head + body);
  return readResponse(socket);
}

/** Sends one byte per interval until the server closes the connection. */
export async function dribble(port: number, head: string, everyMs: number): Promise<RawResponse> {
  const socket = await connectTo(port);
  socket.write(head);
  const answer = readResponse(socket);
  const dripping = setInterval(() => socket.writable && socket.write('x'), everyMs);
  return answer.finally(() => clearInterval(dripping));
}

async function readResponse(socket: Socket): Promise<RawResponse> {
  const pieces: Buffer[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => resolve());
  socket.on('close', () => resolve());
  await closed;
  const text = Buffer.concat(pieces).toString('utf8');
  const split = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, Math.max(0, split)).split('\r\n');
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
  );
  return { status: Number(first.split(' ')[1] ?? 0), headers: new Map(headers), body: text.slice(split + 4) };
}
