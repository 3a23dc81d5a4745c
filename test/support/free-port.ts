// A port on which a server can be restarted, so that its clients find it again.

import { createServer, type AddressInfo } from 'node:net';
import { waitUntil } from './wait-until.ts';

export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const { port } = server.address() as AddressInfo;
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  server.close(() => onClosed());
  await closed;
  return port;
}

export async function untilAnswers(port: number): Promise<void> {
  await waitUntil('the server responds', () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}
