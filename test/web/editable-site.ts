// A small site that fails and changes on request, for what a dashboard shows of that.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChangingSite {
  readonly start: string;
  readonly asked: string[];
  /** Pages under these paths answer 400, which is not asked again in the same run. */
  readonly broken: Set<string>;
  say(path: string, text: string): void;
  close(): Promise<void>;
}

const PROSE =
  'It says at some length what a reader needs to know before anything else, so that it is kept as knowledge.';

export async function createChangingSite(): Promise<ChangingSite> {
  const said = new Map<string, string>();
  const broken = new Set<string>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const text = said.get(path);
    asked.push(path);
    if (broken.has(path)) return response.writeHead(400).end();
    if (text === undefined) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('x-robots-tag', 'all');
    return response.end(
      `<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1><p>${PROSE}</p>${text}</main>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    start: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    broken,
    say: (path, text) => void said.set(path, text),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
