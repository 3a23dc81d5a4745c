// A server on loopback that records its requests.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  /** Status of the response; 200 until it is sent. */
  readonly status: number;
}

export interface CountingServer {
  readonly port: number;
  readonly requests: RecordedRequest[];
  /** Connections, including those without a request. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export async function startCountingServer(
  answer: RequestListener,
  host = '127.0.0.1',
  ports: readonly number[] = [0],
): Promise<CountingServer> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const { url = '', headers, rawHeaders } = request;
    requests.push({
      url,
      headers,
      rawHeaders,
      get status() {
        return response.statusCode;
      },
    });
    answer(request, response);
  });
  server.on('connection', () => connections++);
  return {
    port: await listenOnOneOf(server, ports, host),
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

/** The first that is free; 0 stands for any. */
async function listenOnOneOf(server: Server, ports: readonly number[], host: string): Promise<number> {
  for (const port of ports) {
    server.listen(port, host);
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isListening) return (server.address() as AddressInfo).port;
  }
  throw new Error(`none of ${ports.length} ports is free`);
}
