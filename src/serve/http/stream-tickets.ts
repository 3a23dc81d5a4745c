// Tickets for the stream of events. A page in a browser cannot send a token with EventSource, and a token in a URL would end
// up in logs: so it fetches a ticket with its token, and the ticket opens one stream, once, soon.

import { randomBytes } from 'node:crypto';
import type { Principal } from '../../platform/access-token.ts';

export interface StreamTickets {
  issue(principal: Principal): string;
  /** Null for one that was never issued, was used, or is too old. */
  redeem(ticket: string): Principal | null;
}

const VALID_MS = 30_000;
const MOST = 10_000;

export function createStreamTickets(now: () => number): StreamTickets {
  const open = new Map<string, { readonly principal: Principal; readonly until: number }>();
  return {
    issue(principal) {
      const ticket = randomBytes(24).toString('base64url');
      open.set(ticket, { principal, until: now() + VALID_MS });
      if (open.size > MOST) open.delete(open.keys().next().value ?? '');
      return ticket;
    },
    redeem(ticket) {
      const found = open.get(ticket);
      open.delete(ticket);
      return found !== undefined && now() <= found.until ? found.principal : null;
    },
  };
}
