// Closes a caller's open responses once its token is revoked or expires, or its session ends: streams, long polls, and slow downloads.

import type { HttpBindings } from '@hono/node-server';
import type { Principal } from '../../platform/access-token.ts';
import { every, type Timer } from '../../platform/clock.ts';
import type { SignIn } from './issuer/sign-in.ts';
import type { TokenCache } from './token-cache.ts';

type Outgoing = HttpBindings['outgoing'];

/** With the age of the cached tokens, this bounds for how long a revoked token receives anything. */
const CHECK_MS = 1000;

/** The tokens are read from the cache of the server, and only while a response is open. */
export function createRevocationWatch(
  tokens: TokenCache,
  signIn: Pick<SignIn, 'stillValid'> | null,
  now: () => number,
): (outgoing: Outgoing, principal: Principal) => void {
  const open = new Map<Outgoing, Principal>();
  let timer: Timer | null = null;

  async function endRevoked(): Promise<void> {
    // By its hash: a new token may have the name of a revoked one, and a rotated one an old secret.
    const secrets = [...new Set([...open.values()].flatMap(({ secret }) => secret ?? []))];
    const valid = await tokens.stillValid(secrets);
    const sessions = [...new Set([...open.values()].flatMap(({ session }) => session ?? []))];
    const signedIn = sessions.length === 0 ? null : await signIn?.stillValid(sessions);
    const isAny = await tokens.isAny();
    const mayContinue = ({ token, secret, session, until }: Principal): boolean => {
      if (until !== null && now() >= until) return false;
      if (session !== null) return signedIn?.has(session) === true;
      return secret === null ? token !== null || !isAny : valid.has(secret);
    };
    for (const [outgoing, principal] of open) if (!mayContinue(principal)) outgoing.destroy();
  }

  function forget(outgoing: Outgoing): void {
    open.delete(outgoing);
    if (open.size > 0 || timer === null) return;
    timer.cancel();
    timer = null;
  }

  return (outgoing, principal) => {
    if (outgoing.destroyed) return;
    open.set(outgoing, principal);
    outgoing.once('close', () => forget(outgoing));
    // While the database is unavailable, no token counts as revoked.
    timer ??= every(CHECK_MS, () => void endRevoked().catch(() => undefined)).unref();
  };
}
