// Decides who asks, and whether they may: on loopback nobody needs a token, elsewhere everybody does. A wrong token is
// never the same as none.

import { pinakesError } from '../../core/model/errors.ts';
import { bearerOf, tokenOf, type KnownToken, type Principal } from '../../platform/access-token.ts';
import { createRateLimit } from '../rate-limit.ts';

export interface Asking {
  readonly authorization: string | undefined;
  readonly address: string;
}

export interface WhoAsksDeps {
  readonly needsToken: boolean;
  readonly requestsPerMinute: number;
  readonly tokens: () => Promise<readonly KnownToken[]>;
  readonly now: () => number;
}

/** A revoked token is refused after this long at the latest. */
const FRESH_MS = 5000;
const FAILURES_PER_MINUTE = 10;

/** Raises `http.unauthorized` or `http.limited`. */
export function createWhoAsks(deps: WhoAsksDeps): (asking: Asking) => Promise<Principal> {
  const requests = createRateLimit(deps.requestsPerMinute, deps.now);
  const failures = createRateLimit(FAILURES_PER_MINUTE, deps.now);
  let known: { readonly tokens: readonly KnownToken[]; readonly at: number } | null = null;

  async function tokens(): Promise<readonly KnownToken[]> {
    if (known === null || deps.now() - known.at > FRESH_MS) known = { tokens: await deps.tokens(), at: deps.now() };
    return known.tokens;
  }

  return async ({ authorization, address }) => {
    if (authorization === undefined && !deps.needsToken) return { token: null, scope: 'admin' };
    // Nobody guesses by sending nothing.
    if (authorization === undefined) throw pinakesError('http.unauthorized', {});
    const given = bearerOf(authorization);
    const token = given === null ? null : tokenOf(given, await tokens());
    if (token === null) {
      const seconds = failures.take(address);
      throw seconds > 0 ? pinakesError('http.limited', { seconds }) : pinakesError('http.unauthorized', {});
    }
    const seconds = requests.take(token.name);
    if (seconds > 0) throw pinakesError('http.limited', { seconds });
    return { token: token.name, scope: token.scope };
  };
}
