// Runs before every HTTP route: checks where the request comes from and authenticates the caller.

import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { pinakesError } from '../../core/model/errors.ts';
import type { Principal } from '../../platform/access-token.ts';
import type { CallAction } from '../call-action.ts';
import { createRequestBudgets } from '../rate-limit.ts';
import { redactLocalPaths } from '../redact-local-paths.ts';
import { errorBody, toPinakesError } from '../public-error.ts';
import { CHANGES_STREAM } from './changes-stream.ts';
import { createRevocationWatch } from './end-revoked.ts';
import { KEY_DIRECTORY_PATH, METADATA_PATH, METADATA_RESOURCES, type HttpDeps } from './http-deps.ts';
import {
  exposureOf,
  hostOriginVerdict,
  isForwarded,
  LOOPBACK_NAMES,
  type HostOriginVerdict,
  type RequestTarget,
} from './host-origin-verdict.ts';
import { CALLBACK_PATH, SESSION_PATH, SIGN_IN_PATH, sessionSecretOf } from './issuer/sign-in-routes.ts';
import { STYLE_PATH } from './ssr/html.ts';
import { wantsDashboard } from './static-files.ts';
import { createAuthenticate, type Credentials } from './authenticate.ts';
import { createStreamTickets, type StreamTickets } from './stream-tickets.ts';
import { createTokenCache } from './token-cache.ts';

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    requestId: string;
    principal: Principal;
    /** Calls of this caller, with its rights. Absent for public paths. */
    call: CallAction;
  };
}

/** Public: they reveal nothing except that the server runs. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  KEY_DIRECTORY_PATH,
  SIGN_IN_PATH,
  CALLBACK_PATH,
  STYLE_PATH,
  ...METADATA_RESOURCES.map((resource) => METADATA_PATH + resource),
]);

/** Streams, which a ticket opens too. */
export const STREAM_PATHS: ReadonlySet<string> = new Set(['/events', CHANGES_STREAM]);

export interface AuthMiddleware {
  readonly authenticateRequest: MiddlewareHandler<Env>;
  readonly tickets: StreamTickets;
  /** For a request with several calls: each counts as a request. */
  readonly chargeCalls: (principal: Principal, calls: number) => void;
}

/** Lets a page of an origin that the operator allowed read the response. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after, x-request-id, content-disposition',
    vary: 'origin',
  };
}

/** Returns the response to a browser that asks whether it may send a request; null for any other request. */
function allowOrigin(c: Context<Env>, origins: ReadonlySet<string>): Response | null {
  const origin = c.req.header('origin') ?? '';
  if (!origins.has(origin)) return null;
  for (const [name, value] of Object.entries(corsHeaders(origin))) c.header(name, value);
  return c.req.method === 'OPTIONS' ? c.body(null, 204, PREFLIGHT_HEADERS) : null;
}

/** What such a page may send. A browser asks before it sends a token or JSON. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, last-event-id',
  'access-control-max-age': '600',
} as const;

const REFUSALS: Readonly<Record<Extract<HostOriginVerdict, { kind: 'refused' }>['rule'], string>> = {
  host: 'Host header not allowed',
  origin: 'Origin not allowed',
  site: 'Requests on behalf of another site are not allowed',
};

/** After a caller was refused because it has as many connections as it may. */
const RETRY_AFTER_SECONDS = 10;

export type AuthDeps = Pick<HttpDeps, 'settings' | 'tokens' | 'issuer' | 'now' | 'onAuthenticated'>;

export function createAuthMiddleware(deps: AuthDeps): AuthMiddleware {
  const { settings, now } = deps;
  const tokens = createTokenCache(deps.tokens, now);
  const tickets = createStreamTickets(tokens, now);
  const signIn = deps.issuer?.signIn ?? null;
  const watch = createRevocationWatch(tokens, signIn, now);
  const policy = {
    hosts: new Set([...LOOPBACK_NAMES, ...settings.allowedHosts]),
    origins: new Set(settings.allowedOrigins),
  };
  // An operator who configures an issuer expects every caller to have a token.
  const isExposed = deps.issuer !== null || exposureOf(settings.host, settings.allowedHosts).kind !== 'local';
  const requests = createRequestBudgets(settings.requestsPerMinute, now);
  const authenticate = createAuthenticate({
    isExposed,
    requests,
    tokens,
    verifyIssued: deps.issuer?.verify ?? null,
    findSession: signIn === null ? null : (secret) => signIn.find(secret),
    now,
  });
  /** Null for one without credentials that asks who it is. */
  async function callerOf(c: Context<Env>): Promise<Principal | null> {
    try {
      const credentials = credentialsOf(c, sessionSecretOf(c, signIn));
      return (await ticketHolder(c, tickets)) ?? (await authenticate(credentials));
    } catch (error) {
      if (c.req.path === SESSION_PATH && toPinakesError(error).code === 'http.unauthorized') return null;
      throw error;
    }
  }

  const authenticateRequest: MiddlewareHandler<Env> = async (c, next) => {
    const isPublic = PUBLIC_PATHS.has(c.req.path) || wantsDashboard(c.req);
    const verdict = hostOriginVerdict(targetOf(c, isPublic), policy);
    if (verdict.kind === 'refused') return refusal(c, verdict);
    const preflight = allowOrigin(c, policy.origins);
    if (preflight !== null) return preflight;
    const principal = isPublic ? null : await callerOf(c);
    if (principal !== null) {
      if (deps.onAuthenticated?.(c.env.incoming.socket, principal.token) === false)
        throw pinakesError('http.overloaded', { seconds: RETRY_AFTER_SECONDS });
      c.set('principal', principal);
      watch(c.env.outgoing, principal);
    }
    await next();
    return undefined;
  };
  return {
    authenticateRequest,
    tickets,
    chargeCalls: (principal, calls) => requests.charge(principal, calls - 1),
  };
}

function targetOf({ req, env }: Context<Env>, isPublic: boolean): RequestTarget {
  const { rawHeaders, socket } = env.incoming;
  return {
    host: headersNamed(rawHeaders, 'host'),
    origin: req.header('origin') ?? null,
    fetchSite: req.header('sec-fetch-site') ?? null,
    isPublic,
    localAddress: socket.localAddress ?? null,
  };
}

function refusal(c: Context<Env>, { rule, status }: Extract<HostOriginVerdict, { kind: 'refused' }>): Response {
  return c.json(errorBody(pinakesError('http.forbidden', { reason: REFUSALS[rule] }), c.get('requestId')), status);
}

async function ticketHolder({ req }: Context<Env>, tickets: StreamTickets): Promise<Principal | null> {
  const ticket = STREAM_PATHS.has(req.path) ? req.query('ticket') : undefined;
  return ticket === undefined ? null : tickets.redeem(ticket);
}

function credentialsOf({ req, env }: Context<Env>, session: string | null): Credentials {
  const { rawHeaders, socket } = env.incoming;
  return {
    authorization: req.header('authorization'),
    session,
    address: socket.remoteAddress ?? '',
    isForwarded: isForwarded(rawHeaders),
  };
}

function headersNamed(raw: readonly string[], name: string): string[] {
  return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
}

/** Headers of every response. */
export const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** The part of a result that the client may see. */
export function resultFor({ role }: Principal, action: string, result: unknown): object {
  return (role === 'admin' ? result : redactLocalPaths(action, result)) as object;
}
