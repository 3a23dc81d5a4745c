// A server on loopback that records its requests.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
}

export interface CountingServer {
  readonly port: number;
  readonly requests: RecordedRequest[];
  /** Connections, including those without a request. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function startCountingServer(answer: RequestListener, host = '127.0.0.1'): Promise<CountingServer> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers, rawHeaders: request.rawHeaders });
    answer(request, response);
  });
  server.on('connection', () => connections++);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, host, resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
