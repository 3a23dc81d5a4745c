import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { selfSigned } from '../../../test/support/certificate.ts';
import { cancelStatement } from './pg-driver.ts';

const SSL_REQUEST = '0000000804d2162f';
/** Length, code, process 7, key 9. */
const CANCEL_REQUEST = '0000001004d2162e0000000700000009';

const dayMs = 86_400_000;
const certificate = selfSigned({
  names: ['127.0.0.1'],
  notBefore: new Date(Date.now() - dayMs),
  notAfter: new Date(Date.now() + dayMs),
});

let close = (): void => undefined;
afterEach(() => close());

/** A server that accepts TLS if it is asked for, and what it receives in clear text and inside TLS. */
async function startServer(): Promise<{ readonly port: number; readonly clear: string[]; readonly inTls: string[] }> {
  const [clear, inTls]: [string[], string[]] = [[], []];
  const secureContext = createSecureContext(certificate);
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      clear.push(bytes.toString('hex'));
      if (bytes.toString('hex') !== SSL_REQUEST) return socket.end();
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      return secure.once('data', (inside: Buffer) => {
        inTls.push(inside.toString('hex'));
        secure.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  return { port: (server.address() as AddressInfo).port, clear, inTls };
}

const backend = { processID: 7, secretKey: 9, host: '127.0.0.1' } as const;

test('the key of a session with TLS is sent inside TLS only (finding V27)', async () => {
  const { port, clear, inTls } = await startServer();
  expect(await cancelStatement({ ...backend, port, ssl: { ca: certificate.cert } })).toBe(true);
  expect({ clear, inTls }).toEqual({ clear: [SSL_REQUEST], inTls: [CANCEL_REQUEST] });
});

test('a server whose certificate is not trusted does not get it (finding V27)', async () => {
  const { port, inTls } = await startServer();
  expect(await cancelStatement({ ...backend, port, ssl: true })).toBe(false);
  expect(inTls).toEqual([]);
});

test('a session without TLS is cancelled without it', async () => {
  const { port, clear } = await startServer();
  expect(await cancelStatement({ ...backend, port, ssl: false })).toBe(true);
  expect(clear).toEqual([CANCEL_REQUEST]);
});
