// Talks to the owner of a data directory over its socket.

import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { actions } from '../../actions/actions.ts';
import { pinakesError } from '../../core/model/errors.ts';
import type { CallOptions } from '../call-action.ts';
import type { OwnerGreeting, OwnerLine } from './owner-protocol.ts';

/** Nobody listens: nothing was asked, so asking another owner is safe. */
const NOBODY: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT']);
/** It ended while it was asked: asking another one is safe where asking changes nothing. */
const ENDED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
const READS: ReadonlySet<string> = new Set(actions.filter(({ effect }) => effect === 'read').map(({ name }) => name));

/** An owner answers these at once. One that does not was stopped, or hangs: it is not waited for. */
const ANSWERS_WITHIN_MS = 5000;
const inTime = (): AbortSignal => AbortSignal.timeout(ANSWERS_WITHIN_MS);

/** Null where nobody listens. Raises where somebody does and says nothing. */
export async function greetOwner(socket: string): Promise<OwnerGreeting | null> {
  const response = await ask(socket, '/hello', '', inTime());
  return response === null ? null : ((await json(response)) as OwnerGreeting);
}

/** True when it ends; it closes its socket before it gives up the directory. */
export async function askOwnerToEnd(socket: string, when: 'idle' | 'now'): Promise<boolean> {
  const response = await ask(socket, when === 'now' ? '/end/now' : '/end', '', inTime());
  return response === null || ((await json(response)) as { ends: boolean }).ends;
}

/** Null where nobody listens. */
export async function callOwner(
  socket: string,
  { action, input, files }: { readonly action: string; readonly input: unknown; readonly files: boolean },
  { tell = () => undefined, signal }: CallOptions,
): Promise<{ readonly answer: unknown } | null> {
  const path = `/${files ? 'call' : 'ask'}/${action}`;
  const response = await ask(socket, path, JSON.stringify(input), signal).catch((error: NodeJS.ErrnoException) => {
    if (READS.has(action) && ENDED.has(error.code ?? '')) return null;
    throw error;
  });
  if (response === null) return null;
  for await (const text of createInterface({ input: response })) {
    const line = JSON.parse(text) as OwnerLine;
    if ('progress' in line) tell(line.progress);
    else if ('error' in line) throw pinakesError(line.error.code, line.error.details);
    else return { answer: line.answer };
  }
  throw pinakesError('internal', { why: `the owner of the data directory ended while it worked on ${action}` });
}

function ask(socketPath: string, path: string, body: string, signal?: AbortSignal): Promise<IncomingMessage | null> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | null>();
  request({ socketPath, path, method: 'POST', agent: false, ...(signal === undefined ? {} : { signal }) }, resolve)
    .on('error', (error: NodeJS.ErrnoException) => (NOBODY.has(error.code ?? '') ? resolve(null) : reject(error)))
    .end(body);
  return promise;
}
