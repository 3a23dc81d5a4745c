// Real single-page sites on loopback, from npm packages: without a browser each of them is an empty page.

import { existsSync, readFileSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fetchPackage } from '../../support/fetch-package.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';

export interface SpaSite {
  readonly server: CountingServer;
  readonly start: string;
  /** URLs of all its pages. */
  readonly pages: readonly string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
};

/** Serves texts by path, then files of a folder. */
export function serveFiles(texts: Readonly<Record<string, string>>, folder: string): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const path = pathname === '/' ? '/index.html' : pathname;
    const file = join(folder, path);
    const text = texts[path];
    const body =
      text ?? (!path.includes('..') && existsSync(file) && statSync(file).isFile() ? readFileSync(file) : null);
    if (body === null) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
    response.end(body);
  };
}

const GUIDES = join(import.meta.dirname, '../../../docs/guides');

/** Guides of this project under docsify, which keeps its routes in the fragment. Their links lead to what is not served. */
export async function docsifySite(
  names: readonly string[],
): Promise<SpaSite & { readonly markdown: ReadonlyMap<string, string> }> {
  const folder = await fetchPackage('docsify@5.0.0');
  const guides = names.map((name) => `${name}.md`);
  const texts: Record<string, string> = {
    '/index.html':
      '<!doctype html><html lang="en"><head><title>Guides</title><link rel="stylesheet" href="/dist/themes/core.min.css"></head><body><div id="app"></div><script>window.$docsify = { loadSidebar: true, name: "Guides" }</script><script src="/dist/docsify.min.js"></script></body></html>',
    '/README.md': '# Guides\n\nStart with the installation, then add a first source of documentation and search it.\n',
    '/_sidebar.md': guides.map((name) => `- [${name.slice(0, -3)}](guides/${name})`).join('\n'),
  };
  for (const name of guides)
    texts[`/guides/${name}`] = readFileSync(join(GUIDES, name), 'utf8').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const server = await startCountingServer(serveFiles(texts, folder));
  const start = `http://127.0.0.1:${server.port}/`;
  const markdown = new Map(guides.map((name) => [`${start}#/guides/${name.slice(0, -3)}`, texts[`/guides/${name}`]!]));
  return { server, start, pages: [start, ...markdown.keys()].toSorted(), markdown, close: () => server.close() };
}

/** Swagger UI with an OpenAPI document. */
export async function swaggerSite(openApi: object): Promise<SpaSite> {
  const folder = await fetchPackage('swagger-ui-dist@5.34.1');
  const initializer =
    'window.onload = () => { window.ui = SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: "StandaloneLayout" }); };';
  const texts = { '/swagger-initializer.js': initializer, '/openapi.json': JSON.stringify(openApi) };
  const server = await startCountingServer(serveFiles(texts, folder));
  const start = `http://127.0.0.1:${server.port}/`;
  return { server, start, pages: [start, `${start}openapi.json`], close: () => server.close() };
}

/** Redoc with an OpenAPI document. */
export async function redocSite(openApi: object): Promise<SpaSite> {
  const folder = await fetchPackage('redoc@2.5.1');
  const body = '<redoc spec-url="/openapi.json"></redoc><script src="/bundles/redoc.standalone.js"></script>';
  return serveOpenApi(openApi, folder, body, 'openapi.json');
}

/** RapiDoc, which keeps all of its text in shadow roots. */
export async function rapidocSite(openApi: object): Promise<SpaSite> {
  const folder = await fetchPackage('rapidoc@9.3.8');
  const element = '<rapi-doc spec-url="/openapi.json" render-style="read"></rapi-doc>';
  return serveOpenApi(openApi, folder, `${element}<script type="module" src="/dist/rapidoc-min.js"></script>`);
}

/** The document is a separate page where the site links to it. */
async function serveOpenApi(openApi: object, folder: string, body: string, links = ''): Promise<SpaSite> {
  const head = '<!doctype html><html lang="en"><head><title>API</title></head>';
  const texts = { '/index.html': `${head}<body>${body}</body></html>`, '/openapi.json': JSON.stringify(openApi) };
  const server = await startCountingServer(serveFiles(texts, folder));
  const start = `http://127.0.0.1:${server.port}/`;
  return { server, start, pages: [start, ...(links === '' ? [] : [start + links])], close: () => server.close() };
}
