import { expect, test } from 'vitest';
import { pinakesError } from '../../core/model/errors.ts';
import { createLog } from '../../platform/log.ts';
import { createBreakers, loadInOrder } from './load-batch.ts';
import type { LoadedPage } from './loaded-page.ts';
import type { LoadOutcome, PageSource } from './page-sources.ts';

const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });

test('a page that waits for its next attempt lets others load (finding D28)', async () => {
  const loaded: string[] = [];
  const throttled = new Set(['https://a.dev/1', 'https://a.dev/2']);
  const waits: Array<() => void> = [];
  const source: PageSource = {
    serverOf: (url) => new URL(url).host,
    async load(url): Promise<LoadOutcome> {
      if (throttled.delete(url))
        return {
          kind: 'failed',
          retryable: true,
          retryAfterMs: 200_000,
          error: pinakesError('fetch.timeout', { url, ms: 1 }),
        };
      loaded.push(url);
      // Every other page is there: those that wait may go on.
      if (loaded.length === 3) for (const goOn of waits) goOn();
      return { kind: 'loaded', page: {} as LoadedPage };
    },
  };
  const sleep = (): Promise<void> => new Promise((resolve) => waits.push(resolve));
  const urls = ['https://a.dev/1', 'https://a.dev/2', 'https://b.dev/1', 'https://b.dev/2', 'https://b.dev/3'];
  const settings = { maxConcurrentRequests: 2, maxRetries: 3, retryDelays: [1], failOnError: false };
  const signal = new AbortController().signal;
  const results = await Array.fromAsync(
    loadInOrder(urls, { source, breakers: createBreakers(() => 0), log, sleep }, settings, { ahead: 10, signal }),
  );
  expect(results.map(({ kind }) => kind)).toEqual(urls.map(() => 'loaded'));
  expect(loaded.slice(0, 3)).toEqual(urls.slice(2));
}, 5000);
