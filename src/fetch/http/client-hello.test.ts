import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { offeredProtocols } from './client-hello.ts';

/** What a client sends first. */
async function helloWith(ALPNProtocols: string[] | undefined): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }) });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

test('the protocols of a TLS connection are those that its client offers', async () => {
  expect(offeredProtocols(await helloWith(['h2', 'http/1.1']))).toEqual(['h2', 'http/1.1']);
  expect(offeredProtocols(await helloWith(['http/1.1']))).toEqual(['http/1.1']);
  expect(offeredProtocols(await helloWith(undefined))).toEqual([]);
});

test('a part of it is incomplete, and anything else is no TLS', async () => {
  const hello = await helloWith(['h2']);
  for (let length = 0; length < hello.length; length += 1)
    expect(offeredProtocols(hello.subarray(0, length)), String(length)).toBe('incomplete');
  expect(offeredProtocols(Buffer.from('GET /socket HTTP/1.1\r\n'))).toBeNull();
  expect(offeredProtocols(Buffer.from([0x16, 3, 1, 0xff, 0xff]))).toBeNull();
});

test('lengths that lead nowhere end, for every changed byte', async () => {
  const hello = await helloWith(['h2', 'http/1.1']);
  for (let at = 0; at < hello.length; at += 1)
    for (const value of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(hello);
      changed[at] = value;
      expect(() => offeredProtocols(changed)).not.toThrow();
    }
});
