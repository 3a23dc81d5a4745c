// A server on loopback that keeps what it was asked.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
}

export interface CountingServer {
  readonly port: number;
  readonly asked: Asked[];
  /** Connections, even those that asked nothing. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function countingServer(answer: RequestListener, host = '127.0.0.1'): Promise<CountingServer> {
  const asked: Asked[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers, rawHeaders: request.rawHeaders });
    answer(request, response);
  });
  server.on('connection', () => connections++);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, host, resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
