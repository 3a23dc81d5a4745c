// Events of a server as an iterable that continues after a broken connection: the server sends what came after the last
// event seen.

import type { EventView } from '../actions/list-journal.ts';
import { PinakesError } from '../core/model/errors.ts';
import { sleep } from './sleep.ts';

/** Opens the stream after the event with this number, or from now on. Raises a PinakesError. */
export type OpenStream = (after: number | null, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 15_000;
/** The server sends something every 15 s. A connection that is silent for longer is broken. */
const MAX_SILENCE_MS = 40_000;

/** Without end. Raises what `open` raises, unless a later attempt may succeed. */
export async function* followEvents(
  open: OpenStream,
  from: number | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventView, void> {
  const position: Position = { after: from, retryMs: MIN_RETRY_MS };
  for (;;) {
    signal?.throwIfAborted();
    try {
      yield* readConnection(open, position, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof PinakesError && !error.retryable) throw error;
    }
    await sleep(position.retryMs, signal);
    position.retryMs = Math.min(2 * position.retryMs, MAX_RETRY_MS);
  }
}

interface Position {
  /** The last event seen. */
  after: number | null;
  retryMs: number;
}

/** Until the connection ends. */
async function* readConnection(
  open: OpenStream,
  position: Position,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventView, void> {
  const connection = new AbortController();
  const ended = signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal]);
  try {
    const stream = await open(position.after, ended);
    for await (const { event, id, data } of readFrames(stream, () => connection.abort())) {
      position.retryMs = MIN_RETRY_MS;
      // A connection that breaks before the first event continues where it began.
      if (event === 'snapshot') position.after ??= (JSON.parse(data) as { readonly seq: number }).seq;
      if (id === null) continue;
      const view = viewOf(event, JSON.parse(data) as EventView);
      position.after = view.seq;
      yield view;
    }
  } finally {
    connection.abort();
  }
}

/** The data of problem and milestone frames has further fields, and their own kind. */
function viewOf(frame: string, { seq, at, run, kind, url, detail }: EventView): EventView {
  const isReport = frame === 'problem' || frame === 'milestone';
  return { seq, at, run, kind: isReport ? frame : kind, url, detail };
}

export interface Frame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Frames of a text/event-stream. `onSilence` is called when nothing has come for too long. */
async function* readFrames(stream: ReadableStream<Uint8Array>, onSilence: () => void): AsyncGenerator<Frame, void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let watchdog = setTimeout(onSilence, MAX_SILENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(onSilence, MAX_SILENCE_MS);
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseFrame).filter((frame) => frame !== null);
    }
  } finally {
    clearTimeout(watchdog);
    reader.cancel().catch(() => undefined);
  }
}

/** Null for a comment. */
export function parseFrame(block: string): Frame | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  return data === undefined ? null : { event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data };
}
