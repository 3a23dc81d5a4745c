// The fetcher and the parser, which handle untrusted bytes, for a crawl, a plan or one page.

import { createHttpFetcher } from '../fetch/http/http-fetcher.ts';
import type { Fetcher } from '../fetch/port.ts';
import { createSignRequest, type SignRequest } from '../fetch/http/sign-request.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Parser } from '../parse/port.ts';
import { createThreadParser } from '../parse/thread-parser.ts';
import type { Config } from '../platform/config/schema.ts';

/**
 * Ports of this machine that a page must never reach, whatever the operator allows: those of the server, the database, and the
 * services next to them.
 */
export function forbiddenPorts(config: Config, listeningOn: readonly number[]): readonly number[] {
  const { database, serve, worker, qdrant, embed, render } = config;
  const databasePort = database.url === undefined ? [] : [Number(new URL(database.url).port || 5432)];
  const metricsPort = worker.metricsPort === undefined ? [] : [worker.metricsPort];
  const services = [...qdrant.urls, embed.url, render.endpoint, render.crawl4ai].flatMap(loopbackPort);
  return [serve.port, ...listeningOn, ...databasePort, ...metricsPort, ...services];
}

/** None for a service on another machine, whose port a site on this one may have too. */
function loopbackPort(address: string | undefined): readonly number[] {
  const url = URL.parse(address ?? '');
  if (url === null || !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) return [];
  return [Number(url.port || (/^(?:https|wss):$/.test(url.protocol) ? 443 : 80))];
}

export interface FetchAndParseContext {
  /** Ports that this process listens on, as far as the configuration does not name them. */
  readonly listeningOn?: readonly number[] | undefined;
  /** The caller's fetcher, which the caller closes. */
  readonly fetcher?: Fetcher | undefined;
}

/** The fetcher alone; it closes only what it opened. Only requests of a crawl are signed. */
export function openFetcher(
  config: Config,
  { listeningOn = [], fetcher: provided }: FetchAndParseContext = {},
  sign: SignRequest | null = null,
): Fetcher {
  if (provided !== undefined)
    return { fetch: (request, signal) => provided.fetch(request, signal), close: async () => undefined };
  const ports = forbiddenPorts(config, listeningOn);
  return createHttpFetcher({ ...config.fetch, proxies: proxySettings(process.env), ownPorts: () => ports, sign });
}

export function openFetchAndParse(
  config: Config,
  threads: number,
  context: FetchAndParseContext = {},
): { fetcher: Fetcher; parser: Parser; close: () => Promise<void> } {
  const fetcher = openFetcher(config, context, createSignRequest(config.fetch, Date.now));
  const { timeoutMs, memoryMb } = config.parse;
  const { targetChars, maxChars, fileTargetChars, fileMaxChars, maxPerFile: maxChunks } = config.chunk;
  const parser = createThreadParser({
    threads,
    timeoutMs,
    maxHeapMb: memoryMb,
    maxBodyBytes: config.fetch.maxBodyBytes,
    chunkLimits: { targetChars, capChars: maxChars, maxChunks },
    localChunkLimits: { targetChars: fileTargetChars, capChars: fileMaxChars, maxChunks, cutsAtHeadings: true },
  });
  return {
    fetcher,
    parser,
    close: async () => {
      await Promise.allSettled([parser.close(), fetcher.close()]);
    },
  };
}
