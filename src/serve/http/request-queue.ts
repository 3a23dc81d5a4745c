// Stands between the sockets and the application. A connection is served one request at a time, and a few requests start per
// tick of the event loop, so one connection costs the others next to nothing, however much it sends.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pinakesError } from '../../core/model/errors.ts';
import { limitPerTick } from '../../platform/limit-per-tick.ts';
import { errorBody } from '../public-error.ts';

export interface RequestQueue {
  readonly handle: RequestListener;
  /** Whether a request of this connection waits or is being served. */
  readonly isBusy: (socket: Socket) => boolean;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  isServing: boolean;
  /** Received while an earlier request is being served. */
  readonly pipelined: Exchange[];
  /** Nothing more is accepted, and the last response closes the connection. */
  isFull: boolean;
}

/** Requests that start per tick. Each takes one or two milliseconds. */
const REQUESTS_PER_TICK = 10;
/** Connections whose next request waits for its tick; above it, requests are rejected at once. */
const MAX_WAITING = 4096;
/** No browser pipelines, and no other client needs more. A client that gets fewer responses sends the rest again. */
const MAX_PIPELINED = 32;

export function createRequestQueue(start: RequestListener): RequestQueue {
  const connections = new WeakMap<Socket, Connection>();
  const waiting = limitPerTick(REQUESTS_PER_TICK, ({ request, response }: Exchange) => {
    // The client is gone and would not read the response.
    if (!request.socket.destroyed) start(request, response);
  });

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { isServing: false, pipelined: [], isFull: false };
    connections.set(socket, connection);
    // Node reads on when a request is done; here it waits for the requests that were already read.
    socket.on('resume', () => connection.pipelined.length > 0 && socket.pause());
    socket.once('close', () => connection.pipelined.splice(0));
    return connection;
  }

  function serve(exchange: Exchange, connection: Connection): void {
    connection.isServing = true;
    exchange.response.once('close', () => serveNext(exchange.request.socket, connection));
    if (waiting.length() < MAX_WAITING) waiting.add(exchange);
    else reject(exchange.response);
  }

  function serveNext(socket: Socket, connection: Connection): void {
    connection.isServing = false;
    const next = connection.pipelined.shift();
    if (next === undefined) return;
    if (connection.pipelined.length === 0) {
      if (connection.isFull) next.response.setHeader('connection', 'close');
      else socket.resume();
    }
    serve(next, connection);
  }

  return {
    handle(request, response) {
      const { socket } = request;
      const connection = connectionOf(socket);
      if (!connection.isServing) return serve({ request, response }, connection);
      if (connection.isFull) return;
      connection.pipelined.push({ request, response });
      connection.isFull = connection.pipelined.length === MAX_PIPELINED;
      socket.pause();
    },
    isBusy: (socket) => connections.get(socket)?.isServing === true,
  };
}

const RETRY_AFTER_SECONDS = 1;

function reject(response: ServerResponse): void {
  const error = pinakesError('http.overloaded', { seconds: RETRY_AFTER_SECONDS });
  const retryAfter = String(RETRY_AFTER_SECONDS);
  const headers = { 'content-type': 'application/json', 'retry-after': retryAfter, connection: 'close' };
  response.writeHead(error.httpStatus, headers).end(JSON.stringify(errorBody(error, '')));
}

/**
 * Ends connections to clients that stopped reading, after `stalledMs` in which no byte of a response was accepted, and idle ones.
 * A request that is still being processed may take as long as it needs.
 */
export function closeStalledConnections(server: Server, { isBusy }: RequestQueue, stalledMs: number): void {
  server.timeout = stalledMs;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !isBusy(socket)) socket.destroy();
  });
}
