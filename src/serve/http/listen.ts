// Listens for HTTP, with limits against clients that are slow on purpose.

import { getRequestListener } from '@hono/node-server';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pinakesError } from '../../core/model/errors.ts';
import { fewAtATurn } from './few-at-a-turn.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpDeps } from './http-deps.ts';
import { isLoopback } from './is-loopback.ts';

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

const SLOWEST_REQUEST_MS = 15_000;
const CHECK_EVERY_MS = 1000;
/** Each takes a millisecond or two. */
const REQUESTS_IN_A_TURN = 10;
/** More that knock at once are sent away, and knock again after a second. The system may allow fewer. */
const MOST_KNOCKING = 4096;

/** Raises `http.exposed` or `http.port-taken`. */
export async function listen(deps: HttpDeps): Promise<HttpServer> {
  const { host, port } = deps.settings;
  if (!isLoopback(host) && (await deps.tokens()).length === 0) throw pinakesError('http.exposed', { host });
  const app = createHttpApp(deps);
  const answer = getRequestListener((request, bindings) => app.fetch(request, bindings as never));
  const server = createServer(
    {
      headersTimeout: SLOWEST_REQUEST_MS,
      requestTimeout: SLOWEST_REQUEST_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: 65_000,
      requireHostHeader: true,
      noDelay: true,
    },
    fewAtATurn(REQUESTS_IN_A_TURN, (request: IncomingMessage, response: ServerResponse) => {
      void answer(request, response);
    }),
  );
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'EADDRINUSE' ? pinakesError('http.port-taken', { host, port }) : error),
  );
  server.listen({ port, host, backlog: MOST_KNOCKING }, resolve);
  await listening;
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      app.hub.close();
      const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
      server.close(() => tellClosed());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 2000).unref();
      await closed;
    },
  };
}
