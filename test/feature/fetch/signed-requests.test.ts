// Sites that verify signatures let in the requests of a crawl, and reject what others make of them.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signatureHeaders, verify as verifyByPackage } from 'web-bot-auth';
import { signerFromJWK, verifierFromJWK } from 'web-bot-auth/crypto';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import { fetchFollowingRedirects } from '../../../src/fetch/follow-redirects.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import { createSignRequest, type SignRequest } from '../../../src/fetch/http/sign-request.ts';
import { signMessage } from '../../../src/platform/message-signature.ts';
import { generateSigningKeys, rotateSigningKeys, type SigningKey } from '../../../src/platform/signing-keys.ts';
import { createCrawler } from '../../support/crawl.ts';
import { createVerifier, openVerifyingSite, type PublicJwk } from '../../support/signature-verifier.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const AGENT = 'https://crawler.example';
const HTML =
  '<html><head><title>Guide</title></head><body><main><h1>Guide</h1><p>Text about the pool of connections.</p>';

let folder: string;
let signingKeys: string;
let keys: Map<string, PublicJwk>;
let sign: SignRequest;

const publish = (list: readonly SigningKey[]): void => {
  for (const { keyId, x } of list) keys.set(keyId, { kty: 'OKP', crv: 'Ed25519', x });
};

beforeEach(() => {
  folder = temporaryDirectory();
  signingKeys = join(folder, 'keys.json');
  keys = new Map();
  publish(generateSigningKeys(signingKeys, Date.now()));
  sign = createSignRequest({ signingKeys, signatureAgent: AGENT }, Date.now)!;
});
afterEach(() => rmSync(folder, { recursive: true }));

const seconds = (): number => Math.floor(Date.now() / 1000);

test('without keys, or without an origin to publish them, nothing is signed', () => {
  expect(createSignRequest({}, Date.now)).toBeNull();
  expect(createSignRequest({ signingKeys }, Date.now)).toBeNull();
});

test('a signature lets one request in at one host, for a minute', async () => {
  const url = 'https://Docs.Example.dev:443/guide?a=b';
  const signed = { ...sign(new URL(url)) };
  expect(signed).toMatchObject({ 'signature-agent': `sig1="${AGENT}"` });
  const at = (later: number) => createVerifier(keys, () => seconds() + later);
  const verify = at(0);
  expect(await verify(url, signed)).toBeNull();
  expect(await verify(url, signed), 'replayed').toBe('replayed');
  expect(await at(0)('https://evil.example/guide', signed), 're-hosted').toContain('failed');
  expect(await at(0)('https://docs.example.dev:8443/guide', signed), 'another port').toContain('failed');
  expect(await at(61)(url, signed), 'expired').toContain('expired');
  expect(await at(-10)(url, signed), 'from the future').toContain('future');
  expect(await createVerifier(new Map(), seconds)(url, signed), 'unknown key').toContain('resolution');
  const changed = Object.entries({
    'signature-agent': 'sig1="https://evil.example"',
    'signature-input': signed['signature-input']!.replace(/expires=\d+/, 'expires=4889289600'),
    signature: signed['signature']!.replace(/:.{8}/, ':AAAAAAAA'),
  });
  for (const [name, value] of changed) expect(await at(0)(url, { ...signed, [name]: value }), name).toContain('failed');
  const { 'signature-agent': _, ...rest } = signed;
  expect(await at(0)(url, rest), 'without its agent').not.toBeNull();
});

test('every signature has its own nonce', () => {
  const url = new URL('https://docs.example.dev/');
  expect(sign(url)['signature-input']).not.toBe(sign(url)['signature-input']);
});

test('the package of the protocol verifies our signatures, and we make the same as it', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' }) as JsonWebKey;
  const url = 'https://docs.example.dev/guide';
  const signer = await signerFromJWK(jwk);
  const created = new Date(Math.floor(Date.now() / 1000) * 1000);
  const nonce = Buffer.alloc(64, 7).toString('base64');
  const theirs = await signatureHeaders(new Request(url), signer, {
    created,
    expires: new Date(+created + 60_000),
    nonce,
  });
  const parameters = theirs['Signature-Input'].includes(';created=') ? parametersOf(theirs['Signature-Input']) : {};
  const ours = signMessage([['"@authority"', 'docs.example.dev']], parameters, {
    key: createPrivateKey({ key: jwk as never, format: 'jwk' }),
    label: 'sig1',
  });
  expect(ours).toEqual({ 'signature-input': theirs['Signature-Input'], signature: theirs['Signature'] });
  const verifier = await verifierFromJWK(jwk);
  await verifyByPackage(new Request(url, { headers: { ...ours } }), verifier);
  await expect(
    verifyByPackage(new Request('https://evil.example/', { headers: { ...ours } }), verifier),
  ).rejects.toThrow('invalid signature');
});

