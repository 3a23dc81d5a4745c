// Runs before every HTTP route: checks the Host and Origin headers and authenticates the caller.

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { pinakesError } from '../../core/model/errors.ts';
import type { Principal } from '../../platform/access-token.ts';
import { errorBody } from '../public-error.ts';
import type { HttpDeps } from './http-deps.ts';
import { hostOriginVerdict, isLoopback, LOOPBACK_NAMES } from './host-origin-verdict.ts';
import { isDashboardPath } from './static-files.ts';
import { createAuthenticate, createStreamTickets, type StreamTickets } from './authenticate.ts';

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { requestId: string; principal: Principal };
}

/** Public: they reveal nothing except that the server runs. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export interface AuthMiddleware {
  readonly authenticateRequest: MiddlewareHandler<Env>;
  readonly tickets: StreamTickets;
}

export function createAuthMiddleware(deps: HttpDeps): AuthMiddleware {
  const { settings } = deps;
  const tickets = createStreamTickets(deps.now);
  const policy = {
    hosts: new Set([...LOOPBACK_NAMES, ...settings.allowedHosts]),
    origins: new Set(settings.allowedOrigins),
  };
  const authenticate = createAuthenticate({ ...deps, ...settings, needsToken: !isLoopback(settings.host) });
  const authenticateRequest: MiddlewareHandler<Env> = async (c, next) => {
    const { incoming } = c.env;
    const verdict = hostOriginVerdict(
      {
        host: headersNamed(incoming.rawHeaders, 'host'),
        origin: c.req.header('origin') ?? null,
        localAddress: incoming.socket.localAddress ?? null,
      },
      policy,
    );
    if (verdict.kind === 'refused') {
      const why = verdict.rule === 'host' ? 'Host header not allowed' : 'Origin not allowed';
      return c.json(errorBody(pinakesError('http.forbidden', { why }), c.get('requestId')), verdict.status);
    }
    if (!PUBLIC_PATHS.has(c.req.path) && !isDashboardPath(c.req.method, c.req.path)) {
      const address = incoming.socket.remoteAddress ?? '';
      const ticket = c.req.path === '/events' ? c.req.query('ticket') : undefined;
      const ticketHolder = ticket === undefined ? null : tickets.redeem(ticket);
      c.set(
        'principal',
        ticketHolder ?? (await authenticate({ authorization: c.req.header('authorization'), address })),
      );
    }
    await next();
    return undefined;
  };
  return { authenticateRequest, tickets };
}

function headersNamed(raw: readonly string[], name: string): string[] {
  return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
}
