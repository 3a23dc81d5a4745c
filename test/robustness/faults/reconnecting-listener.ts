// A listener to the event stream that behaves like a browser: whenever the stream ends, it reconnects with the last
// event id.

import { setTimeout as wait } from 'node:timers/promises';
import { readFrames } from '../../support/read-stream.ts';

export interface ReconnectingListener {
  /** The numbers of all events, in order of arrival. */
  readonly seen: readonly number[];
  /** How often it connected. */
  readonly connections: () => number;
  close(): void;
}

const RECONNECT_MS = 200;

export function listenReconnecting(url: string): ReconnectingListener {
  const seen: number[] = [];
  const stop = new AbortController();
  const { signal } = stop;
  let connected = 0;

  async function listenOnce(): Promise<void> {
    const response = await fetch(url, { signal, headers: { 'last-event-id': String(seen.at(-1) ?? 0) } });
    connected += 1;
    await readFrames(response, ({ id }) => void (id === null || seen.push(id)));
  }

  void (async () => {
    while (!signal.aborted) {
      await listenOnce().catch(() => undefined);
      await wait(RECONNECT_MS);
    }
  })();
  return { seen, connections: () => connected, close: () => stop.abort() };
}
