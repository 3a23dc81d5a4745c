// The public keys of the issuer, located by its metadata and cached. An unknown key id reads them again, at a bounded rate.

import type { JSONWebKeySet, JWK } from 'jose';
import { pinakesError } from '../../../core/model/errors.ts';
import type { ReadJson, ReadMetadata } from './issuer-metadata.ts';

export interface IssuerKeys {
  /** The keys that may verify a token with this key id. Raises `oauth.unavailable` if none were ever read. */
  find(keyId: string): Promise<JSONWebKeySet>;
}

const MAX_AGE_MS = 600_000;
/** The minimum time between two reads because of an unknown key id, however many callers send one. */
const COOLDOWN_MS = 30_000;
/** How long the last keys are used while the issuer cannot be reached. */
const MAX_STALE_MS = 86_400_000;
const MAX_KEYS = 100;

export interface IssuerKeysDeps {
  readonly issuer: string;
  /** Without it, the metadata of the issuer names it. */
  readonly jwksUrl: string | undefined;
  readonly readMetadata: ReadMetadata;
  readonly readJson: ReadJson;
  readonly now: () => number;
}

export function createIssuerKeys({ issuer, jwksUrl, readMetadata, readJson, now }: IssuerKeysDeps): IssuerKeys {
  let known: { readonly keys: readonly JWK[]; readonly at: number } | null = null;
  let triedAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    triedAt = now();
    const url = jwksUrl ?? (await readMetadata()).jwksUrl;
    if (url === null) throw new Error('the metadata names no keys of the same origin');
    known = { keys: usableKeys(await readJson(url)), at: now() };
  }

  async function refresh(): Promise<void> {
    if (reading === null && now() - triedAt < COOLDOWN_MS) return;
    reading ??= read().finally(() => (reading = null));
    await reading.catch(() => undefined);
  }

  const isKnown = (keyId: string): boolean => known?.keys.some(({ kid }) => kid === keyId) === true;

  return {
    async find(keyId) {
      const isFresh = known !== null && now() - known.at < MAX_AGE_MS;
      if (!isFresh || !isKnown(keyId)) await refresh();
      if (known === null || now() - known.at > MAX_STALE_MS) throw pinakesError('oauth.unavailable', { issuer });
      return { keys: known.keys.filter(({ kid }) => kid === keyId) };
    },
  };
}

/** Public keys for signatures. A symmetric one would let anyone who reads it sign. */
function usableKeys(set: unknown): readonly JWK[] {
  const { keys } = (set ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('there are no keys');
  const usable = keys.slice(0, MAX_KEYS).filter((key: unknown): key is JWK => {
    const { kty, use, kid } = (key ?? {}) as JWK;
    return typeof kid === 'string' && (kty === 'RSA' || kty === 'EC' || kty === 'OKP') && (use ?? 'sig') === 'sig';
  });
  return usable;
}
