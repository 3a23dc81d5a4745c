// Subscribers of the event stream (server-sent events) and what each was sent last. A client that cannot keep up is
// disconnected; it reconnects with the last event id it saw and misses nothing.

import type { ServerResponse } from 'node:http';
import type { EventView } from '../../actions/list-journal.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import { mayUseSource, type SourceRights } from '../../core/model/source-rights.ts';
import { EVENT_KINDS } from './event-kinds.table.ts';

export interface StreamFilter {
  readonly run: number | null;
  /** The last event id the client saw; null for a new client. */
  readonly after: number | null;
  readonly logs: boolean;
  /** Events of other sources are not sent. */
  readonly sources: SourceRights;
}

export interface Subscriber {
  readonly response: ServerResponse;
  readonly filter: StreamFilter;
  /** Everything up to this event was sent. */
  seq: number;
}

/** Sends new events since the last poll; each subscriber gets its share in one write. */
export interface EventBatch {
  readonly events: readonly EventView[];
  readonly progress: readonly RunView[];
  /** Whether to send a comment if there is nothing else. */
  readonly keepAlive: boolean;
  /** The names of the sources of runs, where a subscriber may see some of them only. */
  readonly names: ReadonlyMap<number, string>;
}

export interface SseSubscribers {
  readonly size: () => number;
  /** Whether a subscriber has rights to some sources only. */
  readonly isAnyRestricted: () => boolean;
  add(listener: Subscriber): void;
  /** Sends to subscribers that have not received it. Yields in between, because thousands of writes take time. */
  broadcast(news: EventBatch): Promise<void>;
  /** What comes after this event is sent, even to subscribers that had received events with higher numbers. */
  rewind(seq: number): void;
  end(): void;
}

/**
 * One event as a frame of a text/event-stream; empty for an unwanted log line. The name of a frame is the kind of event;
 * its id is the sequence number of the journal, from which a client resumes.
 */
function eventFrame(event: EventView, logs: boolean): string {
  const kind = frameOf(event);
  if (kind === 'log' && !logs) return '';
  return `id: ${event.seq}\nevent: ${kind}\ndata: ${JSON.stringify(frameData(event, kind))}\n\n`;
}

/**
 * A specification fixes fields of log, problem and milestone frames, where `kind` is that of the problem; ours are next to them.
 * A log frame has its text as one line too, for clients that show lines.
 */
function frameData(event: EventView, frame: string): object {
  const { job, severity, ...reported } = event.detail;
  const jobId = job ?? String(event.run);
  if (frame === 'log') return { ...event, stream: 'server', line: logLine(event), jobId };
  if (frame !== 'problem' && frame !== 'milestone') return event;
  const letter = { ...reported, ts: event.at, jobId };
  return { ...event, ...letter, ...(frame === 'problem' && { severity: severity === 'warning' ? 'warn' : severity }) };
}

function frameOf({ kind }: EventView): string {
  return EVENT_KINDS[kind]?.frame ?? 'log';
}

