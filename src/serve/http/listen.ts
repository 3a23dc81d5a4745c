// Listens for HTTP, with limits against deliberately slow clients.

import { getRequestListener } from '@hono/node-server';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pinakesError } from '../../core/model/errors.ts';
import { after } from '../../platform/clock.ts';
import type { AuthDeps } from './auth-middleware.ts';
import { createHttpApp, type HttpApp } from './http-app.ts';
import type { HttpDeps } from './http-deps.ts';
import { exposureOf } from './host-origin-verdict.ts';
import { limitConnections } from './limit-connections.ts';
import { createProbeApp, type ProbeDeps } from './probes.ts';
import { closeStalledConnections, createRequestQueue } from './request-queue.ts';

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1000;
/** A client that accepts no byte of a response for this long is disconnected. */
const STALLED_MS = 30_000;
/** More pending connections are dropped, and the clients retry after a second. The system may allow fewer. */
const LISTEN_BACKLOG = 4096;

/** Above it, connections are closed as they arrive. */
const MAX_CONNECTIONS = 16_384;

/** Share of all connections that one address may have without a token. */
const MAX_ADDRESS_SHARE = 0.25;
/** Share of all connections that one token may have, streams above all. */
const MAX_TOKEN_SHARE = 0.5;

/** How many ports after the default are tried. */
const MORE_PORTS = 20;

/**
 * `mayMove`: the port is the default one, so if it is in use the next free one is taken. Raises `http.exposed`, `http.exposed-name` or
 * `http.port-in-use`.
 */
export async function listen(deps: HttpDeps, mayMove = false): Promise<HttpServer> {
  return listenWith(deps, (more) => createHttpApp({ ...deps, ...more }), mayMove ? MORE_PORTS : 0);
}

/** For a process that serves nothing but its health and its metrics. Raises the same errors. */
export async function listenForProbes(deps: ProbeDeps): Promise<HttpServer> {
  return listenWith(deps, (more) => ({ fetch: createProbeApp({ ...deps, ...more }).fetch, close: () => undefined }));
}

async function listenWith(
  deps: AuthDeps,
  createApp: (more: Required<Pick<AuthDeps, 'onAuthenticated'>>) => Pick<HttpApp, 'fetch' | 'close'>,
  morePorts = 0,
): Promise<HttpServer> {
  const { host, port, allowedHosts, connectionsPerAddress } = deps.settings;
  const exposure = exposureOf(host, allowedHosts);
  if (exposure.kind !== 'local' && deps.issuer === null && !(await deps.tokens.isAny()))
    throw exposure.kind === 'name'
      ? pinakesError('http.exposed-name', exposure)
      : pinakesError('http.exposed', exposure);
  const handle = getRequestListener((request, bindings) => app.fetch(request, bindings as never));
  const queue = createRequestQueue((request, response) => void handle(request, response));
  const server = createServer(
    {
      headersTimeout: REQUEST_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: 65_000,
      requireHostHeader: true,
      noDelay: true,
    },
    queue.handle,
  );
  server.maxConnections = Math.min(MAX_CONNECTIONS, Math.floor(openFileLimit() / 2));
  const perAddress = Math.min(
    connectionsPerAddress,
    Math.max(1, Math.floor(server.maxConnections * MAX_ADDRESS_SHARE)),
  );
  const perToken = Math.max(1, Math.floor(server.maxConnections * MAX_TOKEN_SHARE));
  const app = createApp({ onAuthenticated: limitConnections(server, { perAddress, perToken }).admit });
  closeStalledConnections(server, queue, STALLED_MS);
  await bindTo(server, { host, port }, morePorts);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      app.close();
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
      server.close(() => onClosed());
      server.closeIdleConnections();
      after(2000, () => server.closeAllConnections()).unref();
      await closed;
    },
  };
}

/** A process that cannot open a file any more cannot read its database either. Unlimited where the system does not say. */
function openFileLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? Infinity : Number(limit);
  } catch {
    return Infinity;
  }
}

async function bindTo(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  morePorts: number,
): Promise<void> {
  for (let next = port; ; next += 1) {
    const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen({ port: next, host, backlog: LISTEN_BACKLOG }, resolve);
    try {
      return await listening;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (next - port >= morePorts) throw pinakesError('http.port-in-use', { host, port }, error);
    }
  }
}
