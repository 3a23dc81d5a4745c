// Client of the owner of a data directory, over its socket.

import type { IncomingMessage } from 'node:http';
import { leavesLibrary } from '../../actions/action.ts';
import { ACTION_SUMMARIES } from '../../actions/summaries.table.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { deadline } from '../../platform/clock.ts';
import type { ActionCallOptions } from '../call-action.ts';
import type { OwnerInfo, OwnerLine } from './owner-protocol.ts';

/** An import would read every export, of which some load Node's WebSocket and HTTP/2: 60 ms of CPU time in each command. */
const { request } = process.getBuiltinModule('node:http');

/** No process listens: the call was not received, so it is safe to call another owner. */
const NOT_LISTENING_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT']);
/** The owner exited during the call: it is safe to call another one if the action only reads. */
const CONNECTION_LOST_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
const READ_ACTIONS: ReadonlySet<string> = new Set(
  ACTION_SUMMARIES.filter(({ effect }) => leavesLibrary(effect)).map(({ name }) => name),
);

/** An owner responds to these at once. One that does not is stopped or hangs. */
const RESPONSE_TIMEOUT_MS = 5000;
const responseTimeout = (): AbortSignal => deadline(RESPONSE_TIMEOUT_MS);

/** Null if no process listens. Raises if one listens but does not respond. */
export async function getOwnerInfo(socket: string | null, signal = responseTimeout()): Promise<OwnerInfo | null> {
  const response = await post(socket, '/hello', '', signal);
  return response === null ? null : ((await readJson(response)) as OwnerInfo);
}

/** True if it exits; it closes its socket before it releases the directory. */
export async function requestOwnerExit(socket: string | null, when: 'idle' | 'now'): Promise<boolean> {
  const response = await post(socket, when === 'now' ? '/end/now' : '/end', '', responseTimeout());
  return response === null || ((await readJson(response)) as { ends: boolean }).ends;
}

/** Null if no process listens. */
export async function callOwner(
  socket: string | null,
  { action, input, files }: { readonly action: string; readonly input: unknown; readonly files: boolean },
  { onProgress = () => undefined, signal }: ActionCallOptions,
): Promise<{ readonly result: unknown } | null> {
  const path = `/${files ? 'call' : 'ask'}/${action}`;
  const response = await post(socket, path, JSON.stringify(input), signal).catch((error: NodeJS.ErrnoException) => {
    if (READ_ACTIONS.has(action) && CONNECTION_LOST_CODES.has(error.code ?? '')) return null;
    throw error;
  });
  if (response === null) return null;
  for await (const line of readLines(response)) {
    if ('progress' in line) onProgress(line.progress);
    else if ('error' in line) throw pinakesError(line.error.code, line.error.details);
    else return { result: line.result };
  }
  throw pinakesError('internal', { reason: `the owner of the data directory exited during ${action}` });
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  return JSON.parse(text);
}

async function* readLines(response: IncomingMessage): AsyncGenerator<OwnerLine> {
  let rest = '';
  for await (const part of response.setEncoding('utf8')) {
    const lines = (rest + String(part)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as OwnerLine;
  }
  if (rest !== '') yield JSON.parse(rest) as OwnerLine;
}

function post(
  socketPath: string | null,
  path: string,
  body: string,
  signal?: AbortSignal,
): Promise<IncomingMessage | null> {
  if (socketPath === null) return Promise.resolve(null);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | null>();
  request({ socketPath, path, method: 'POST', agent: false, ...(signal === undefined ? {} : { signal }) }, resolve)
    .on('error', (error: NodeJS.ErrnoException) =>
      NOT_LISTENING_CODES.has(error.code ?? '') ? resolve(null) : reject(error),
    )
    .end(body);
  return promise;
}
