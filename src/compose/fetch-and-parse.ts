// The fetcher and the parser, which handle untrusted bytes, for a crawl, a plan or one page.

import { createHttpFetcher } from '../fetch/http/http-fetcher.ts';
import type { Fetcher } from '../fetch/port.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Parser } from '../parse/port.ts';
import { createThreadParser } from '../parse/thread-parser.ts';
import type { Config } from '../platform/config/schema.ts';

/** Ports that a page must never reach, whatever the operator allows. */
function databasePorts({ databaseUrl }: Config): readonly number[] {
  return databaseUrl === undefined ? [] : [Number(new URL(databaseUrl).port || 5432)];
}

const MAX_CHUNKS_PER_PAGE = 2000;

export function openFetchAndParse(
  config: Config,
  threads: number,
): { fetcher: Fetcher; parser: Parser; close: () => Promise<void> } {
  const fetcher = createHttpFetcher({
    ...config.fetch,
    proxies: proxySettings(process.env),
    ownPorts: () => databasePorts(config),
  });
  const { timeoutMs, memoryMb } = config.parse;
  const { targetChars, maxChars, fileTargetChars, fileMaxChars } = config.chunk;
  const parser = createThreadParser({
    threads,
    timeoutMs,
    maxHeapMb: memoryMb,
    maxBodyBytes: config.fetch.maxBodyBytes,
    chunkLimits: { targetChars, capChars: maxChars, maxChunks: MAX_CHUNKS_PER_PAGE },
    localChunkLimits: { targetChars: fileTargetChars, capChars: fileMaxChars, maxChunks: MAX_CHUNKS_PER_PAGE },
  });
  return {
    fetcher,
    parser,
    close: async () => {
      await Promise.allSettled([parser.close(), fetcher.close()]);
    },
  };
}
