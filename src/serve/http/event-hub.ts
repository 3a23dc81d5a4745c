// Reads the journal once for all event streams of this process and sends each batch to every subscriber.

import type { ServerResponse } from 'node:http';
import type { EventView } from '../../actions/list-journal.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import { mayUseSource } from '../../core/model/source-rights.ts';
import { monotonicMs, sleepOrAbort, yieldToEventLoop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { EventFeed } from './http-deps.ts';
import { createSseSubscribers, renderFrames, send, type Subscriber, type StreamFilter } from './sse-subscribers.ts';

export interface EventHub {
  /** `begin` sends the head of the response, once the database has answered: until then an error is an ordinary error response. */
  open(response: ServerResponse, filter: StreamFilter, begin: () => void): Promise<void>;
  readonly clients: () => number;
  close(): void;
}

/** With thousands of subscribers each poll is a write to every one of them: they get larger batches less often. */
const pollIntervalMs = (subscribers: number): number => 200 + Math.min(800, subscribers / 5);
const PROGRESS_EVERY_MS = 1000;
const KEEP_ALIVE_MS = 15_000;
const BATCH_SIZE = 1000;
const MIN_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 15_000;

export function createEventHub(feed: EventFeed, log: Log): EventHub {
  const subscribers = createSseSubscribers();
  const stop = new AbortController();
  let head = 0;
  let reading: Promise<void> | null = null;

  const isWanted = (): boolean => subscribers.size() > 0 && !stop.signal.aborted;

  async function read(onSuccess: () => void): Promise<void> {
    const progress = createTimer(PROGRESS_EVERY_MS);
    const comment = createTimer(KEEP_ALIVE_MS);
    while (isWanted()) {
      const events = await feed.eventsAfter(head, BATCH_SIZE);
      onSuccess();
      // Set before broadcasting: a client that connects in the meantime catches up to this point by itself.
      head = events.at(-1)?.seq ?? head;
      const views = progress() ? await feed.liveRuns() : [];
      const names = subscribers.isAnyRestricted() ? await namesOf(feed, events) : NO_NAMES;
      await subscribers.broadcast({ events, progress: views, keepAlive: comment(), names });
      if (events.length < BATCH_SIZE) await sleepOrAbort(pollIntervalMs(subscribers.size()), stop.signal);
    }
  }

  /** While the database fails, the pause doubles: streams wait for it, and it is not flooded with attempts. */
  async function readWithRetries(): Promise<void> {
    let retryMs = MIN_RETRY_DELAY_MS;
    while (isWanted())
      try {
        await read(() => (retryMs = MIN_RETRY_DELAY_MS));
      } catch (error) {
        log.error('reading the journal for event streams failed', { error, retryMs });
        await sleepOrAbort(retryMs, stop.signal);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_DELAY_MS);
      }
  }

  function startReading(): void {
    reading ??= readWithRetries().finally(() => {
      reading = null;
      if (isWanted()) startReading();
    });
  }

  function rewind(seq: number): void {
    head = seq;
    subscribers.rewind(seq);
  }

  return {
    clients: subscribers.size,
    async open(response, filter, begin) {
      const subscriber = await greet(feed, { response, filter }, begin);
      // The others may have received more in the meantime.
      while (subscribers.size() > 0 && subscriber.seq < head && !response.destroyed) {
        const before = subscriber.seq;
        await catchUp(subscriber, feed);
        // The journal was replaced by a shorter one under the open streams: all of them continue where it ends now.
        if (subscriber.seq === before) rewind(before);
      }
      if (response.destroyed) return;
      if (subscribers.size() === 0) head = subscriber.seq;
      subscribers.add(subscriber);
      startReading();
    },
    close() {
      stop.abort();
      subscribers.end();
    },
  };
}

const NO_NAMES: ReadonlyMap<number, string> = new Map();

async function namesOf(feed: EventFeed, events: readonly EventView[]): Promise<ReadonlyMap<number, string>> {
  return feed.sourcesOf([...new Set(events.map(({ run }) => run))]);
}

function createTimer(ms: number): () => boolean {
  let next = monotonicMs() + ms;
  return () => {
    if (monotonicMs() < next) return false;
    next = monotonicMs() + ms;
    return true;
  };
}

/** Sends the snapshot and what the client missed. */
async function greet(
  feed: EventFeed,
  { response, filter: requested }: Omit<Subscriber, 'seq'>,
  begin: () => void,
): Promise<Subscriber> {
  const last = await feed.lastSeq();
  // An event that does not exist yet is of another journal, as before a restore: for this one the client is new.
  const filter = requested.after !== null && requested.after > last ? { ...requested, after: null } : requested;
  const subscriber: Subscriber = { response, filter, seq: filter.after ?? last };
  const first = await snapshot(feed, filter, subscriber.seq);
  begin();
  send(subscriber, first);
  if (filter.after !== null) await catchUp(subscriber, feed);
  return subscriber;
}

/** Sends what a client missed before it joins the others. Events that were pruned count as sent. */
async function catchUp(subscriber: Subscriber, feed: EventFeed): Promise<void> {
  const last = await feed.lastSeq();
  for (;;) {
    const events = await feed.eventsAfter(subscriber.seq, BATCH_SIZE);
    const { filter } = subscriber;
    send(subscriber, renderFrames(events, filter, filter.sources === null ? NO_NAMES : await namesOf(feed, events)));
    subscriber.seq = events.at(-1)?.seq ?? Math.max(subscriber.seq, last);
    if (events.length < BATCH_SIZE || subscriber.response.destroyed) return;
    // SQLite answers without a turn of the event loop, and a journal may have millions of events.
    await yieldToEventLoop();
  }
}

/** A client that connects after a run has ended gets its end again. */
async function snapshot(feed: EventFeed, { run, after, sources }: StreamFilter, seq: number): Promise<string> {
  const isVisible = ({ source }: RunView): boolean => mayUseSource(sources, source);
  if (run === null) {
    const ended = after === null ? (await feed.endedRuns()).filter(isVisible) : [];
    const ends = ended.map((one) => frame('done', one)).join('');
    return frame('snapshot', { seq, runs: (await feed.liveRuns()).filter(isVisible) }) + ends;
  }
  const found = await feed.run(run);
  const view = found !== null && isVisible(found) ? found : null;
  const text = frame('snapshot', { seq, runs: view === null ? [] : [view] });
  return view !== null && after === null && view.endedAt !== null ? text + frame('done', view) : text;
}

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
