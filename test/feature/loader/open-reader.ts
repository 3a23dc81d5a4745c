// A Crawl4AIReader with a stand-in of its server, both closed after the test.

import { onTestFinished } from 'vitest';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import type { Fetcher } from '../../../src/fetch/port.ts';
import { Crawl4AIReader, type Crawl4AIReaderOptions } from '../../../src/integrations/llamaindex.ts';
import type { LogEntry } from '../../../src/index.ts';
import type { LoadFailure } from '../../../src/loader.ts';
import { startCrawl4AiServer, type Crawl4AiServer, type Crawl4AiServerOptions } from '../../support/crawl4ai-server.ts';

export interface OpenReader {
  readonly reader: Crawl4AIReader;
  readonly server: Crawl4AiServer;
  readonly log: LogEntry[];
  readonly failures: LoadFailure[];
}

/** Retries do not wait. */
export async function openReader(
  options: Crawl4AIReaderOptions = {},
  serverOptions: Crawl4AiServerOptions = {},
): Promise<OpenReader> {
  const server = await startCrawl4AiServer(serverOptions);
  onTestFinished(() => server.close());
  const log: LogEntry[] = [];
  const failures: LoadFailure[] = [];
  const reader = await Crawl4AIReader.open({
    endpointUrl: server.url,
    retryDelays: [0],
    log: (entry) => log.push(entry),
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  onTestFinished(() => reader.close());
  return { reader, server, log, failures };
}

/** A public address, so that nothing has to be resolved. */
export function urlsOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `https://8.8.8.8/docs/${at}`);
}

export const repeated = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Waits for half a second only: a reader waits for at least ten. */
export function hastyFetcher(): Fetcher {
  const guard = { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] };
  const fetcher = createHttpFetcher({ userAgent: 'test', timeoutMs: 500, headerTimeoutMs: 500, ...guard });
  onTestFinished(() => fetcher.close());
  return fetcher;
}
