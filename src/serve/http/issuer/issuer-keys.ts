// The public keys of the issuer, located by its metadata and cached. An unknown key id reads them again, at a bounded rate.

import type { JSONWebKeySet, JWK } from 'jose';
import { pinakesError } from '../../core/model/errors.ts';

/** Reads a JSON document of the issuer, through the address guard. Raises if it cannot. */
export type ReadJson = (url: string) => Promise<unknown>;

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

/** Without `jwksUrl` the metadata of the issuer names it, which must then be of the same origin. */
export function createIssuerKeys(
  { issuer, jwksUrl }: { readonly issuer: string; readonly jwksUrl: string | undefined },
  readJson: ReadJson,
  now: () => number,
): IssuerKeys {
  let known: { readonly keys: readonly JWK[]; readonly at: number } | null = null;
  let triedAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    triedAt = now();
    const url = jwksUrl ?? (await discover(issuer, readJson));
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

async function discover(issuer: string, readJson: ReadJson): Promise<string> {
  const metadata = (await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as {
    readonly issuer?: unknown;
    readonly jwks_uri?: unknown;
  };
  const url = typeof metadata.jwks_uri === 'string' ? URL.parse(metadata.jwks_uri) : null;
  const isOurs = metadata.issuer === issuer && url !== null && url.origin === new URL(issuer).origin;
  if (!isOurs) throw new Error('the metadata is not that of the issuer');
  return url.href;
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
