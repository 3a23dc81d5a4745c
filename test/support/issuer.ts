// A small issuer on loopback: metadata, keys that can be rotated, tokens with any claims, and the code flow of one client, with faults.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

type Claims = Readonly<Record<string, unknown>>;

/** What the issuer does differently from now on. */
export interface IssuerFaults {
  /** Changes its response to a sign-in. */
  response?: (fields: URLSearchParams) => void;
  accessClaims?: Claims;
  accessHead?: Claims;
  idClaims?: Claims;
  /** Replaces the tokens of a response. */
  tokens?: (tokens: { access_token: string; id_token: string }) => Promise<object> | object;
  /** Accepts a code any number of times, and without a verifier. */
  isCareless?: boolean;
}

export interface TestIssuer {
  readonly url: string;
  /** How often its documents were read. */
  readonly reads: () => number;
  /** What its token endpoint received, with the login of the client. */
  readonly exchanges: ReadonlyArray<{ readonly fields: URLSearchParams; readonly login: string | undefined }>;
  readonly publicKeys: () => readonly JWK[];
  faults: IssuerFaults;
  token(claims?: Claims, head?: Claims): Promise<string>;
  rotate(): Promise<void>;
  /** The keys stay, and it answers nothing any more. */
  close(): Promise<void>;
}

export const TEST_CLIENT = 'dashboard';

export async function startIssuer(resource: string): Promise<TestIssuer> {
  const keys: { readonly jwk: JWK; readonly privateKey: CryptoKey }[] = [];
  const codes = new Map<string, { readonly challenge: string; readonly nonce: string }>();
  const exchanges: { fields: URLSearchParams; login: string | undefined }[] = [];
  let reads = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/authorize') return void response.writeHead(302, { location: authorize(searchParams) }).end();
    if (pathname === '/token')
      return void issue(request).then(
        (body) => send(200, body),
        () => send(400, { error: 'invalid_grant' }),
      );
    reads += 1;
    return send(200, pathname === '/keys' ? { keys: keys.map(({ jwk }) => jwk) } : metadata());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadata = () => ({
    issuer: url,
    jwks_uri: `${url}/keys`,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    authorization_response_iss_parameter_supported: true,
  });

  /** The user is signed in at the issuer already, and agrees. */
  function authorize(query: URLSearchParams): string {
    const code = randomUUID();
    codes.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce') ?? '' });
    const fields = new URLSearchParams({ code, state: query.get('state') ?? '', iss: url });
    issuer.faults.response?.(fields);
    return `${query.get('redirect_uri')}?${fields.toString()}`;
  }

  async function issue(request: IncomingMessage): Promise<object> {
    let text = '';
    for await (const bytes of request) text += String(bytes);
    const fields = new URLSearchParams(text);
    exchanges.push({ fields, login: request.headers.authorization });
    const { isCareless, accessClaims, accessHead, idClaims, tokens } = issuer.faults;
    const code = fields.get('code') ?? '';
    const begun = codes.get(code) ?? (isCareless === true ? { challenge: '', nonce: '' } : undefined);
    if (isCareless !== true) codes.delete(code);
    const challenge = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url');
    if (begun === undefined || (isCareless !== true && challenge !== begun.challenge)) throw new Error('invalid_grant');
    const id = { aud: TEST_CLIENT, nonce: begun.nonce, name: 'Ada Lovelace', scope: undefined, ...idClaims };
    const both = { access_token: await issuer.token(accessClaims, accessHead), id_token: await issuer.token(id) };
    return { token_type: 'Bearer', ...(tokens === undefined ? both : await tokens(both)) };
  }

  async function rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    keys.unshift({ jwk: { ...(await exportJWK(publicKey)), kid: `key-${keys.length}`, use: 'sig' }, privateKey });
  }

  await rotate();
  const issuer: TestIssuer = {
    url,
    reads: () => reads,
    exchanges,
    publicKeys: () => keys.map(({ jwk }) => jwk),
    faults: {},
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
  return issuer;
}
