// Ends what a caller has open once its token is revoked: streams, long polls, and responses that take long to send.

import type { HttpBindings } from '@hono/node-server';
import type { Principal } from '../../platform/access-token.ts';
import { every, type Timer } from '../../platform/clock.ts';
import type { ReadTokens } from './authenticate.ts';

type Outgoing = HttpBindings['outgoing'];

/** With the age of the cached tokens, this bounds for how long a revoked token receives anything. */
const CHECK_MS = 1000;

/** The tokens are read from the cache of the server, and only while a response is open. */
export function createRevocationWatch(tokens: ReadTokens): (outgoing: Outgoing, principal: Principal) => Promise<void> {
  /** Open responses with the hash of their token; null for callers that needed none. */
  const open = new Map<Outgoing, string | null>();
  let timer: Timer | null = null;

  async function endRevoked(): Promise<void> {
    // While the database is away, nothing is known to be revoked.
    const known = await tokens().catch(() => null);
    if (known === null) return;
    const valid = new Set<string | null>(known.length === 0 ? [null] : known.map(({ hash }) => hash));
    for (const [outgoing, hash] of open) if (!valid.has(hash)) outgoing.destroy();
  }

  function forget(outgoing: Outgoing): void {
    open.delete(outgoing);
    if (open.size > 0 || timer === null) return;
    timer.cancel();
    timer = null;
  }

  return async (outgoing, { token }) => {
    // By its hash: a new token may have the name of a revoked one.
    const hash = (await tokens()).find(({ name }) => name === token)?.hash ?? null;
    if (outgoing.destroyed) return;
    open.set(outgoing, hash);
    outgoing.once('close', () => forget(outgoing));
    timer ??= every(CHECK_MS, () => void endRevoked()).unref();
  };
}
