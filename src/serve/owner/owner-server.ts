// Serves the other commands of the same user from the owner of a data directory. Only that user can reach the socket, so
// no token is required and local paths are allowed.

import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { PinakesError } from '../../core/model/errors.ts';
import { after, sleep, yieldToEventLoop } from '../../platform/clock.ts';
import type { CallAction } from '../call-action.ts';
import type { OwnerInfo, OwnerLine } from './owner-protocol.ts';
import type { OwnerSocket } from './owner-socket.ts';

export interface OwnerServer {
  /** Calls in progress. */
  readonly activeCalls: () => number;
  close(): Promise<void>;
}

export interface OwnerServerDeps {
  readonly socket: OwnerSocket;
  readonly info: OwnerInfo;
  /** `files` tells whether a call may name local paths: the command line may, an MCP client may not. */
  readonly createCall: (files: boolean) => CallAction;
  /** Asked to exit for another owner; resolves to false if it stays, or has work that cannot wait. */
  readonly end: (now: boolean) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const ONLY_THIS_USER = 0o177;
const DRAIN_MS = 100;
/** A connection that stays silent for longer is closed. */
const IDLE_CONNECTION_MS = 1000;

export async function openOwnerServer(deps: OwnerServerDeps): Promise<OwnerServer> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    void handleRequest(request, response, deps).finally(() => (calls -= 1));
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  const umask = process.umask(ONLY_THIS_USER);
  server.listen(deps.socket.path, resolve);
  process.umask(umask);
  await listening;
  if (process.platform !== 'win32') chmodSync(deps.socket.path, 0o600);
  return {
    activeCalls: () => calls,
    async close() {
      // New clients no longer find it; one that found it a moment ago is still served, or its connection would break.
      deps.socket.remove();
      await sleep(DRAIN_MS);
      // On a busy machine the sleep may end before the accept queue was polled.
      await yieldToEventLoop();
      await yieldToEventLoop();
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
      server.close(() => onClosed());
      const silent = after(IDLE_CONNECTION_MS, () => server.closeIdleConnections());
      await closed;
      silent.cancel();
    },
  };
}

async function handleRequest(request: IncomingMessage, response: ServerResponse, deps: OwnerServerDeps): Promise<void> {
  const path = request.url ?? '';
  try {
    if (path === '/hello') response.end(JSON.stringify(deps.info));
    else if (path.startsWith('/end')) response.end(JSON.stringify({ ends: await deps.end(path === '/end/now') }));
    else if (path.startsWith('/call/'))
      await handleCall(path.slice(6), { request, response }, deps.createCall(true), deps.onError);
    else if (path.startsWith('/ask/'))
      await handleCall(path.slice(5), { request, response }, deps.createCall(false), deps.onError);
    else response.writeHead(404).end();
  } catch (error) {
    deps.onError(error);
    response.destroy();
  }
}

async function handleCall(
  action: string,
  { request, response }: Exchange,
  call: CallAction,
  onError: OwnerServerDeps['onError'],
): Promise<void> {
  const input: unknown = JSON.parse(await text(request));
  const writeLine = (line: OwnerLine): void => void response.write(`${JSON.stringify(line)}\n`);
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  try {
    writeLine({
      result: await call(action, input, {
        onProgress: (progress) => writeLine({ progress }),
        signal: disconnected.signal,
      }),
    });
  } catch (error) {
    if (!(error instanceof PinakesError)) onError(error);
    const { code, details } =
      error instanceof PinakesError ? error : { code: 'internal' as const, details: { reason: String(error) } };
    writeLine({ error: { code, details } });
  }
  response.end();
}
