// A listener to the stream of events that does as a browser does: whenever the stream breaks off, it asks again and says
// the last number that it saw.

import { setTimeout as wait } from 'node:timers/promises';
import { readFrames } from '../http/read-stream.ts';

export interface FaithfulListener {
  /** The numbers of all events, as they came. */
  readonly seen: readonly number[];
  /** How often a server answered it. */
  readonly connections: () => number;
  close(): void;
}

const ASK_AGAIN_MS = 200;

export function listenFaithfully(url: string): FaithfulListener {
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
      await wait(ASK_AGAIN_MS);
    }
  })();
  return { seen, connections: () => connected, close: () => stop.abort() };
}
