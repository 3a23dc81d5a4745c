// Verifies the access tokens of an issuer (OAuth 2.1 resource server), and maps them to callers with their rights.

import type { JWTPayload } from 'jose';
import { pinakesError } from '../../../core/model/errors.ts';
import { rightsOfClaims, type ClaimRules } from '../../../core/model/oauth-claims.ts';
import type { Principal } from '../../../platform/access-token.ts';
import type { VerifyJwt } from './verify-jwt.ts';

export interface OAuthSettings extends ClaimRules {
  /** The value of the `iss` claim. */
  readonly issuer: string;
  /** The public URL of this server, which clients name as the resource, without a slash at its end. */
  readonly resource: string;
  /** Other audiences of tokens for this server, for issuers that do not know resources. */
  readonly audiences: readonly string[];
}

/** Null unless the text is a valid token of the issuer. Raises `oauth.unavailable`, or `http.forbidden` for one with neither scope. */
export type VerifyIssued = (token: string) => Promise<Principal | null>;

export function createVerifyIssued(settings: OAuthSettings, verifyJwt: VerifyJwt): VerifyIssued {
  const { resource } = settings;
  const audience = [resource, `${resource}/`, `${resource}/mcp`, ...settings.audiences];
  return async (token) => {
    const verified = await verifyJwt(token, audience);
    if (verified === null || !isAccessToken(verified.type, verified.claims)) return null;
    const { claims } = verified;
    const rights = rightsOfClaims(claims, settings);
    if (rights === null) return null;
    const { subject, role, sources } = rights;
    if (role === null)
      throw pinakesError('http.forbidden', {
        reason: `The access token has neither the scope ${settings.readScope} nor ${settings.adminScope}`,
      });
    const until = (claims.exp ?? 0) * 1000;
    return { token: `oauth:${subject}`, role, sources, requestsPerMinute: null, secret: null, session: null, until };
  };
}

/** RFC 9068. Many issuers give their access tokens the type of any JWT, or none. */
const ACCESS_TOKEN_TYPE = 'at+jwt';
const PLAIN_TYPES: ReadonlySet<string> = new Set(['', 'jwt', 'bearer']);
/** Claims of ID and logout tokens, which the same issuer signs for the same audience. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** Another token of the issuer grants nothing, even if its audience is this server. */
function isAccessToken(type: string, claims: JWTPayload): boolean {
  if (type === ACCESS_TOKEN_TYPE) return true;
  const { typ } = claims;
  // Keycloak names the kind in a claim: Bearer, ID, Refresh, Offline or Logout.
  const isPlain =
    PLAIN_TYPES.has(type) && (typ === undefined || (typeof typ === 'string' && PLAIN_TYPES.has(typ.toLowerCase())));
  return isPlain && !FOREIGN_CLAIMS.some((name) => Object.hasOwn(claims, name));
}
