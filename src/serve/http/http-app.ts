// The HTTP door as one application: checks first, then routes from the actions, the stream, health and figures.

import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import type { Effect } from '../../actions/action.ts';
import { pinakesError } from '../../core/model/errors.ts';
import type { Principal } from '../../platform/access-token.ts';
import { asKnown, errorBody } from './error-body.ts';
import { createGuard, type Env } from './auth-middleware.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import type { HttpDeps } from './http-deps.ts';
import { httpRoutes, type HttpRoute } from './http-routes.ts';
import { inputOfRequest } from './request-input.ts';
import { countIn, createLoadGate, enterUntilSent, type LoadGate } from './load-shedder.ts';
import { createRequestFigures } from './request-metrics.ts';
import { openapiDocument } from './openapi-document.ts';
import { readJsonBody } from './read-body.ts';
import { createResponseSink } from './response-sink.ts';
import { createStaticFiles } from './static-files.ts';
import type { StreamWish } from './sse-subscribers.ts';

export interface HttpApp {
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  readonly hub: EventHub;
}

export function createHttpApp(deps: HttpDeps): HttpApp {
  const { log } = deps;
  const app = new Hono<Env>();
  const hub = createEventHub(deps.feed, log);
  const figures = createRequestFigures();
  let requests = 0;

  app.use(async (c, next) => {
    const began = performance.now();
    c.set('requestId', `${process.pid.toString(36)}-${(requests += 1).toString(36)}`);
    await next();
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
    c.header('x-request-id', c.get('requestId'));
    const ms = performance.now() - began;
    const route = routeName(c);
    figures.count(route, c.res.status, ms);
    log.debug('request', {
      method: c.req.method,
      route,
      status: c.res.status,
      ms: Math.round(ms),
      id: c.get('requestId'),
    });
  });

  const gate = createLoadGate(deps.settings.maxRequestsInFlight);
  app.use(countIn(gate));
  const { guard, tickets } = createGuard(deps);
  app.use(guard);

  for (const route of httpRoutes) {
    const path = `/api${route.door.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    app.on(route.door.method, path, (c) => answer(c, route, deps, gate));
  }
  app.get('/api/openapi.json', (c) => c.json(openapiDocument(deps.version)));
  app.get('/events', (c) => stream(c, hub));
  app.post('/events/ticket', (c) => c.json({ ticket: tickets.issue(c.get('principal')) }));
  app.all('/mcp', (c) => answerMcp(c, deps, gate));
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', async (c) => {
    const lack = await deps.readiness();
    return lack === null ? c.text('ready') : c.text('not ready', 503);
  });
  app.get('/metrics', async (c) => {
    const gauges = { ...(await deps.gauges()), sse_clients: hub.clients(), http_requests_in_flight: gate.inFlight() };
    return c.text(figures.text(gauges, { http_requests_shed_total: gate.shed() }));
  });
  app.get('*', createStaticFiles());
  app.notFound((c) => refused(c, pinakesError('http.not-found', { path: c.req.path.slice(0, 200) })));
  app.onError((error, c) => {
    const known = asKnown(error);
    if (known.code === 'internal') log.error('a request failed', { error, id: c.get('requestId') });
    return refused(c, known);
  });
  return { fetch: (request, bindings) => app.fetch(request, bindings), hub };
}

const COME_BACK: ReadonlySet<string> = new Set(['http.limited', 'http.overloaded']);

function refused(c: Context<Env>, error: ReturnType<typeof asKnown>): Response {
  if (error.code === 'http.unauthorized') c.header('www-authenticate', 'Bearer');
  if (COME_BACK.has(error.code)) c.header('retry-after', String(error.details['seconds']));
  return c.json(errorBody(error, c.get('requestId')), error.httpStatus as 400);
}

async function answer(
  c: Context<Env>,
  { action, door }: HttpRoute,
  { call }: HttpDeps,
  gate: LoadGate,
): Promise<Response> {
  mustHave(c.get('principal'), door.file === undefined ? action.effect : 'admin');
  const body = door.method === 'POST' ? await bodyOf(c, gate) : {};
  const query = new URL(c.req.url).searchParams;
  const input = inputOfRequest(action, door, { path: c.req.param(), query, body });
  const { signal } = c.req.raw;
  if (door.file === undefined) return c.json((await call(action.name, input, { signal })) as object);
  const name = `${fileNameOf(input['source'])}.${door.file.extension}`;
  const sink = createResponseSink(name);
  const done = call(action.name, input, { signal, sink });
  // Whoever went away stops reading, and the action finds its file closed.
  await Promise.race([sink.begun, done]);
  done.catch(() => sink.discard());
  const headers = { 'content-type': door.file.mediaType, 'content-disposition': `attachment; filename="${name}"` };
  return c.body(sink.body, 200, headers);
}

function fileNameOf(source: unknown): string {
  return String(source)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 100);
}

async function answerMcp(c: Context<Env>, { mcp }: HttpDeps, gate: LoadGate): Promise<Response> {
  const principal = c.get('principal');
  if (c.req.method !== 'POST') return mcp(c.req.raw, { principal });
  return mcp(c.req.raw, { principal, body: await bodyOf(c, gate) });
}

/** Counts from here: what is asked is known, and somebody works on it. */
async function bodyOf(c: Context<Env>, gate: LoadGate): Promise<unknown> {
  const body = await readJsonBody(c.req.raw, gate.checkMemory);
  enterUntilSent(c.env.outgoing, gate);
  return body;
}

function mustHave({ scope }: Principal, effect: Effect): void {
  if (effect !== 'read' && scope !== 'admin')
    throw pinakesError('http.forbidden', { why: 'This token may read, and not change the library' });
}

async function stream(c: Context<Env>, hub: EventHub): Promise<Response> {
  const query = new URL(c.req.url).searchParams;
  const wish: StreamWish = {
    run: numberOf(query.get('run'), 'run'),
    after: numberOf(c.req.header('last-event-id') ?? query.get('after'), 'after'),
    logs: query.get('logs') !== '0',
  };
  const { outgoing } = c.env;
  if (!('setTimeout' in outgoing && 'writeHead' in outgoing)) throw pinakesError('internal', { why: 'no stream' });
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies that gather answers would hold the events back.
    'x-accel-buffering': 'no',
    ...SAFETY_HEADERS,
  });
  await hub.open(outgoing, wish);
  return RESPONSE_ALREADY_SENT;
}

function numberOf(text: string | null, name: string): number | null {
  if (text === null || text === '') return null;
  if (!/^\d{1,15}$/.test(text)) throw pinakesError('input.invalid', { why: `${name}: it is not a number` });
  return Number(text);
}

/** A route by its pattern, so that figures do not grow with the paths that people ask for. */
function routeName(c: Context<Env>): string {
  const path = c.req.path;
  const found = c.req.matchedRoutes.findLast(({ path: pattern }) => pattern !== '/*');
  return found?.path ?? (path === '/' ? '/' : 'other');
}

const SAFETY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
