// Changes as server-sent events: one frame a change, whose id is its position, so that a client that connects again continues after it.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { HttpBinding } from '../../actions/action.ts';
import type { ActionOutput } from '../../actions/actions.ts';
import type { ChangeView } from '../../actions/list-changes.ts';
import type { CallAction } from '../call-action.ts';
import { errorBody, toPinakesError } from '../public-error.ts';

export const CHANGES_STREAM = '/api/changes/stream';
/** Its inputs are those of the action. */
export const CHANGES_BINDING: HttpBinding = { method: 'GET', path: '/changes/stream' };

export interface ChangesStream {
  readonly response: ServerResponse;
  /** Sends the head of the response. */
  readonly begin: () => void;
  readonly call: CallAction;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** A comment is sent at least this often, so that a broken connection is noticed. */
const KEEP_ALIVE_SECONDS = 15;

/** Returns when the stream has begun: an error until then is raised, and a later one is the last frame. */
export async function streamChanges(stream: ChangesStream, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { response, begin, call, closing } = stream;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const signal = AbortSignal.any([closing, left.signal]);
  const read = async (since: unknown, wait: number): Promise<ActionOutput<'list_changes'>> =>
    (await call('list_changes', { ...input, since, wait }, { signal })) as ActionOutput<'list_changes'>;
  const first = await read(input['since'], 0);
  begin();
  void sendAll(response, first, (since) => read(since, KEEP_ALIVE_SECONDS), signal);
}

async function sendAll(
  response: ServerResponse,
  first: ActionOutput<'list_changes'>,
  read: (since: string) => Promise<ActionOutput<'list_changes'>>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let found = first; ; found = await read(found.position)) {
      const text = found.changes.map(changeFrame).join('');
      // A client that reads slowly is waited for, so that nothing piles up.
      if (!response.write(text === '' ? ':\n\n' : text)) await once(response, 'drain', { signal });
    }
  } catch (error) {
    if (!signal.aborted)
      response.write(`event: error\ndata: ${JSON.stringify(errorBody(toPinakesError(error), ''))}\n\n`);
  }
  response.end();
}

function changeFrame(change: ChangeView): string {
  return `id: ${change.position}\nevent: ${change.kind}\ndata: ${JSON.stringify(change)}\n\n`;
}
