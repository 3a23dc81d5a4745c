// Listens for HTTP, with limits against deliberately slow clients.

import { getRequestListener } from '@hono/node-server';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pinakesError } from '../../core/model/errors.ts';
import { limitPerTick } from './load-shedder.ts';
import { createHttpApp } from './http-app.ts';
import type { HttpDeps } from './http-deps.ts';
import { isLoopback } from './host-origin-verdict.ts';

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1000;
/** Each takes one or two milliseconds. */
const REQUESTS_PER_TICK = 10;
/** More pending connections are dropped, and the clients retry after a second. The system may allow fewer. */
const LISTEN_BACKLOG = 4096;

/** Raises `http.exposed` or `http.port-taken`. */
export async function listen(deps: HttpDeps): Promise<HttpServer> {
  const { host, port } = deps.settings;
  if (!isLoopback(host) && (await deps.tokens()).length === 0) throw pinakesError('http.exposed', { host });
  const app = createHttpApp(deps);
  const handle = getRequestListener((request, bindings) => app.fetch(request, bindings as never));
  const server = createServer(
    {
      headersTimeout: REQUEST_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: 65_000,
      requireHostHeader: true,
      noDelay: true,
    },
    limitPerTick(REQUESTS_PER_TICK, (request: IncomingMessage, response: ServerResponse) => {
      void handle(request, response);
    }),
  );
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'EADDRINUSE' ? pinakesError('http.port-taken', { host, port }) : error),
  );
  server.listen({ port, host, backlog: LISTEN_BACKLOG }, resolve);
  await listening;
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      app.hub.close();
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
      server.close(() => onClosed());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 2000).unref();
      await closed;
    },
  };
}
