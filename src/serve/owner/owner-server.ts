// The door that the owner of a data directory opens for the other commands of its user. Only that user can reach the
// socket, so no token is asked for, and paths may be named.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as settled, setTimeout as wait } from 'node:timers/promises';
import { PinakesError } from '../../core/model/errors.ts';
import type { CallAction } from '../call-action.ts';
import type { OwnerGreeting, OwnerLine } from './owner-protocol.ts';

export interface OwnerDoor {
  /** Calls that are under way. */
  readonly busy: () => number;
  close(): Promise<void>;
}

export interface OwnerDoorDeps {
  readonly socket: string;
  readonly greeting: OwnerGreeting;
  /** `files` tells whether paths may be named: the command line may, an agent behind MCP may not. */
  readonly callWith: (files: boolean) => CallAction;
  /** Asked to make room for another owner; false when it will not, or has work left that may not wait. */
  readonly end: (now: boolean) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const ONLY_THIS_USER = 0o177;
const LAST_CALLS_MS = 100;
/** Whoever connects and says nothing is not waited for any longer. */
const SILENT_MS = 1000;

/** Whoever opens it holds the lock of the directory, so a socket that is there already is a dead one's. */
export async function openOwnerDoor(deps: OwnerDoorDeps): Promise<OwnerDoor> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    void answer(request, response, deps).finally(() => (calls -= 1));
  });
  if (process.platform !== 'win32') rmSync(deps.socket, { force: true });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  const umask = process.umask(ONLY_THIS_USER);
  server.listen(deps.socket, resolve);
  process.umask(umask);
  await listening;
  if (process.platform !== 'win32') chmodSync(deps.socket, 0o600);
  return {
    busy: () => calls,
    async close() {
      // Nobody new finds it; whoever found it a moment ago is still heard, or the system would break the connection.
      if (process.platform !== 'win32') rmSync(deps.socket, { force: true });
      await wait(LAST_CALLS_MS);
      // On a busy machine the wait may end before the system's queue was looked at.
      await settled();
      await settled();
      const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
      server.close(() => tellClosed());
      const silent = setTimeout(() => server.closeIdleConnections(), SILENT_MS);
      await closed;
      clearTimeout(silent);
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, deps: OwnerDoorDeps): Promise<void> {
  const path = request.url ?? '';
  try {
    if (path === '/hello') response.end(JSON.stringify(deps.greeting));
    else if (path.startsWith('/end')) response.end(JSON.stringify({ ends: await deps.end(path === '/end/now') }));
    else if (path.startsWith('/call/'))
      await answerCall(path.slice(6), { request, response }, deps.callWith(true), deps.onError);
    else if (path.startsWith('/ask/'))
      await answerCall(path.slice(5), { request, response }, deps.callWith(false), deps.onError);
    else response.writeHead(404).end();
  } catch (error) {
    deps.onError(error);
    response.destroy();
  }
}

async function answerCall(
  action: string,
  { request, response }: Exchange,
  call: CallAction,
  onError: OwnerDoorDeps['onError'],
): Promise<void> {
  const input: unknown = JSON.parse(await text(request));
  const tell = (line: OwnerLine): void => void response.write(`${JSON.stringify(line)}\n`);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    tell({ answer: await call(action, input, { tell: (progress) => tell({ progress }), signal: gone.signal }) });
  } catch (error) {
    if (!(error instanceof PinakesError)) onError(error);
    const { code, details } =
      error instanceof PinakesError ? error : { code: 'internal' as const, details: { why: String(error) } };
    tell({ error: { code, details } });
  }
  response.end();
}
