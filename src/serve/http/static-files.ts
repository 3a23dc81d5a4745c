// Serves the built dashboard. Only files that existed when the server started are served, by their exact names: no request
// path ever reaches the disk.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context, Handler, HonoRequest } from 'hono';
import { acceptsGzip } from './compress.ts';

/** From `src/serve/http` as from `dist/serve/http`. */
const DASHBOARD_FOLDER = join(import.meta.dirname, '../../../dist/web');

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
};

const NOT_BUILT =
  'The dashboard is not part of this build. The API is at /api, its description at /api/openapi.json.\n';

interface StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

/** Paths of other routes: nothing below them is ever a page of the dashboard. */
const OTHER_ROUTES = /^\/(?:api|docs|llms\.txt|mcp|events|metrics|healthz|readyz)(?:\/|$)/;

const DASHBOARD = /^\/(?:(?:add|health|local|runs|search|sources)(?:\/|$)|assets\/|mark\.svg$|theme\.js$|$)/;

/** The dashboard itself reveals nothing of the library, so it is public; the page asks for a token if one is needed. */
export function wantsDashboard(request: HonoRequest): boolean {
  const { method, path } = request;
  if (!isReading(method) || !DASHBOARD.test(path)) return false;
  return path !== '/health' || (request.header('accept') ?? '').includes('text/html');
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A path that is not a file is a view of the dashboard, which routes it itself. */
export function createStaticFiles(folder = DASHBOARD_FOLDER): Handler {
  const names = new Set(listFiles(folder));
  const cache = new Map<string, StaticFile>();

  return async (c, next) => {
    const { path } = c.req;
    if (!isReading(c.req.method) || OTHER_ROUTES.test(path)) return next();
    const requested = path === '/local' ? 'local.html' : path.slice(1);
    const name = names.has(requested) ? requested : path.includes('.') ? null : 'index.html';
    if (name === null) return next();
    if (!names.has(name)) return c.text(NOT_BUILT, 404);
    let file = cache.get(name);
    if (file === undefined) cache.set(name, (file = readStatic(folder, name)));
    return sendFile(c, file);
  };
}

function sendFile(c: Context, { headers, plain, gzipped }: StaticFile): Response {
  const isGzipped = acceptsGzip(c.req.header('accept-encoding'));
  const own = isGzipped ? { ...headers, 'content-encoding': 'gzip' } : headers;
  return c.body(isGzipped ? gzipped : plain, 200, own);
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split(sep).join('/'));
  } catch {
    return [];
  }
}

function readStatic(folder: string, name: string): StaticFile {
  const plain = readFileSync(join(folder, name));
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  // The name of a file below assets/ changes with its content.
  const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const policy = name === 'local.html' ? policyOf(plain.toString('utf8')) : {};
  const headers = { 'content-type': type, 'cache-control': caching, vary: 'accept-encoding', ...policy };
  return { headers, plain, gzipped: gzipSync(plain) };
}

/** The browser-only page has its own policy, stricter than ours: it may connect to nothing. */
function policyOf(html: string): Record<string, string> {
  const [, policy = "default-src 'none'"] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  return { 'content-security-policy': `${policy}; frame-ancestors 'none'` };
}
