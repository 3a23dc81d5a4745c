// A port that a server can be started on again and again, so that its clients find it after a restart.

import { createServer, type AddressInfo } from 'node:net';
import { until } from '../support/until.ts';

export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const { port } = server.address() as AddressInfo;
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
  server.close(() => tellClosed());
  await closed;
  return port;
}

export async function untilAnswers(port: number): Promise<void> {
  await until('the server answers', () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}
