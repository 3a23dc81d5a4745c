// A site that lets in only requests with a fresh signature for itself, verified by the packages of the protocol's authors.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { component, verifySignature, webcrypto } from 'http-message-sig';

export interface PublicJwk {
  readonly kid?: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
}

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Why the request was rejected; null if it was let in. */
  readonly rejected: string | null;
}

export interface VerifyingSite {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

const AGENT_COMPONENT = component('signature-agent', { key: 'sig1' });

/** Remembers nonces, so each verifier rejects a signature that it has seen. */
export function createVerifier(keys: ReadonlyMap<string, PublicJwk>, nowSeconds: () => number) {
  const nonces = new Set<string>();
  return async (url: string, headers: Readonly<Record<string, string>>): Promise<string | null> => {
    try {
      const { parameters } = await verifySignature(
        { kind: 'request', method: 'GET', targetUri: url, fields: fieldsOf(headers) },
        {
          policy: {
            algorithms: ['ed25519'],
            requiredComponents: ['@authority', AGENT_COMPONENT],
            requiredParameters: ['created', 'expires', 'keyid', 'nonce', 'tag'],
            maxAge: 60,
            now: nowSeconds(),
          },
          async resolveVerifier({ parameters: { keyid } }) {
            const { kty, crv, x } = keys.get(String(keyid)) ?? { kty: '', crv: '', x: '' };
            if (x === '') throw new Error('unknown key');
            const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, true, ['verify']);
            return webcrypto.verifier(key);
          },
        },
      );
      if (parameters['tag'] !== 'web-bot-auth') return 'another tag';
      const nonce = String(parameters['nonce']);
      if (Buffer.from(nonce, 'base64').length !== 64) return 'a short nonce';
      if (nonces.has(nonce)) return 'replayed';
      nonces.add(nonce);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

export async function openVerifyingSite(
  keys: ReadonlyMap<string, PublicJwk>,
  respond: (path: string) => {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  },
): Promise<VerifyingSite> {
  const verify = createVerifier(keys, () => Math.floor(Date.now() / 1000));
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const headers = headersOf(request);
      const path = request.url ?? '';
      const rejected = await verify(`http://${headers['host']}${path}`, headers);
      seen.push({ path, headers, rejected });
      const { status = 200, headers: sent = {}, body = '' } = rejected === null ? respond(path) : { status: 403 };
      response.writeHead(status, { 'content-type': 'text/html', ...sent }).end(body);
    })();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function fieldsOf(headers: Readonly<Record<string, string>>): Array<{ name: string; value: string }> {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
