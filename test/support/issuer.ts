// A small issuer on loopback: metadata, keys that can be rotated, and tokens with any claims.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

export interface TestIssuer {
  readonly url: string;
  /** How often its documents were read. */
  readonly reads: () => number;
  readonly publicKeys: () => readonly JWK[];
  token(claims?: Readonly<Record<string, unknown>>, head?: Readonly<Record<string, unknown>>): Promise<string>;
  rotate(): Promise<void>;
  /** The keys stay, and it answers nothing any more. */
  close(): Promise<void>;
}

export async function startIssuer(resource: string): Promise<TestIssuer> {
  const keys: { readonly jwk: JWK; readonly privateKey: CryptoKey }[] = [];
  let reads = 0;
  const server = createServer((request, response) => {
    reads += 1;
    const metadata = { issuer: url, jwks_uri: `${url}/keys` };
    const body = request.url === '/keys' ? { keys: keys.map(({ jwk }) => jwk) } : metadata;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    keys.unshift({ jwk: { ...(await exportJWK(publicKey)), kid: `key-${keys.length}`, use: 'sig' }, privateKey });
  }

  await rotate();
  return {
    url,
    reads: () => reads,
    publicKeys: () => keys.map(({ jwk }) => jwk),
    rotate,
    async token(claims = {}, head = {}) {
      const [{ jwk, privateKey }] = keys as [(typeof keys)[0]];
      const now = Math.floor(Date.now() / 1000);
      const common = { iss: url, aud: resource, sub: 'ada', scope: 'pinakes:read', iat: now, exp: now + 300 };
      const payload = Object.fromEntries(
        Object.entries({ ...common, ...claims }).filter(([, value]) => value !== undefined),
      );
      return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: jwk.kid!, ...head }).sign(privateKey);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
