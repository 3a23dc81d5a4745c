// One reader of the journal for all streams of this process: what it reads is written once and sent to everybody.

import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { EventFeed } from './http-deps.ts';
import { createAudience, framesOf, send, type Listener, type StreamWish } from './sse-subscribers.ts';

export interface EventHub {
  open(response: ServerResponse, wish: StreamWish): Promise<void>;
  readonly clients: () => number;
  close(): void;
}

/** With thousands of listeners each look is a write to every one of them: they hear less often, and more at once. */
const lookEveryMs = (listeners: number): number => 200 + Math.min(800, listeners / 5);
const PROGRESS_EVERY_MS = 1000;
const KEEP_ALIVE_MS = 15_000;
const PIECE = 1000;

export function createEventHub(feed: EventFeed, log: Log): EventHub {
  const audience = createAudience();
  const stop = new AbortController();
  let head = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const progress = every(PROGRESS_EVERY_MS);
    const comment = every(KEEP_ALIVE_MS);
    while (audience.size() > 0 && !stop.signal.aborted) {
      const events = await feed.after(head, PIECE);
      // Before they are told: whoever comes meanwhile reads up to here by itself.
      head = events.at(-1)?.seq ?? head;
      const views = progress() ? await feed.liveRuns() : [];
      await audience.tell({ events, progress: views, keepAlive: comment() });
      if (events.length < PIECE) await pause(lookEveryMs(audience.size()));
    }
  }

  const pause = (ms: number) => wait(ms, undefined, { signal: stop.signal }).catch(() => undefined);

  function keepReading(): void {
    reading ??= read()
      .catch((error: unknown) => log.error('the journal could not be read for the streams', { error }))
      .finally(() => {
        reading = null;
        if (audience.size() > 0 && !stop.signal.aborted) keepReading();
      });
  }

  return {
    clients: audience.size,
    async open(response, wish) {
      const listener: Listener = { response, wish, seq: wish.after ?? (await feed.lastSeq()) };
      send(listener, await snapshot(feed, wish, listener.seq));
      if (wish.after !== null) await catchUp(listener, feed);
      // The others may have been told more meanwhile.
      while (audience.size() > 0 && listener.seq < head && !response.destroyed) await catchUp(listener, feed);
      if (response.destroyed) return;
      if (audience.size() === 0) head = listener.seq;
      audience.add(listener);
      keepReading();
    },
    close() {
      stop.abort();
      audience.end();
    },
  };
}

function every(ms: number): () => boolean {
  let next = performance.now() + ms;
  return () => {
    if (performance.now() < next) return false;
    next = performance.now() + ms;
    return true;
  };
}

/** What a client missed, before it joins the others. */
async function catchUp(listener: Listener, feed: EventFeed): Promise<void> {
  for (;;) {
    const events = await feed.after(listener.seq, PIECE);
    send(listener, framesOf(events, listener.wish));
    listener.seq = events.at(-1)?.seq ?? listener.seq;
    if (events.length < PIECE || listener.response.destroyed) return;
  }
}

/** A late comer to a run that has ended is told its end again. */
async function snapshot(feed: EventFeed, { run, after }: StreamWish, seq: number): Promise<string> {
  if (run === null) return frame('snapshot', { seq, runs: await feed.liveRuns() });
  const view = await feed.run(run);
  const text = frame('snapshot', { seq, runs: view === null ? [] : [view] });
  return view !== null && after === null && view.endedAt !== null ? text + frame('done', view) : text;
}

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
