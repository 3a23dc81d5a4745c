// Bearer authentication with rate limits. Once an access token exists, every request needs one, on loopback too: other users of the
// machine and proxies connect from there. A wrong token is never treated as none.

import { pinakesError } from '../../core/model/errors.ts';
import {
  ANONYMOUS,
  hashToken,
  isOurToken,
  parseBearer,
  principalOf,
  type Principal,
} from '../../platform/access-token.ts';
import { createRateLimit, type RequestBudgets } from '../rate-limit.ts';
import { createKnownIssued } from './issuer/known-issued.ts';
import type { SignIn } from './issuer/sign-in.ts';
import type { VerifyIssued } from './issuer/verify-issued.ts';
import type { TokenCache } from './token-cache.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  /** The secret of the dashboard's session; null without one. */
  readonly session: string | null;
  readonly address: string;
  /** Whether a proxy passed the request on. */
  readonly isForwarded: boolean;
}

export interface AuthenticateDeps {
  /** Whether others are meant to reach the server: then a request without a token is rejected, even if there are no tokens. */
  readonly isExposed: boolean;
  readonly requests: RequestBudgets;
  readonly tokens: TokenCache;
  /** Null without an issuer. */
  readonly verifyIssued: VerifyIssued | null;
  /** Null without sign-in. */
  readonly findSession: SignIn['find'] | null;
  readonly now: () => number;
}

const FAILURES_PER_MINUTE = 10;

/** Raises `http.unauthorized`, `http.forwarded` or `http.rate-limited`; with an issuer also `oauth.unavailable` and `http.forbidden`. */
export function createAuthenticate(deps: AuthenticateDeps): (credentials: Credentials) => Promise<Principal> {
  const { isExposed, requests, tokens, verifyIssued, findSession, now } = deps;
  const failures = createRateLimit(FAILURES_PER_MINUTE, now);

  const findIssued = verifyIssued === null ? null : createKnownIssued(verifyIssued, now);

  async function principalFor(presented: string, address: string): Promise<Principal | null> {
    if (findIssued !== null && !isOurToken(presented)) return findIssued(presented, address);
    const secret = hashToken(presented);
    const token = await tokens.byHash(secret);
    if (token === null) return null;
    tokens.noteUse(token);
    return principalOf(token, secret);
  }

  function charged(principal: Principal): Principal {
    const seconds = requests.take(principal);
    if (seconds > 0) throw pinakesError('http.rate-limited', { seconds });
    return principal;
  }

  return async ({ authorization, session, address, isForwarded }) => {
    if (session !== null) {
      const found = await findSession?.(session);
      // A session that has expired is not a guess either.
      if (found == null) throw pinakesError('http.unauthorized', {});
      return charged(found.principal);
    }
    if (authorization === undefined) {
      // A request without a token is not a guess, so it does not count as a failure.
      if (isExposed || (await tokens.isAny())) throw pinakesError('http.unauthorized', {});
      if (isForwarded) throw pinakesError('http.forwarded', {});
      return ANONYMOUS;
    }
    const presented = parseBearer(authorization);
    const principal = presented === null ? null : await principalFor(presented, address);
    if (principal === null) {
      const seconds = failures.take(address);
      throw seconds > 0 ? pinakesError('http.rate-limited', { seconds }) : pinakesError('http.unauthorized', {});
    }
    return charged(principal);
  };
}
