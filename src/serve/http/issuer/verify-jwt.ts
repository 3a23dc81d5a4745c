// Verifies JWTs of the issuer: signature, issuer, audience and times, with fixed algorithms. The cost of a token before its signature is
// verified is bounded by its length.

import type { JWTPayload } from 'jose';
import type { IssuerKeys } from './issuer-keys.ts';

export interface VerifiedJwt {
  readonly claims: JWTPayload;
  /** The type in its header, in lower case and without `application/`; empty if it has none. */
  readonly type: string;
}

/** Null unless the text is a JWT of the issuer for one of these audiences. Raises `oauth.unavailable`. */
export type VerifyJwt = (token: string, audience: readonly string[]) => Promise<VerifiedJwt | null>;

/** Asymmetric algorithms only: with a symmetric one, the public key could be used as the shared secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const MAX_KEY_ID_CHARS = 200;
const CLOCK_TOLERANCE_SECONDS = 30;

export function createVerifyJwt(issuer: string, keys: IssuerKeys, now: () => number): VerifyJwt {
  return async (token, audience) => {
    const keyId = keyIdOf(token);
    if (keyId === null) return null;
    const keySet = await keys.find(keyId);
    if (keySet.keys.length === 0) return null;
    const { createLocalJWKSet, jwtVerify } = await import('jose');
    return jwtVerify(token, createLocalJWKSet(keySet), {
      issuer,
      audience: [...audience],
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub'],
    }).then(
      ({ payload, protectedHeader: { typ = '' } }) => verifiedJwt(payload, typ),
      () => null,
    );
  };
}

/** The last time that a date can stand for, in seconds. */
const MAX_EXPIRY = 8_640_000_000_000;

/** Null for a header or a time of another kind: the fault is that of the issuer, and the caller is told that the token is not valid. */
function verifiedJwt(claims: JWTPayload, typ: unknown): VerifiedJwt | null {
  if (typeof typ !== 'string' || (claims.exp ?? 0) > MAX_EXPIRY) return null;
  return { claims, type: typ.toLowerCase().replace(/^application\//, '') };
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
