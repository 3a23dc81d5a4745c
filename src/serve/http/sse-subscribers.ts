// Everybody who listens to the stream of events, and what each was sent last. A client that cannot keep up is cut off; it
// comes back with the last number it saw and misses nothing.

import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventView } from '../../actions/list-events.ts';
import type { RunView } from '../../actions/support/run-view.ts';
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

/** What is new since the last look; each listener gets its share of it in one write. */
export interface News {
  readonly events: readonly EventView[];
  readonly progress: readonly RunView[];
  /** Whether the listeners are to hear something even where there is nothing. */
  readonly keepAlive: boolean;
}

export interface Audience {
  readonly size: () => number;
  add(listener: Listener): void;
  /** To whoever has not had it. Lets other work in between: a write to thousands takes its time. */
  tell(news: News): Promise<void>;
  end(): void;
}

const MAX_BUFFERED_BYTES = 1024 * 1024;
/** A write takes some 20 µs: so many hold up nobody. */
const WRITES_IN_A_TURN = 200;
const COMMENT = ':\n\n';

export function send({ response }: Listener, text: string | Buffer): void {
  if (text.length === 0) return;
  response.write(text);
  if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
}

export function framesOf(events: readonly EventView[], { run, logs }: StreamWish): string {
  let text = '';
  for (const event of events) if (run === null || event.run === run) text += frameOfEvent(event, logs);
  return text;
}

function textOf({ events, progress, keepAlive }: News, wish: StreamWish): string {
  const views = progress.filter(({ run }) => wish.run === null || wish.run === run);
  const text = framesOf(events, wish) + views.map(frameOfProgress).join('');
  return text === '' && keepAlive ? COMMENT : text;
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
    async tell(news) {
      const last = news.events.at(-1)?.seq ?? 0;
      const first = news.events[0]?.seq ?? Number.POSITIVE_INFINITY;
      // Almost everybody wants everything and has had what came before: they share one piece of memory.
      const whole = Buffer.from(textOf(news, EVERYTHING));
      let written = 0;
      for (const listener of listeners) {
        const { wish, seq: had } = listener;
        listener.seq = Math.max(had, last);
        const isPlain = wish.run === null && wish.logs && had < first;
        const events = isPlain ? news.events : news.events.filter(({ seq }) => seq > had);
        send(listener, isPlain ? whole : textOf({ ...news, events }, wish));
        written += 1;
        if (written % WRITES_IN_A_TURN === 0) await nextTurn();
      }
    },
    end() {
      for (const { response } of listeners) response.end();
      listeners.clear();
    },
  };
}
