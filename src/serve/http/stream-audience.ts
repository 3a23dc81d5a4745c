// Everybody who listens to the stream of events, and what each was sent last. A client that cannot keep up is cut off; it
// comes back with the last number it saw and misses nothing.

import type { ServerResponse } from 'node:http';
import type { EventView } from '../../actions/list-events.ts';
import type { RunView } from '../../actions/run-view.ts';
import { frameOfEvent, frameOfProgress } from './event-frames.ts';

export interface StreamWish {
  readonly run: number | null;
  /** The last number that the client saw; null for one that comes new. */
  readonly after: number | null;
  readonly logs: boolean;
}

export interface Listener {
  readonly response: ServerResponse;
  readonly wish: StreamWish;
  /** Everything up to here was sent. */
  seq: number;
}

export interface Audience {
  readonly size: () => number;
  add(listener: Listener): void;
  /** To whoever has not had them. */
  tell(events: readonly EventView[]): void;
  tellProgress(view: RunView): void;
  keepAlive(): void;
  end(): void;
}

const MAX_BUFFERED_BYTES = 1024 * 1024;

export function send({ response }: Listener, text: string): void {
  if (text === '') return;
  response.write(text);
  if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
}

export function framesOf(events: readonly EventView[], { run, logs }: StreamWish): string {
  let text = '';
  for (const event of events) if (run === null || event.run === run) text += frameOfEvent(event, logs);
  return text;
}

const EVERYTHING: StreamWish = { run: null, after: null, logs: true };

export function createAudience(): Audience {
  const listeners = new Set<Listener>();
  return {
    size: () => listeners.size,
    add(listener) {
      listeners.add(listener);
      listener.response.on('close', () => listeners.delete(listener));
    },
    tell(events) {
      const last = events.at(-1)?.seq ?? 0;
      const first = events[0]?.seq ?? 0;
      // Almost everybody wants everything and has had what came before: they share one text.
      const whole = framesOf(events, EVERYTHING);
      for (const listener of listeners) {
        if (listener.seq >= last) continue;
        const isPlain = listener.wish.run === null && listener.wish.logs && listener.seq < first;
        const fresh = isPlain ? [] : events.filter(({ seq }) => seq > listener.seq);
        listener.seq = last;
        send(listener, isPlain ? whole : framesOf(fresh, listener.wish));
      }
    },
    tellProgress(view) {
      const frame = frameOfProgress(view);
      for (const listener of listeners)
        if (listener.wish.run === null || listener.wish.run === view.run) send(listener, frame);
    },
    keepAlive() {
      for (const listener of listeners) send(listener, ':\n\n');
    },
    end() {
      for (const { response } of listeners) response.end();
      listeners.clear();
    },
  };
}
