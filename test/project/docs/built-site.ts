// Builds the documentation site, and serves it on loopback.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { PROJECT } from '../../support/project-files.ts';

/** Astro writes into `folder`; its packages are installed from the registry if they are missing. */
export function buildSite(folder: string): void {
  const env = { ...process.env, SITE_OUT: folder };
  execFileSync(process.execPath, ['scripts/write-site.ts'], { cwd: PROJECT, env, stdio: 'pipe' });
}

/** Paths below `folder`, with slashes. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
};

export async function serveSite(folder: string): Promise<{ readonly url: string; readonly server: Server }> {
  const files = new Set(filesOf(folder));
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)).slice(1);
    const file = [path, join(path, 'index.html')].find((name) => files.has(name));
    if (file === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    return void response.end(readFileSync(join(folder, file)));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
