// Bearer authentication with rate limits, and tickets for event streams. On loopback no token is needed, elsewhere always;
// a wrong token is never treated as none.

import { randomBytes } from 'node:crypto';
import { pinakesError } from '../../core/model/errors.ts';
import { createLruCache } from '../../core/model/lru-cache.ts';
import { parseBearer, findToken, type StoredToken, type Principal } from '../../platform/access-token.ts';
import { createRateLimit } from '../rate-limit.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  readonly address: string;
}

export interface AuthenticateDeps {
  readonly needsToken: boolean;
  readonly requestsPerMinute: number;
  readonly tokens: () => Promise<readonly StoredToken[]>;
  readonly now: () => number;
}

/** A revoked token is rejected after this time at the latest. */
const TOKEN_CACHE_MS = 5000;
const FAILURES_PER_MINUTE = 10;

/** Raises `http.unauthorized` or `http.limited`. */
export function createAuthenticate(deps: AuthenticateDeps): (credentials: Credentials) => Promise<Principal> {
  const requests = createRateLimit(deps.requestsPerMinute, deps.now);
  const failures = createRateLimit(FAILURES_PER_MINUTE, deps.now);
  let cached: { readonly tokens: readonly StoredToken[]; readonly at: number } | null = null;

  async function tokens(): Promise<readonly StoredToken[]> {
    if (cached === null || deps.now() - cached.at > TOKEN_CACHE_MS)
      cached = { tokens: await deps.tokens(), at: deps.now() };
    return cached.tokens;
  }

  return async ({ authorization, address }) => {
    if (authorization === undefined && !deps.needsToken) return { token: null, role: 'admin' };
    // A request without a token is not a guess, so it does not count as a failure.
    if (authorization === undefined) throw pinakesError('http.unauthorized', {});
    const presented = parseBearer(authorization);
    const token = presented === null ? null : findToken(presented, await tokens());
    if (token === null) {
      const seconds = failures.take(address);
      throw seconds > 0 ? pinakesError('http.limited', { seconds }) : pinakesError('http.unauthorized', {});
    }
    const seconds = requests.take(token.name);
    if (seconds > 0) throw pinakesError('http.limited', { seconds });
    return { token: token.name, role: token.role };
  };
}

export interface StreamTickets {
  issue(principal: Principal): string;
  /** Null for a ticket that was never issued, was used, or has expired. */
  redeem(ticket: string): Principal | null;
}

const TICKET_VALID_MS = 30_000;
const MAX_TICKETS = 10_000;

/**
 * Tickets for the event stream. A page in a browser cannot send a token with EventSource, and a token in a URL would end up
 * in logs: so it exchanges its token for a ticket, which opens one stream, once, for a short time.
 */
export function createStreamTickets(now: () => number): StreamTickets {
  const open = createLruCache<string, { readonly principal: Principal; readonly until: number }>(MAX_TICKETS);
  return {
    issue(principal) {
      const ticket = randomBytes(24).toString('base64url');
      open.set(ticket, { principal, until: now() + TICKET_VALID_MS });
      return ticket;
    },
    redeem(ticket) {
      const found = open.get(ticket);
      open.delete(ticket);
      return found !== undefined && now() <= found.until ? found.principal : null;
    },
  };
}
