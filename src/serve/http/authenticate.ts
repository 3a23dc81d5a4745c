// Bearer authentication with rate limits, and tickets for event streams. Once an access token exists, every request needs one,
// on loopback too: other users of the machine and proxies connect from there. A wrong token is never treated as none.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { pinakesError } from '../../core/model/errors.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import { parseBearer, findToken, type StoredToken, type Principal } from '../../platform/access-token.ts';
import { secretBytes } from '../../platform/clock.ts';
import { createRateLimit, type RateLimit } from '../rate-limit.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  readonly address: string;
  /** Whether a proxy passed the request on. */
  readonly isForwarded: boolean;
}

export type ReadTokens = () => Promise<readonly StoredToken[]>;

export interface AuthenticateDeps {
  /** Whether others are meant to reach the server: then a request without a token is rejected, even if there are no tokens. */
  readonly isExposed: boolean;
  /** By token, in this process only: behind a balancer, each replica allows as much. */
  readonly requests: RateLimit;
  readonly tokens: ReadTokens;
  readonly now: () => number;
}

const FAILURES_PER_MINUTE = 10;
const ANONYMOUS: Principal = { token: null, role: 'admin' };

/** Raises `http.unauthorized`, `http.forwarded` or `http.rate-limited`. */
export function createAuthenticate(deps: AuthenticateDeps): (credentials: Credentials) => Promise<Principal> {
  const failures = createRateLimit(FAILURES_PER_MINUTE, deps.now);

  return async ({ authorization, address, isForwarded }) => {
    const known = await deps.tokens();
    if (authorization === undefined) {
      // A request without a token is not a guess, so it does not count as a failure.
      if (deps.isExposed || known.length > 0) throw pinakesError('http.unauthorized', {});
      if (isForwarded) throw pinakesError('http.forwarded', {});
      return ANONYMOUS;
    }
    const presented = parseBearer(authorization);
    const token = presented === null ? null : findToken(presented, known);
    if (token === null) {
      const seconds = failures.take(address);
      throw seconds > 0 ? pinakesError('http.rate-limited', { seconds }) : pinakesError('http.unauthorized', {});
    }
    const seconds = deps.requests.take(token.name);
    if (seconds > 0) throw pinakesError('http.rate-limited', { seconds });
    return { token: token.name, role: token.role };
  };
}

/** A revoked token is rejected after this time at the latest. */
const TOKEN_CACHE_MS = 5000;
/** After this time the first token is required. */
const NO_TOKEN_CACHE_MS = 1000;

/** Reads the tokens at most once in a while, however many requests there are. */
export function cacheTokens(read: ReadTokens, now: () => number): ReadTokens {
  let cached: { readonly tokens: readonly StoredToken[]; readonly at: number } | null = null;
  let reading: Promise<readonly StoredToken[]> | null = null;

  async function refresh(): Promise<readonly StoredToken[]> {
    try {
      const tokens = await read();
      cached = { tokens, at: now() };
      return tokens;
    } finally {
      reading = null;
    }
  }

  return async () => {
    const maxAgeMs = cached?.tokens.length === 0 ? NO_TOKEN_CACHE_MS : TOKEN_CACHE_MS;
    // The clock may be set back.
    if (cached !== null && Math.abs(now() - cached.at) <= maxAgeMs) return cached.tokens;
    return (reading ??= refresh());
  };
}

export interface StreamTickets {
  /** Raises `http.unauthorized` if the token was revoked in the meantime. */
  issue(principal: Principal): Promise<string>;
  /** Null for a ticket that is forged, was used here before, or has expired, and for one whose token was revoked. */
  redeem(ticket: string): Promise<Principal | null>;
}

const TICKET_VALID_MS = 30_000;
/** How far the clocks of two replicas may be apart. */
const MAX_CLOCK_SKEW_MS = 30_000;
const MAX_USED_TICKETS = 10_000;

/**
 * Tickets for the event stream. A page in a browser cannot send a token with EventSource, and a token in a URL would end up
 * in logs: so it exchanges its token for a ticket, which opens one stream for a short time.
 *
 * A ticket is signed with the stored hash of its token, which every replica can read, so any of them accepts it. Each process
 * accepts it once.
 */
export function createStreamTickets(tokens: ReadTokens, now: () => number): StreamTickets {
  const used = createLruCache<string, true>(MAX_USED_TICKETS);
  return {
    async issue({ token: name }) {
      // Without tokens the stream needs no ticket, and this one opens nothing.
      if (name === null) return secretBytes(24).toString('base64url');
      const token = (await tokens()).find((candidate) => candidate.name === name);
      if (token === undefined) throw pinakesError('http.unauthorized', {});
      const nonce = secretBytes(16).toString('hex');
      const claims = [Buffer.from(name).toString('base64url'), now() + TICKET_VALID_MS, nonce].join('.');
      return `${claims}.${signatureOf(claims, token).toString('base64url')}`;
    },
    async redeem(ticket) {
      const [encodedName = '', until = '', nonce = '', signature = ''] = ticket.split('.');
      const claims = [encodedName, until, nonce].join('.');
      const name = Buffer.from(encodedName, 'base64url').toString();
      const token = (await tokens()).find((candidate) => candidate.name === name);
      if (token === undefined || now() > Number(until) + MAX_CLOCK_SKEW_MS) return null;
      const expected = signatureOf(claims, token);
      const presented = Buffer.from(signature, 'base64url');
      if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
      if (used.get(claims) === true) return null;
      used.set(claims, true);
      return { token: token.name, role: token.role };
    },
  };
}

function signatureOf(claims: string, { hash }: StoredToken): Buffer {
  return createHmac('sha256', hash).update(`event stream ${claims}`).digest();
}
