// The key directory of Web Bot Auth: the public keys by which sites verify who crawls them. Each key signs the response, which proves that
// the server of the directory holds it.

import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { secretBytes } from '../../platform/clock.ts';
import { signMessage } from '../../platform/message-signature.ts';
import { publishedAt, type SigningKey } from '../../platform/signing-keys.ts';
import type { Env } from './auth-middleware.ts';
import { KEY_DIRECTORY_PATH, type KeyDirectory } from './http-deps.ts';

const MEDIA_TYPE = 'application/http-message-signatures-directory+json';
/** Shorter than the overlap of a rotation, so that no verifier misses a key. */
const MAX_AGE_SECONDS = 3600;
const NONCE_BYTES = 64;

/** Anyone may request the directory, and each key in it signs: so a response is used for a while. */
const REUSED_MS = 30_000;

export function addKeyDirectory(app: Hono<Env>, directory: KeyDirectory | null, now: () => number): void {
  if (directory === null) return;
  let last: (SignedDirectory & { readonly at: number }) | null = null;
  app.get(KEY_DIRECTORY_PATH, (c) => {
    if (last === null || Math.abs(now() - last.at) > REUSED_MS)
      last = { ...signedDirectory(directory, now()), at: now() };
    return c.body(last.body, 200, last.headers);
  });
}

interface SignedDirectory {
  readonly body: string;
  readonly headers: Record<string, string>;
}

function signedDirectory(directory: KeyDirectory, nowMs: number): SignedDirectory {
  const keys = publishedAt(directory.keys(), nowMs);
  const body = JSON.stringify({ keys: keys.map(publicKeyOf), purpose: 'rag' });
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const authority = new URL(directory.agent).host;
  const signatures = keys.map((key, nth) => signDirectory(key, { authority, digest, nth, nowMs }));
  const headers = {
    'content-type': MEDIA_TYPE,
    'content-digest': digest,
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
    'signature-input': signatures.map((signed) => signed['signature-input']).join(', '),
    signature: signatures.map(({ signature }) => signature).join(', '),
  };
  return { body, headers };
}

function publicKeyOf({ keyId, x, signsFrom, publishedUntil }: SigningKey): object {
  const exp = publishedUntil === null ? {} : { exp: Math.floor(publishedUntil / 1000) };
  return { kty: 'OKP', crv: 'Ed25519', kid: keyId, x, use: 'sig', nbf: Math.floor(signsFrom / 1000), ...exp };
}

interface DirectoryResponse {
  /** The public host, whatever name a proxy in front of the server uses. */
  readonly authority: string;
  readonly digest: string;
  readonly nth: number;
  readonly nowMs: number;
}

function signDirectory(key: SigningKey, { authority, digest, nth, nowMs }: DirectoryResponse) {
  const created = Math.floor(nowMs / 1000);
  return signMessage(
    [
      ['"@authority";req', authority],
      ['"content-digest"', digest],
    ],
    {
      created,
      keyid: key.keyId,
      alg: 'ed25519',
      expires: created + MAX_AGE_SECONDS,
      nonce: secretBytes(NONCE_BYTES).toString('base64'),
      tag: 'http-message-signatures-directory',
    },
    { key: key.privateKey, label: `binding${nth}` },
  );
}
