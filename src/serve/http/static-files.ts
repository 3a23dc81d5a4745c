// Serves the built dashboard. Only files that existed when the server started are served, by their exact names: no request
// path ever reaches the disk.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context, Handler, HonoRequest } from 'hono';
import { packagePath } from '../../platform/package-path.ts';
import { acceptsGzip } from './compress.ts';

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
const OTHER_ROUTES = /^\/(?:api|docs|llms\.txt|mcp|events|metrics|healthz|readyz|session|sign-in)(?:\/|$)/;

/** Below /analysis, only its views are public: the pages that the server renders show the library. */
const DASHBOARD =
  /^\/(?:analysis(?:\/(?!ssr\/?$)[^/]+)?\/?$|(?:add|browser-mode|history|library|runs|search|sources)(?:\/|$)|assets\/|mark\.svg$|theme\.js$|$)/;

/** The dashboard itself reveals nothing of the library, so it is public; the page asks for a token if one is needed. */
export function wantsDashboard(request: HonoRequest): boolean {
  const { method, path } = request;
  return isReading(method) && DASHBOARD.test(path);
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The views, as web/routes.tsx has them, and what a browser gets at /health. Other paths are not found. */
const VIEW =
  /^\/(?:(?:add|analysis|health|history|library|runs|search)?\/?|(?:analysis|runs)\/[^/]+\/?|sources\/[^/]+(?:\/(?:compare|edit|page|recrawl|remove))?\/?)$/;

export function isDashboardView(path: string): boolean {
  return VIEW.test(path) || path === '/browser-mode';
}

/** The dashboard routes its views itself. A person who follows an outdated link gets its page for that, with the right status. */
export function createStaticFiles(): Handler {
  const folder = packagePath('dist/web') ?? '';
  const names = new Set(listFiles(folder));
  const cache = new Map<string, StaticFile>();

  return async (c, next) => {
    const { path } = c.req;
    if (!isReading(c.req.method) || OTHER_ROUTES.test(path)) return next();
    const requested = path === '/browser-mode' ? 'browser-mode.html' : path.slice(1);
    const isFound = names.has(requested) || isDashboardView(path);
    if (!isFound && !acceptsHtml(c.req)) return next();
    const name = names.has(requested) ? requested : 'index.html';
    if (!names.has(name)) return isFound ? c.text(NOT_BUILT, 404) : next();
    let file = cache.get(name);
    if (file === undefined) cache.set(name, (file = readStatic(folder, name)));
    return sendFile(c, file, isFound ? 200 : 404);
  };
}

function acceptsHtml(request: HonoRequest): boolean {
  return !request.path.includes('.') && (request.header('accept') ?? '').includes('text/html');
}

function sendFile(c: Context, { headers, plain, gzipped }: StaticFile, status: 200 | 404): Response {
  const isGzipped = acceptsGzip(c.req.header('accept-encoding'));
  const own = isGzipped ? { ...headers, 'content-encoding': 'gzip' } : headers;
  return c.body(isGzipped ? gzipped : plain, status, own);
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
  const policy = name === 'browser-mode.html' ? policyOf(plain.toString('utf8')) : {};
  const headers = { 'content-type': type, 'cache-control': caching, vary: 'accept-encoding', ...policy };
  return { headers, plain, gzipped: gzipSync(plain) };
}

/** The browser-only page has its own policy, stricter than ours: it may connect to nothing. */
function policyOf(html: string): Record<string, string> {
  const [, policy = "default-src 'none'"] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  return { 'content-security-policy': `${policy}; frame-ancestors 'none'` };
}
