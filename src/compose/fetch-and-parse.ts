// The fetcher and the parser, which handle untrusted bytes, for a crawl, a plan or one page.

import { createHttpFetcher } from '../fetch/http/http-fetcher.ts';
import type { Fetcher } from '../fetch/port.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Parser } from '../parse/port.ts';
import { createThreadParser } from '../parse/thread-parser.ts';
import type { Config } from '../platform/config/schema.ts';

/** Ports of this machine that a page must never reach, whatever the operator allows: those of the server and the database. */
export function forbiddenPorts({ databaseUrl, serve }: Config, listeningOn: readonly number[]): readonly number[] {
  const database = databaseUrl === undefined ? [] : [Number(new URL(databaseUrl).port || 5432)];
  return [serve.port, ...listeningOn, ...database];
}

export interface FetchContext {
  /** Ports that this process listens on, as far as the configuration does not name them. */
  readonly listeningOn?: readonly number[] | undefined;
  /** Of a caller, who closes it. */
  readonly fetcher?: Fetcher | undefined;
}

export function openFetchAndParse(
  config: Config,
  threads: number,
  { listeningOn = [], fetcher: given }: FetchContext = {},
): { fetcher: Fetcher; parser: Parser; close: () => Promise<void> } {
  const ports = forbiddenPorts(config, listeningOn);
  const fetcher =
    given ?? createHttpFetcher({ ...config.fetch, proxies: proxySettings(process.env), ownPorts: () => ports });
  const { timeoutMs, memoryMb } = config.parse;
  const { targetChars, maxChars, fileTargetChars, fileMaxChars, maxPerFile: maxChunks } = config.chunk;
  const parser = createThreadParser({
    threads,
    timeoutMs,
    maxHeapMb: memoryMb,
    maxBodyBytes: config.fetch.maxBodyBytes,
    chunkLimits: { targetChars, capChars: maxChars, maxChunks },
    localChunkLimits: { targetChars: fileTargetChars, capChars: fileMaxChars, maxChunks },
  });
  return {
    fetcher,
    parser,
    close: async () => {
      await Promise.allSettled([parser.close(), given === undefined ? fetcher.close() : null]);
    },
  };
}
