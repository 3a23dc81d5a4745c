// A small site whose pages can be changed and made to fail, to test what the dashboard shows of that.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EditableSite {
  readonly start: string;
  readonly requests: string[];
  /** Paths that respond with 400, which is not retried in the same run. */
  readonly broken: Set<string>;
  setPage(path: string, text: string): void;
  /** The page does not respond until the returned function is called. */
  hold(path: string): () => void;
  close(): Promise<void>;
}

const PROSE =
  'It says at some length what a reader needs to know before anything else, so that it is stored as content.';

export async function createEditableSite(): Promise<EditableSite> {
  const pages = new Map<string, string>();
  const broken = new Set<string>();
  const requests: string[] = [];
  const held = new Map<string, Promise<void>>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const path = request.url ?? '/';
    await held.get(path);
    const text = pages.get(path);
    requests.push(path);
    if (broken.has(path)) return response.writeHead(400).end();
    if (text === undefined) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('x-robots-tag', 'all');
    return response.end(
      `<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1><p>${PROSE}</p>${text}</main>`,
    );
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    start: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    broken,
    setPage: (path, text) => void pages.set(path, text),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return () => {
        held.delete(path);
        resolve();
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
