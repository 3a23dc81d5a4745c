// Bounds what tokens of the issuer cost: one that was verified is known for some minutes, and of others each address may present only so
// many. Signatures are verified before a token counts as a failure, so failures alone would not bound them.

import { createLruCache } from '../../../core/lru-cache.ts';
import { pinakesError } from '../../../core/model/errors.ts';
import { hashToken, type Principal } from '../../../platform/access-token.ts';
import { createRateLimit } from '../../rate-limit.ts';
import type { VerifyIssued } from './verify-issued.ts';

/** The limit of one address, which may be that of a proxy for many people. */
const VERIFICATIONS_PER_MINUTE = 1200;
/** A key that the issuer withdraws is used for as long. */
const KNOWN_MS = 300_000;
const MAX_KNOWN = 10_000;

/** Raises `http.rate-limited`, and what the verification raises. */
export function createKnownIssued(
  verify: VerifyIssued,
  now: () => number,
): (token: string, address: string) => Promise<Principal | null> {
  const known = createLruCache<string, { readonly principal: Principal; readonly at: number }>(MAX_KNOWN);
  const verifications = createRateLimit(VERIFICATIONS_PER_MINUTE, now);

  function find(hash: string): Principal | null {
    const entry = known.get(hash);
    if (entry === undefined || Math.abs(now() - entry.at) > KNOWN_MS) return null;
    const { principal } = entry;
    return principal.until !== null && now() >= principal.until ? null : principal;
  }

  return async (token, address) => {
    const hash = hashToken(token);
    const found = find(hash);
    if (found !== null) return found;
    const seconds = verifications.take(address);
    if (seconds > 0) throw pinakesError('http.rate-limited', { seconds });
    const principal = await verify(token);
    if (principal !== null) known.set(hash, { principal, at: now() });
    return principal;
  };
}
