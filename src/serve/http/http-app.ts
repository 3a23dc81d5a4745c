// The HTTP application: checks first, then routes of the actions, the event stream, health and metrics.

import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { createAuthMiddleware, type AuthMiddleware, type Env } from './auth-middleware.ts';
import { addActionRoutes, readBody } from './action-routes.ts';
import { sendJson } from './compress.ts';
import { addDocsRoutes } from './docs-routes.ts';
import { addErrorResponses } from './error-responses.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import type { HttpDeps } from './http-deps.ts';
import { createLoadShedder, limitInFlight, shedOnLowMemory, type LoadShedder } from './load-shedder.ts';
import { addProbes } from './probes.ts';
import { addIdentityRoutes } from './resource-metadata.ts';
import { bindCalls, logRequests } from './request-log.ts';
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
  const app = new Hono<Env>();
  const hub = createEventHub(deps.feed, log);
  const closing = new AbortController();

  app.use(logRequests(deps));
  const shedder = createLoadShedder(deps.settings.maxRequestsInFlight);
  app.use(shedOnLowMemory(shedder));
  const { authenticateRequest, tickets, chargeCalls } = createAuthMiddleware(deps);
  app.use(authenticateRequest);
  app.use(limitInFlight(shedder));
  app.use(bindCalls(deps));

  addActionRoutes(app, shedder);
  app.get('/api/openapi.json', (c) => sendJson(c, openapiDocument(deps.version)));
  addDocsRoutes(app, deps.docsFor);
  addStreamRoutes(app, { hub, tickets, closing: closing.signal });
  app.all('/mcp', (c) => handleMcp(c, deps, { shedder, chargeCalls }));
  addProbes(app, monitoring, () => ({
    sse_clients: hub.clients(),
    http_requests_in_flight: shedder.inFlight(),
    http_requests_shed_total: shedder.shed(),
  }));
  addIdentityRoutes(app, deps);
  addBrowserPages(app);
  addErrorResponses(app, deps);
  return {
    fetch: (request, bindings) => app.fetch(request, bindings),
    hub,
    close() {
      closing.abort();
      hub.close();
    },
  };
}

async function handleMcp(
  c: Context<Env>,
  { mcp }: HttpDeps,
  { shedder, chargeCalls }: { readonly shedder: LoadShedder } & Pick<AuthMiddleware, 'chargeCalls'>,
): Promise<Response> {
  const principal = c.get('principal');
  const call = c.get('call');
  if (c.req.method !== 'POST') return mcp(c.req.raw, { principal, call });
  const body: unknown = await readBody(c, shedder);
  if (Array.isArray(body) && body.length > 1) chargeCalls(principal, body.length);
  return mcp(c.req.raw, { principal, call, body });
}
