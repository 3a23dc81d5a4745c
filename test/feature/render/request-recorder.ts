// A third party that a page sends things to: it answers everything, web sockets included, and records what arrived.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../support/certificate.ts';

export interface RequestRecorder {
  /** Such as `https://127.0.0.3:4433`. */
  readonly origin: string;
  /** `GET /path` of each request; an upgrade is `UPGRADE /path`. */
  readonly requests: readonly string[];
  /** Bytes that arrived after an upgrade. */
  readonly socketBytes: () => number;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** The GUID of RFC 6455, section 1.3. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export async function startRecorder(
  protocol: 'http' | 'https',
  host: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<RequestRecorder> {
  const requests: string[] = [];
  let socketBytes = 0;
  const [notBefore, notAfter] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)];
  const server: Server =
    protocol === 'https' ? createTlsServer(selfSigned({ names: [host], notBefore, notAfter })) : createServer();
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`);
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => (socketBytes += part.byteLength));
    const key = `${request.headers['sec-websocket-key']}${WEBSOCKET_GUID}`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = ['HTTP/1.1 101 Switching', 'upgrade: websocket', 'connection: Upgrade'];
    socket.write([...head, `sec-websocket-accept: ${accept}`, '', ''].join('\r\n'));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    origin: `${protocol}://${host}:${(server.address() as AddressInfo).port}`,
    requests,
    socketBytes: () => socketBytes,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