/** `rate-changed https://docs.example.dev/ requestsPerSecond=2`. Only values that fit in a line. */
function logLine({ kind, url, detail }: EventView): string {
  const values = Object.entries(detail).filter(([, value]) => value !== null && typeof value !== 'object');
  return [kind, ...(url === null ? [] : [url]), ...values.map(([name, value]) => `${name}=${String(value)}`)]
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

const MAX_LOG_CHARS = 2000;

/** Log frames that repeat the one before are one frame, with the number of the last and how often; long texts are cut. */
function mergeLogs(events: readonly EventView[]): readonly EventView[] {
  const merged: EventView[] = [];
  let count = 1;
  for (const event of events) {
    const last = merged.at(-1);
    if (frameOf(event) !== 'log') merged.push(event);
    else if (last?.kind === event.kind && last.run === event.run && last.url === event.url) {
      count += 1;
      merged[merged.length - 1] = withCutTexts(event, { count });
    } else {
      count = 1;
      merged.push(withCutTexts(event, {}));
    }
  }
  return merged;
}

function withCutTexts(event: EventView, more: EventView['detail']): EventView {
  const texts = Object.entries(event.detail).map(([name, value]) => {
    const isLong = typeof value === 'string' && value.length > MAX_LOG_CHARS;
    return [name, isLong ? `${value.slice(0, MAX_LOG_CHARS)}…` : value] as const;
  });
  return { ...event, detail: { ...Object.fromEntries(texts), ...more } };
}

/** Progress has no id: it is read from counters and replaced by the next frame. */
function progressFrame(view: RunView): string {
  return `event: progress\ndata: ${JSON.stringify(view)}\n\n`;
}

const MAX_BUFFERED_BYTES = 1024 * 1024;
/**
 * A write takes some 20 µs, and ten times that where a batch has hundreds of kilobytes. With 2,000 streams and all events of a
 * crawl the loop was held for 45 to 87 ms with this many, 55 to 124 with 200, and 211 to 421 with as many as take 10 ms.
 */
const WRITES_PER_TICK = 50;
const KEEP_ALIVE_COMMENT = ':\n\n';

export function send({ response }: Subscriber, text: string | Buffer): void {
  if (text.length === 0) return;
  response.write(text);
  if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
}

/** `names`: the names of the runs' sources, for a filter by source. */
export function renderFrames(
  events: readonly EventView[],
  { run, logs, sources }: StreamFilter,
  names: ReadonlyMap<number, string>,
): string {
  let text = '';
  const ofRun = run === null ? events : events.filter((event) => event.run === run);
  const wanted =
    sources === null ? ofRun : ofRun.filter((event) => mayUseSource(sources, names.get(event.run) ?? null));
  for (const event of mergeLogs(wanted)) text += eventFrame(event, logs);
  return text;
}

function renderBatch({ events, progress, keepAlive, names }: EventBatch, filter: StreamFilter): string {
  const ofRun = progress.filter(({ run }) => filter.run === null || filter.run === run);
  const views = ofRun.filter(({ source }) => mayUseSource(filter.sources, source));
  const text = renderFrames(events, filter, names) + views.map(progressFrame).join('');
  return text === '' && keepAlive ? KEEP_ALIVE_COMMENT : text;
}

const ALL_EVENTS: StreamFilter = { run: null, after: null, logs: true, sources: null };

export function createSseSubscribers(): SseSubscribers {
  const subscribers = new Set<Subscriber>();
  return {
    size: () => subscribers.size,
    isAnyRestricted: () => [...subscribers].some(({ filter }) => filter.sources !== null),
    add(subscriber) {
      subscribers.add(subscriber);
      subscriber.response.on('close', () => subscribers.delete(subscriber));
    },
    async broadcast(batch) {
      const last = batch.events.at(-1)?.seq ?? 0;
      const first = batch.events[0]?.seq ?? Number.POSITIVE_INFINITY;
      // Almost every subscriber has no filter and is up to date: they share one buffer.
      const whole = Buffer.from(renderBatch(batch, ALL_EVENTS));
      let written = 0;
      for (const subscriber of subscribers) {
        const { filter, seq: lastSent } = subscriber;
        subscriber.seq = Math.max(lastSent, last);
        const isPlain = filter.run === null && filter.logs && filter.sources === null && lastSent < first;
        const events = isPlain ? batch.events : batch.events.filter(({ seq }) => seq > lastSent);
        send(subscriber, isPlain ? whole : renderBatch({ ...batch, events }, filter));
        written += 1;
        if (written % WRITES_PER_TICK === 0) await yieldToEventLoop();
      }
    },
    rewind(seq) {
      for (const subscriber of subscribers) subscriber.seq = Math.min(subscriber.seq, seq);
    },
    end() {
      for (const { response } of subscribers) response.end();
      subscribers.clear();
    },
  };
}
