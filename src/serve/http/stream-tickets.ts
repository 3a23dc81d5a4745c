// Tickets for event streams. A page in a browser cannot send a token with EventSource, and a token in a URL would end up in logs: so it
// exchanges its token for a ticket, which opens one stream for a short time.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { pinakesError } from '../../core/model/errors.ts';
import { principalOf, type Principal } from '../../platform/access-token.ts';
import { secretBytes } from '../../platform/clock.ts';
import type { TokenCache } from './token-cache.ts';

export interface StreamTickets {
  /** Raises `http.unauthorized` for a caller without an access token of this server, if one is needed. */
  issue(principal: Principal): Promise<string>;
  /** Null for a ticket that is forged, was used here before, or has expired, and for one whose token was revoked. */
  redeem(ticket: string): Promise<Principal | null>;
}

const TICKET_VALID_MS = 30_000;
/** Tolerated clock skew between two replicas. */
const MAX_CLOCK_SKEW_MS = 30_000;
/** Unexpired tickets of one token: beyond them its tickets are rejected, so that none that was used is forgotten. */
export const MAX_USED_TICKETS = 1000;

/** Whether a ticket is used for the first time. Tickets that have expired are forgotten. */
function createTicketUses(now: () => number): (token: string, claims: string, untilMs: number) => boolean {
  /** Tickets in the order of use, with the end of their validity. */
  const byToken = new Map<string, Map<string, number>>();

  function forgetExpired(): void {
    for (const [token, used] of byToken) {
      for (const [claims, until] of used) {
        // A ticket that was used later expires little earlier, if at all.
        if (until >= now()) break;
        used.delete(claims);
      }
      if (used.size === 0) byToken.delete(token);
    }
  }

  return (token, claims, untilMs) => {
    forgetExpired();
    const used = byToken.get(token) ?? new Map<string, number>();
    if (used.has(claims) || used.size >= MAX_USED_TICKETS) return false;
    byToken.set(token, used.set(claims, untilMs));
    return true;
  };
}

/**
 * A ticket is signed with the stored hash of its token, which every replica can read, so any of them accepts it. Each process accepts it
 * once.
 */
export function createStreamTickets(tokens: Pick<TokenCache, 'byName'>, now: () => number): StreamTickets {
  const isFirstUse = createTicketUses(now);
  return {
    async issue({ token: name, secret }) {
      // Without tokens the stream needs no ticket, and this one opens nothing.
      if (name === null) return secretBytes(24).toString('base64url');
      if (secret === null) throw pinakesError('http.unauthorized', {});
      const nonce = secretBytes(16).toString('hex');
      const claims = [Buffer.from(name).toString('base64url'), now() + TICKET_VALID_MS, nonce].join('.');
      return `${claims}.${signatureOf(claims, secret).toString('base64url')}`;
    },
    async redeem(ticket) {
      const [encodedName = '', until = '', nonce = '', signature = ''] = ticket.split('.');
      const claims = [encodedName, until, nonce].join('.');
      // A number is required: the comparison with anything else would be false.
      const acceptedUntilMs = Number(until) + MAX_CLOCK_SKEW_MS;
      if (!(now() <= acceptedUntilMs)) return null;
      const token = await tokens.byName(Buffer.from(encodedName, 'base64url').toString());
      if (token === null) return null;
      const presented = Buffer.from(signature, 'base64url');
      const { hash, previous } = token;
      const secrets = previous !== null && +previous.until > now() ? [hash, previous.hash] : [hash];
      const secret = secrets.find((one) => isEqual(presented, signatureOf(claims, one)));
      if (secret === undefined || !isFirstUse(token.name, claims, acceptedUntilMs)) return null;
      return principalOf(token, secret);
    },
  };
}

function isEqual(presented: Buffer, expected: Buffer): boolean {
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}

function signatureOf(claims: string, hash: string): Buffer {
  return createHmac('sha256', hash).update(`event stream ${claims}`).digest();
}
