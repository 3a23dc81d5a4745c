// Verifies the access tokens of an issuer (OAuth 2.1 resource server): signature, issuer, audience and times, with fixed algorithms. The
// cost of a token before its signature is verified is bounded by its length.

import { pinakesError } from '../../core/model/errors.ts';
import { rightsOfClaims, type ClaimRules } from '../../core/model/oauth-claims.ts';
import type { Principal } from '../../platform/access-token.ts';
import { createIssuerKeys, type ReadJson } from './issuer-keys.ts';

export interface OAuthSettings extends ClaimRules {
  /** The value of the `iss` claim. */
  readonly issuer: string;
  readonly jwksUrl: string | undefined;
  /** The public URL of this server, which clients name as the resource, without a slash at its end. */
  readonly resource: string;
  /** Other audiences of tokens for this server, for issuers that do not know resources. */
  readonly audiences: readonly string[];
}

/** Null unless the text is a valid token of the issuer. Raises `oauth.unavailable`, or `http.forbidden` for one with neither scope. */
export type VerifyIssued = (token: string) => Promise<Principal | null>;

/** Asymmetric algorithms only: with a symmetric one, the public key could be used as the shared secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const MAX_KEY_ID_CHARS = 200;
const CLOCK_TOLERANCE_SECONDS = 30;

export function createVerifyIssued(settings: OAuthSettings, readJson: ReadJson, now: () => number): VerifyIssued {
  const keys = createIssuerKeys(settings, readJson, now);
  const { resource } = settings;
  const audience = [resource, `${resource}/`, `${resource}/mcp`, ...settings.audiences];
  return async (token) => {
    const keyId = keyIdOf(token);
    if (keyId === null) return null;
    const keySet = await keys.find(keyId);
    if (keySet.keys.length === 0) return null;
    const { createLocalJWKSet, jwtVerify } = await import('jose');
    const claims = await jwtVerify(token, createLocalJWKSet(keySet), {
      issuer: settings.issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
    }).then(
      ({ payload }) => payload,
      () => null,
    );
    const rights = claims === null ? null : rightsOfClaims(claims, settings);
    if (claims === null || rights === null) return null;
    const { subject, role, sources } = rights;
    if (role === null)
      throw pinakesError('http.forbidden', {
        reason: `The access token has neither the scope ${settings.readScope} nor ${settings.adminScope}`,
      });
    const until = (claims.exp ?? 0) * 1000;
    return { token: `oauth:${subject}`, role, sources, requestsPerMinute: null, secret: null, until };
  };
}

/** The key id, if the token's header names an accepted algorithm. A key location in the header is ignored. */
function keyIdOf(token: string): string | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const head = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString()) as Readonly<Record<string, unknown>>;
    const { alg, kid, crit } = head;
    const isPlain = typeof alg === 'string' && ALGORITHMS.includes(alg) && crit === undefined;
    return isPlain && typeof kid === 'string' && kid !== '' && kid.length <= MAX_KEY_ID_CHARS ? kid : null;
  } catch {
    return null;
  }
}
