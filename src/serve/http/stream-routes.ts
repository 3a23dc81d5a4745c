// The streams: events of runs, and changes of pages.

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Hono } from 'hono';
import type { ServerResponse } from 'node:http';
import { actions } from '../../actions/actions.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { corsHeaders, SECURITY_HEADERS, type AuthMiddleware, type Env } from './auth-middleware.ts';
import { CHANGES_BINDING, CHANGES_STREAM, streamChanges } from './changes-stream.ts';
import type { EventHub } from './event-hub.ts';
import { parseRequestInput } from './request-input.ts';
import type { StreamFilter } from './sse-subscribers.ts';

export interface StreamDeps {
  readonly hub: EventHub;
  readonly tickets: AuthMiddleware['tickets'];
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

export function addStreamRoutes(app: Hono<Env>, { hub, tickets, closing }: StreamDeps): void {
  app.get(
    '/events',
    unlessHead((c) => openStream(c, hub)),
  );
  app.get(
    CHANGES_STREAM,
    unlessHead((c) => openChangesStream(c, closing)),
  );
  app.post('/events/ticket', async (c) => c.json({ ticket: await tickets.issue(c.get('principal')) }));
}

/** A HEAD request would hold a stream that nothing is sent to. */
function unlessHead(open: (c: Context<Env>) => Promise<Response>): (c: Context<Env>) => Response | Promise<Response> {
  return (c) => (c.req.method === 'HEAD' ? c.body(null, 200, STREAM_HEADERS) : open(c));
}

async function openStream(c: Context<Env>, hub: EventHub): Promise<Response> {
  const query = new URL(c.req.url).searchParams;
  const filter: StreamFilter = {
    run: parseNumberParam(query.get('run'), 'run'),
    after: parseNumberParam(c.req.header('last-event-id') ?? query.get('after'), 'after'),
    logs: query.get('logs') !== '0',
    sources: c.get('principal').sources,
  };
  const { outgoing, begin } = streamResponse(c);
  await hub.open(outgoing, filter, begin).catch((error: unknown) => {
    if (!outgoing.headersSent) throw error;
    // The client connects again and continues after the last event it saw.
    outgoing.destroy();
  });
  return RESPONSE_ALREADY_SENT;
}

async function openChangesStream(c: Context<Env>, closing: AbortSignal): Promise<Response> {
  const query = new URL(c.req.url).searchParams;
  query.delete('ticket');
  const input = parseRequestInput(actions.list_changes, CHANGES_BINDING, { path: {}, query, body: {} });
  const lastId = c.req.header('last-event-id');
  const from = lastId === undefined || lastId === '' ? input : { ...input, since: lastId };
  const { outgoing, begin } = streamResponse(c);
  await streamChanges({ response: outgoing, begin, call: c.get('call'), closing }, from);
  return RESPONSE_ALREADY_SENT;
}

interface StreamResponse {
  readonly outgoing: ServerResponse;
  /** Sends the head. */
  readonly begin: () => void;
}

function streamResponse(c: Context<Env>): StreamResponse {
  const { outgoing } = c.env;
  const origin = c.res.headers.get('access-control-allow-origin');
  const cors = origin === null ? {} : corsHeaders(origin);
  if (!('setTimeout' in outgoing && 'writeHead' in outgoing)) throw pinakesError('internal', { reason: 'no stream' });
  return {
    outgoing,
    begin: () => void outgoing.writeHead(200, { ...STREAM_HEADERS, ...SECURITY_HEADERS, ...cors }),
  };
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A buffering proxy would hold the events back.
  'x-accel-buffering': 'no',
} as const;

function parseNumberParam(text: string | null, name: string): number | null {
  if (text === null || text === '') return null;
  if (!/^\d{1,15}$/.test(text)) throw pinakesError('input.invalid', { reason: `${name} must be a number` });
  return Number(text);
}
