// Runs before every HTTP route: checks where the request comes from and authenticates the caller.

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { pinakesError } from '../../core/model/errors.ts';
import type { Principal } from '../../platform/access-token.ts';
import { errorBody } from '../public-error.ts';
import type { HttpDeps } from './http-deps.ts';
import {
  exposureOf,
  hostOriginVerdict,
  isForwarded,
  LOOPBACK_NAMES,
  type HostOriginVerdict,
} from './host-origin-verdict.ts';
import { isDashboardPath } from './static-files.ts';
import { cacheTokens, createAuthenticate, createStreamTickets, type StreamTickets } from './authenticate.ts';

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

const REFUSALS: Readonly<Record<Extract<HostOriginVerdict, { kind: 'refused' }>['rule'], string>> = {
  host: 'Host header not allowed',
  origin: 'Origin not allowed',
  site: 'Requests on behalf of another site are not allowed',
};

export function createAuthMiddleware(deps: HttpDeps): AuthMiddleware {
  const { settings, now } = deps;
  const tokens = cacheTokens(deps.tokens, now);
  const tickets = createStreamTickets(tokens, now);
  const policy = {
    hosts: new Set([...LOOPBACK_NAMES, ...settings.allowedHosts]),
    origins: new Set(settings.allowedOrigins),
  };
  const isExposed = exposureOf(settings.host, settings.allowedHosts).kind !== 'local';
  const { requestsPerMinute } = settings;
  const authenticate = createAuthenticate({ isExposed, requestsPerMinute, tokens, now });
  const authenticateRequest: MiddlewareHandler<Env> = async (c, next) => {
    const { rawHeaders, socket } = c.env.incoming;
    const isPublic = PUBLIC_PATHS.has(c.req.path) || isDashboardPath(c.req.method, c.req.path);
    const verdict = hostOriginVerdict(
      {
        host: headersNamed(rawHeaders, 'host'),
        origin: c.req.header('origin') ?? null,
        fetchSite: c.req.header('sec-fetch-site') ?? null,
        isPublic,
        localAddress: socket.localAddress ?? null,
      },
      policy,
    );
    if (verdict.kind === 'refused') {
      const error = pinakesError('http.forbidden', { why: REFUSALS[verdict.rule] });
      return c.json(errorBody(error, c.get('requestId')), verdict.status);
    }
    if (!isPublic) {
      const ticket = c.req.path === '/events' ? c.req.query('ticket') : undefined;
      const ticketHolder = ticket === undefined ? null : await tickets.redeem(ticket);
      const credentials = {
        authorization: c.req.header('authorization'),
        address: socket.remoteAddress ?? '',
        isForwarded: isForwarded(rawHeaders),
      };
      c.set('principal', ticketHolder ?? (await authenticate(credentials)));
    }
    await next();
    return undefined;
  };
  return { authenticateRequest, tickets };
}

function headersNamed(raw: readonly string[], name: string): string[] {
  return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
}
