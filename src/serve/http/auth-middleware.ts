// What stands before every route of the HTTP door: the name that was used, the page that asks, and who it is.

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { pinakesError } from '../../core/model/errors.ts';
import type { Principal } from '../../platform/access-token.ts';
import { errorBody } from './error-body.ts';
import type { HttpDeps } from './http-deps.ts';
import { isLoopback } from './is-loopback.ts';
import { LOOPBACK_NAMES, requestVerdict } from './host-origin-verdict.ts';
import { isDashboardPath } from './static-files.ts';
import { createStreamTickets, type StreamTickets } from './stream-tickets.ts';
import { createWhoAsks } from './authenticate.ts';

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { requestId: string; principal: Principal };
}

/** Open to everybody: they tell nothing but that somebody is at home. */
const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export interface Guard {
  readonly guard: MiddlewareHandler<Env>;
  readonly tickets: StreamTickets;
}

export function createGuard(deps: HttpDeps): Guard {
  const { settings } = deps;
  const tickets = createStreamTickets(deps.now);
  const policy = { hosts: new Set([...LOOPBACK_NAMES, ...settings.hosts]), origins: new Set(settings.origins) };
  const whoAsks = createWhoAsks({ ...deps, ...settings, needsToken: !isLoopback(settings.host) });
  const guard: MiddlewareHandler<Env> = async (c, next) => {
    const { incoming } = c.env;
    const verdict = requestVerdict(
      {
        host: headersNamed(incoming.rawHeaders, 'host'),
        origin: c.req.header('origin') ?? null,
        reached: incoming.socket.localAddress ?? null,
      },
      policy,
    );
    if (verdict.kind === 'refused') {
      const why = verdict.rule === 'host' ? 'This server is not reached under that name' : 'This page may not ask here';
      return c.json(errorBody(pinakesError('http.forbidden', { why }), c.get('requestId')), verdict.status);
    }
    if (!OPEN_PATHS.has(c.req.path) && !isDashboardPath(c.req.method, c.req.path)) {
      const address = incoming.socket.remoteAddress ?? '';
      const ticket = c.req.path === '/events' ? c.req.query('ticket') : undefined;
      const known = ticket === undefined ? null : tickets.redeem(ticket);
      c.set('principal', known ?? (await whoAsks({ authorization: c.req.header('authorization'), address })));
    }
    await next();
    return undefined;
  };
  return { guard, tickets };
}

function headersNamed(raw: readonly string[], name: string): string[] {
  return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
}
