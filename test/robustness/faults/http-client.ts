// An HTTP client that searches once or continuously.

import { setTimeout as wait } from 'node:timers/promises';

export interface SearchLoad {
  readonly responses: number;
  /** Responses without a passage. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

export interface HttpClient {
  search(query: string): Promise<{ readonly mode: string; readonly passages: readonly unknown[] }>;
  post(path: string): Promise<void>;
  /** Searches continuously until the returned function is called, which returns the statistics. */
  keepSearching(): () => Promise<SearchLoad>;
}

const SEARCH_INTERVAL_MS = 50;

export function createHttpClient(port: number): HttpClient {
  const base = `http://127.0.0.1:${port}`;
  const client: HttpClient = {
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
    keepSearching() {
      const stop = new AbortController();
      const searching = searchUntil(stop.signal, client);
      return () => {
        stop.abort();
        return searching;
      };
    },
  };
  return client;
}

async function searchUntil(signal: AbortSignal, client: HttpClient): Promise<SearchLoad> {
  const failures = new Set<string>();
  let responses = 0;
  let slowestMs = 0;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      const { passages } = await client.search('almanac documentation');
      if (passages.length === 0) failures.add('nothing was found');
    } catch (error) {
      failures.add(String(error).slice(0, 200));
    }
    responses += 1;
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await wait(SEARCH_INTERVAL_MS);
  }
  return { responses, failures: [...failures], slowestMs };
}
