// What meets foreign bytes: who fetches them and who parses them, for a crawl, a plan or one page.

import { createHttpFetcher } from '../fetch/http/http-fetcher.ts';
import type { Fetcher } from '../fetch/port.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Parser } from '../parse/port.ts';
import { createThreadParser } from '../parse/thread-parser.ts';
import type { Config } from '../platform/config/schema.ts';

/** Where a page must never lead, whatever is opened. */
function databasePorts({ databaseUrl }: Config): readonly number[] {
  return databaseUrl === undefined ? [] : [Number(new URL(databaseUrl).port || 5432)];
}

/** Chunks of one page. */
const MAX_CHUNKS = 2000;

/** The stages that meet hostile bytes. */
export function openReaders(
  config: Config,
  threads: number,
): { fetcher: Fetcher; parser: Parser; close: () => Promise<void> } {
  const fetcher = createHttpFetcher({
    ...config.fetch,
    proxies: proxySettings(process.env),
    ownPorts: () => databasePorts(config),
  });
  const { timeoutMs, memoryMb } = config.parse;
  const { target, cap, localTarget, localCap } = config.chunk;
  const parser = createThreadParser({
    threads,
    timeoutMs,
    maxHeapMb: memoryMb,
    maxBodyBytes: config.fetch.maxBodyBytes,
    chunkLimits: { targetChars: target, capChars: cap, maxChunks: MAX_CHUNKS },
    localChunkLimits: { targetChars: localTarget, capChars: localCap, maxChunks: MAX_CHUNKS },
  });
  return {
    fetcher,
    parser,
    close: async () => {
      await Promise.allSettled([parser.close(), fetcher.close()]);
    },
  };
}
