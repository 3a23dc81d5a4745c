// Access tokens that an attacker may present, by what is wrong with each.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { TestIssuer } from './issuer.ts';

/** `other` is an issuer that is not trusted. */
export function hostileTokens(
  issuer: TestIssuer,
  other: TestIssuer,
  resource: string,
): ReadonlyArray<readonly [name: string, make: () => string | Promise<string>]> {
  const seconds = (more: number): number => Math.floor(Date.now() / 1000) + more;
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const key = () => issuer.publicKeys()[0]!;
  const claims = (): object => ({
    iss: issuer.url,
    aud: resource,
    sub: 'eve',
    scope: 'pinakes:admin',
    exp: seconds(300),
  });
  const unsigned = (alg: string): string => `${encode({ alg, kid: key().kid })}.${encode(claims())}.`;
  const shared = (alg: string, secret: string): string => {
    const content = `${encode({ alg, kid: key().kid })}.${encode(claims())}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };
  const foreign = (head: object): string => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const content = `${encode({ alg: 'ES256', kid: key().kid, ...head })}.${encode(claims())}`;
    return `${content}.${sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  return [
    ['alg none', () => unsigned('none')],
    ['alg None', () => unsigned('None')],
    ['no signature', () => unsigned('ES256')],
    ['HS256 with the public key', () => shared('HS256', JSON.stringify(key()))],
    ['HS256 with its coordinate', () => shared('HS256', String(key().x))],
    ['HS256 with an empty secret', () => shared('HS256', '')],
    ['a foreign key under a known id', () => foreign({})],
    ['a list as its type', () => issuer.token({ sub: 'eve' }, { typ: ['at+jwt'] })],
    ['an end beyond any date', () => issuer.token({ sub: 'eve', exp: 1e300 })],
    ['its own key in the head', () => foreign({ jwk: key(), jku: `${other.url}/keys`, x5u: other.url })],
    ['a critical extension', () => foreign({ crit: ['exp'] })],
    ['no key id', () => issuer.token({}, { kid: undefined })],
    ['a key id that is a path', () => issuer.token({}, { kid: '../../../../dev/null' })],
    ['a key id that is SQL', () => issuer.token({}, { kid: "' or 1=1 --" })],
    ['a key id that is a URL', () => issuer.token({}, { kid: `${other.url}/keys` })],
    ['a long key id', () => issuer.token({}, { kid: 'k'.repeat(2000) })],
    ['another issuer', () => other.token()],
    ['another issuer that claims to be this one', () => other.token({ iss: issuer.url })],
    ['the issuer with a slash', () => issuer.token({ iss: `${issuer.url}/` })],
    ['a wrong audience', () => issuer.token({ aud: 'https://evil.example' })],
    ['a longer audience', () => issuer.token({ aud: `${resource}.evil.example` })],
    ['no audience', () => issuer.token({ aud: undefined })],
    ['expired', () => issuer.token({ exp: seconds(-3600) })],
    ['without an end', () => issuer.token({ exp: undefined })],
    ['an end that is text', () => issuer.token({ exp: 'never' })],
    ['not valid yet', () => issuer.token({ nbf: seconds(3600) })],
    ['an ID token with a nonce', () => issuer.token({ nonce: 'n' })],
    ['an ID token with the hash of an access token', () => issuer.token({ at_hash: 'h' })],
    ['an ID token of Keycloak', () => issuer.token({ typ: 'ID' }, { typ: 'JWT' })],
    ['a refresh token of Keycloak', () => issuer.token({ typ: 'Refresh' }, { typ: 'JWT' })],
    ['a kind that is a list', () => issuer.token({ typ: ['Bearer'] })],
    ['a logout token', () => issuer.token({}, { typ: 'logout+jwt' })],
    ['a token of another type', () => issuer.token({}, { typ: 'dpop+jwt' })],
    ['no subject', () => issuer.token({ sub: undefined })],
    ['a subject that a database rejects', () => issuer.token({ sub: 'ada\u0000' })],
    ['a subject that a terminal obeys', () => issuer.token({ sub: '\u001b[2Jada' })],
    ['a subject that reads backwards', () => issuer.token({ sub: 'ada\u202Enimda' })],
    ['a subject of 256 characters', () => issuer.token({ sub: 'a'.repeat(256) })],
    ['nested too deep', () => `${'['.repeat(2000)}.${'['.repeat(2000)}.x`],
    ['of 8 kB', () => `${'a'.repeat(4000)}.${'b'.repeat(3000)}.${'c'.repeat(1000)}`],
    ['a changed payload', async () => (await issuer.token()).replace(/\.[^.]+\./, `.${encode(claims())}.`)],
  ];
}
