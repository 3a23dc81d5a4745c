// The HTTP application: checks first, then routes of the actions, the event stream, health and metrics.

import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { monotonicMs } from '../../platform/clock.ts';
import { createAuthMiddleware, SECURITY_HEADERS, type AuthMiddleware, type Env } from './auth-middleware.ts';
import { addActionRoutes, readBody } from './action-routes.ts';
import { sendJson } from './compress.ts';
import { addDocsRoutes } from './docs-routes.ts';
import { addErrorResponses, MAX_SHOWN_PATH } from './error-responses.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import type { HttpDeps } from './http-deps.ts';
import { createLoadShedder, limitInFlight, shedOnLowMemory, type LoadShedder } from './load-shedder.ts';
import { addProbes } from './probes.ts';
import { openapiDocument } from './openapi-document.ts';
import { addBrowserPages } from './ssr/ssr-routes.ts';
import { addStreamRoutes } from './stream-routes.ts';

export interface HttpApp {
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  readonly hub: EventHub;
  /** Ends the streams. */
  close(): void;
}

export function createHttpApp(deps: HttpDeps): HttpApp {
  const { log, monitoring } = deps;
  const { metrics } = monitoring;
  const app = new Hono<Env>();
  const hub = createEventHub(deps.feed, log);
  const closing = new AbortController();
  let requests = 0;

  app.use(async (c, next) => {
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
    });
  });

  const shedder = createLoadShedder(deps.settings.maxRequestsInFlight);
  app.use(shedOnLowMemory(shedder));
  const { authenticateRequest, tickets, chargeCalls } = createAuthMiddleware(deps);
  app.use(authenticateRequest);
  app.use(limitInFlight(shedder));

  addActionRoutes(app, deps, shedder);
  app.get('/api/openapi.json', (c) => sendJson(c, openapiDocument(deps.version)));
  addDocsRoutes(app, deps.docs);
  addStreamRoutes(app, { hub, tickets, call: deps.call, closing: closing.signal });
  app.all('/mcp', (c) => handleMcp(c, deps, { shedder, chargeCalls }));
  addProbes(app, monitoring, () => ({
    sse_clients: hub.clients(),
    http_requests_in_flight: shedder.inFlight(),
    http_requests_shed_total: shedder.shed(),
  }));
  addBrowserPages(app, deps);
  addErrorResponses(app, log);
  return {
    fetch: (request, bindings) => app.fetch(request, bindings),
    hub,
    close() {
      closing.abort();
      hub.close();
    },
  };
}

/** Asked for every few seconds by monitors, and by the dashboard for its own files: logged at level debug. */
const ROUTINE = /^\/(?:healthz|readyz|health|metrics|assets\/.*)$/;

async function handleMcp(
  c: Context<Env>,
  { mcp }: HttpDeps,
  { shedder, chargeCalls }: { readonly shedder: LoadShedder } & Pick<AuthMiddleware, 'chargeCalls'>,
): Promise<Response> {
  const principal = c.get('principal');
  if (c.req.method !== 'POST') return mcp(c.req.raw, { principal });
  const body: unknown = await readBody(c, shedder);
  if (Array.isArray(body) && body.length > 1) chargeCalls(principal, body.length);
  return mcp(c.req.raw, { principal, body });
}

/** The pattern of a route, so that metrics do not grow with the requested paths. */
function routeName(c: Context<Env>): string {
  const path = c.req.path;
  const found = c.req.matchedRoutes.findLast(({ path: pattern }) => pattern !== '/*');
  return found?.path ?? (path === '/' ? '/' : 'other');
}
