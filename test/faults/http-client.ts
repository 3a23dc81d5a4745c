// Somebody who asks a server over HTTP, once or all the time.

import { setTimeout as wait } from 'node:timers/promises';

export interface Asked {
  readonly answers: number;
  /** What was not an answer with a passage in it. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

export interface DoorClient {
  search(query: string): Promise<{ readonly mode: string; readonly passages: readonly unknown[] }>;
  post(path: string): Promise<void>;
  /** Searches again and again until the returned function is called, which tells how that went. */
  keepAsking(): () => Promise<Asked>;
}

const ASK_EVERY_MS = 50;

export function createDoorClient(port: number): DoorClient {
  const base = `http://127.0.0.1:${port}`;
  const client: DoorClient = {
    async search(query) {
      const response = await fetch(`${base}/api/search?query=${encodeURIComponent(query)}`);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as { mode: string; passages: unknown[] };
    },
    async post(path) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: '{}' });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    },
    keepAsking() {
      const stop = new AbortController();
      const asking = askUntil(stop.signal, client);
      return () => {
        stop.abort();
        return asking;
      };
    },
  };
  return client;
}

async function askUntil(signal: AbortSignal, client: DoorClient): Promise<Asked> {
  const failures = new Set<string>();
  let answers = 0;
  let slowestMs = 0;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      const { passages } = await client.search('almanac documentation');
      if (passages.length === 0) failures.add('nothing was found');
    } catch (error) {
      failures.add(String(error).slice(0, 200));
    }
    answers += 1;
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await wait(ASK_EVERY_MS);
  }
  return { answers, failures: [...failures], slowestMs };
}
