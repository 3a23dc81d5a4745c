// Records each request: log line, metrics, and its calls in the audit log.

import type { Context, MiddlewareHandler } from 'hono';
import { monotonicMs } from '../../platform/clock.ts';
import type { Principal } from '../../platform/access-token.ts';
import { DOCS_PREFIX, parseSourceSegment } from '../../core/export/llms/served-path.ts';
import { auditCalls, auditServedRead, type AuditedCaller, type ServedRead } from '../audit.ts';
import { callAs } from '../call-as.ts';
import { SECURITY_HEADERS, type Env } from './auth-middleware.ts';
import { MAX_SHOWN_PATH } from './error-responses.ts';
import type { HttpDeps } from './http-deps.ts';

/** Also gives the request its id and the response its headers. */
export function logRequests({ log, monitoring: { metrics } }: HttpDeps): MiddlewareHandler<Env> {
  let requests = 0;
  return async (c, next) => {
    const startedAt = monotonicMs();
    c.set('requestId', `${process.pid.toString(36)}-${(requests += 1).toString(36)}`);
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
    c.header('x-request-id', c.get('requestId'));
    const ms = monotonicMs() - startedAt;
    const route = routeName(c);
    metrics.add('http_requests_total', 1, { route, status: String(c.res.status) });
    metrics.observe('http_request_duration_seconds', ms / 1000, { route });
    const isRoutine = ROUTINE.test(c.req.path) || route === 'other' || route === '/';
    log[isRoutine ? 'debug' : 'info']('request', {
      method: c.req.method,
      path: c.req.path.slice(0, MAX_SHOWN_PATH),
      status: c.res.status,
      ms: Math.round(ms),
      id: c.get('requestId'),
      caller: callerOf(c)?.token ?? undefined,
    });
  };
}

/** Requests that monitors and the dashboard send every few seconds: logged at level debug. */
const ROUTINE = /^\/(?:healthz|readyz|health|metrics|assets\/.*)$/;

/** The pattern of a route, so that metrics do not grow with the requested paths. */
function routeName(c: Context<Env>): string {
  const path = c.req.path;
  const found = c.req.matchedRoutes.findLast(({ path: pattern }) => pattern !== '/*');
  return found?.path ?? (path === '/' ? '/' : 'other');
}

/** After authentication: the calls of the request are those of its caller, and are recorded under its name. */
export function bindCalls({ call, audit }: HttpDeps): MiddlewareHandler<Env> {
  return async (c, next) => {
    const principal = callerOf(c);
    if (principal === undefined) return next();
    const via = c.req.path === '/mcp' ? ('mcp' as const) : ('http' as const);
    const caller: AuditedCaller = { principal: principal.token, via, requestId: c.get('requestId') };
    c.set('call', auditCalls(callAs(call, principal), caller, audit));
    await next();
    const read = servedRead(c);
    if (read !== null) auditServedRead(read, caller, audit);
    return undefined;
  };
}

function servedRead(c: Context<Env>): ServedRead | null {
  const { pathname } = new URL(c.req.url);
  const isServed = c.res.status < 400;
  if (pathname === '/events') return { kind: 'open_event_stream', source: null, isServed };
  if (pathname === '/llms.txt') return { kind: 'read_docs_file', source: null, isServed };
  if (!pathname.startsWith(`${DOCS_PREFIX}/`)) return null;
  const [segment = ''] = pathname.slice(DOCS_PREFIX.length + 1).split('/');
  return { kind: 'read_docs_file', source: parseSourceSegment(segment)[0]?.source ?? null, isServed };
}

/** Undefined for public paths. */
function callerOf(c: Context<Env>): Principal | undefined {
  return c.get('principal');
}
