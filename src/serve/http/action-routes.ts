// The routes of the actions below /api: reads the input, calls the action, and answers with JSON or with the file that it produces.

import type { Context, Hono } from 'hono';
import { mayCall, requireRole } from '../call-as.ts';
import { resultFor, type Env } from './auth-middleware.ts';
import { gzipStream, mayCompress, sendJson } from './compress.ts';
import { httpRoutes, type HttpRoute } from './http-routes.ts';
import { trackUntilSent, type LoadShedder } from './load-shedder.ts';
import { parseRequestInput, readJsonBody } from './request-input.ts';
import { createResponseWriter } from './response-writer.ts';

export function addActionRoutes(app: Hono<Env>, shedder: LoadShedder): void {
  for (const route of httpRoutes) {
    const path = `/api${route.binding.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    app.on(route.binding.method, path, (c) => handleAction(c, route, shedder));
  }
}

async function handleAction(c: Context<Env>, { action, binding }: HttpRoute, shedder: LoadShedder): Promise<Response> {
  const principal = c.get('principal');
  const call = c.get('call');
  // Before the body is read; the call that is recorded as rejected has no input yet.
  if (!mayCall(principal, action)) return sendJson(c, await call(action.name, c.req.param()));
  if (binding.file !== undefined) requireRole(principal, 'admin');
  const body = binding.method === 'POST' || binding.method === 'PATCH' ? await readBody(c, shedder) : {};
  const query = new URL(c.req.url).searchParams;
  const input = parseRequestInput(action, binding, { path: c.req.param(), query, body });
  const { signal } = c.req.raw;
  if (binding.file === undefined)
    return sendJson(
      c,
      resultFor(principal, action.name, await call(action.name, input, { signal })),
      binding.status ?? 200,
    );
  const { mediaType, extension } = binding.file.formats?.[String(input['format'])] ?? binding.file;
  const name = `${fileNameOf(input['source'])}.${extension}`;
  const writer = createResponseWriter(name);
  const done = call(action.name, input, { signal, writer });
  // A client that disconnects stops reading, and the action finds its file closed.
  await Promise.race([writer.started, done]);
  done.catch(() => writer.discard());
  const headers = { 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` };
  const isText = TEXT_TYPE.test(mediaType) && mayCompress(c);
  return isText
    ? c.body(gzipStream(writer.body), 200, { ...headers, 'content-encoding': 'gzip' })
    : c.body(writer.body, 200, headers);
}

/** Other exports are archives. */
const TEXT_TYPE = /^text\/|json/;

function fileNameOf(source: unknown): string {
  return String(source)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 100);
}

/** A request counts as in flight once its body has been read. */
export async function readBody(c: Context<Env>, shedder: LoadShedder): Promise<unknown> {
  const body = await readJsonBody(c.req.raw, shedder.checkMemory);
  trackUntilSent(c, shedder);
  return body;
}