function parametersOf(input: string): Record<string, string | number> {
  const found = [...input.matchAll(/;(\w+)=(?:"([^"]*)"|(\d+))/g)];
  return Object.fromEntries(found.map(([, name = '', text, number]) => [name, text ?? Number(number)]));
}

test('all requests of a crawl are signed, each for its own host, also after a redirect', async () => {
  const other = await openVerifyingSite(keys, () => ({ body: `${HTML}<p>Elsewhere.</p>` }));
  const site = await openVerifyingSite(keys, (path) => {
    if (path === '/robots.txt') return { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nAllow: /\n' };
    if (path === '/sitemap.xml') return { status: 404 };
    if (path === '/moved') return { status: 302, headers: { location: `${site.url}/there` } };
    if (path === '/away') return { status: 302, headers: { location: `${other.url}/elsewhere` } };
    return { body: `${HTML}<p>${path}</p><a href="/moved">a</a> <a href="/away">b</a>` };
  });
  const crawler = await createCrawler({ fetch: { sign } });
  try {
    const run = await crawler.crawl(`${site.url}/`, { preset: 'basic-with-sitemap' } as never);
    expect(run.endedAt).not.toBeNull();
    expect(site.seen.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/robots.txt', '/sitemap.xml', '/', '/moved', '/away', '/there']),
    );
    const seen = [...site.seen, ...other.seen];
    expect(seen.filter(({ rejected }) => rejected !== null)).toEqual([]);
    expect(new Set(seen.map(({ headers }) => headers['signature'])).size).toBe(seen.length);
  } finally {
    await crawler.close();
    await Promise.all([site.close(), other.close()]);
  }
});

test('a redirect to another host is followed with a signature for that host', async () => {
  const other = await openVerifyingSite(keys, () => ({ body: HTML }));
  const site = await openVerifyingSite(keys, () => ({ status: 302, headers: { location: `${other.url}/there` } }));
  const fetcher = createHttpFetcher({ userAgent: 't', allowCidrs: ['127.0.0.1/32'], sign });
  const { url, end } = await fetchFollowingRedirects(`${site.url}/` as PageUrl, {
    request: (each) => fetcher.fetch({ url: each }),
    maxRedirects: 5,
  });
  expect(url).toBe(`${other.url}/there`);
  expect(end).toMatchObject({ kind: 'response', outcome: { kind: 'fetched' } });
  expect([...site.seen, ...other.seen].map(({ rejected }) => rejected)).toEqual([null, null]);
  await fetcher.close();
  await Promise.all([site.close(), other.close()]);
});

test('headers of a source do not replace a signature', async () => {
  const site = await openVerifyingSite(keys, () => ({ body: HTML }));
  const fetcher = createHttpFetcher({ userAgent: 't', allowCidrs: ['127.0.0.1/32'], sign });
  const headers = { Signature: 'sig1=:AAAA:', 'signature-agent': 'sig1="https://evil.example"' };
  expect((await fetcher.fetch({ url: `${site.url}/x` as PageUrl, headers })).kind).toBe('fetched');
  expect(site.seen[0]?.headers['signature-agent']).toBe(`sig1="${AGENT}"`);
  await fetcher.close();
  await site.close();
});

test('a rotation signs with the new key once its overlap has passed', async () => {
  let now = Date.now();
  const rotating = createSignRequest({ signingKeys, signatureAgent: AGENT }, () => now)!;
  const url = new URL('https://docs.example.dev/');
  const keyOf = (headers: Readonly<Record<string, string>>): string =>
    /keyid="([^"]+)"/.exec(headers['signature-input'] ?? '')?.[1] ?? '';
  const before = keyOf(rotating(url));
  publish(rotateSigningKeys(signingKeys, { now, overlapMs: 3_600_000, revokes: false }));
  now += 60_000;
  expect(keyOf(rotating(url))).toBe(before);
  now += 3_600_000;
  const headers = rotating(url);
  expect(keyOf(headers)).not.toBe(before);
  expect(await createVerifier(keys, () => Math.floor(now / 1000))(url.href, headers)).toBeNull();
});
