// Loads lists of pages without a library: through the guarded fetcher and the extractors, or through a Crawl4AI server.

import { sleep } from '../client/sleep.ts';
import type { Crawl4AiClient } from '../ports/crawl4ai.ts';
import { createCrawl4AiClient } from '../render/crawl4ai/crawl4ai-client.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import { createHttpFetcher } from '../fetch/http/http-fetcher.ts';
import { createJsonClient, guardSettingsFor } from '../fetch/http/json-request.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import { createRemoteTargetCheck } from '../fetch/http/remote-target.ts';
import type { Fetcher } from '../fetch/port.ts';
import { createBreakers, loadInOrder, type BatchSettings, type LoadResult } from '../library/load/load-batch.ts';
import type { LoadedPage } from '../library/load/loaded-page.ts';
import { LoadSettings, parseSettings } from '../library/load/load-settings.ts';
import { createCrawl4AiSource, createDirectSource, type PageSource } from '../library/load/page-sources.ts';
import { fetchError } from '../library/preview-page.ts';
import { configFromProgram } from '../platform/config/load-config.ts';
import type { Config, ConfigValues } from '../platform/config/schema.ts';
import { createLog, type Log } from '../platform/log.ts';
import { redactText } from '../platform/redact.ts';
import { openFetchAndParse } from './fetch-and-parse.ts';
import type { LogEntry } from './open-library.ts';

/**
 * @example
 * const urls: UrlList = new Set(['https://docs.example.dev/guide', 'https://docs.example.dev/api']);
 */
export type UrlList = Iterable<string> | AsyncIterable<string>;

/**
 * @example
 * const options: LoadOptions = { maxConcurrentRequests: 10, maxRetries: 1 };
 */
export interface LoadOptions {
  /** A Crawl4AI server that fetches and renders the pages. Without it they are fetched and extracted here. */
  readonly endpointUrl?: string | undefined;
  /** Timeout of one request; 60 by default, from 10 to 300. */
  readonly timeoutSeconds?: number | undefined;
  /** Rejects with the first failure, instead of a `null` in its place; false by default. */
  readonly failOnError?: boolean | undefined;
  /** Pages that are loaded at once; 5 by default, from 1 to 20. */
  readonly maxConcurrentRequests?: number | undefined;
  /** After timeouts, network errors, and responses that a server may correct later; 3 by default, from 0 to 10. */
  readonly maxRetries?: number | undefined;
  /** Seconds before each retry, of which the last one repeats; 1, 2 and 4 by default. */
  readonly retryDelays?: readonly number[] | undefined;
  /** What may be reached, by the names of the settings reference, such as `allowHosts`. Only public addresses by default. */
  readonly fetch?: ConfigValues['fetch'] | undefined;
  /** Fetches pages instead of the built-in fetcher, whose address guard then does not apply. The caller closes it. */
  readonly fetcher?: Fetcher | undefined;
  /** Called for each URL that failed, with its reason. */
  readonly onFailure?: ((failure: LoadFailure) => void) | undefined;
  /** Receives what would be logged; by default nothing is. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * @example
 * const onFailure = ({ url, error }: LoadFailure): void => console.error(url, error.code);
 */
export interface LoadFailure {
  readonly url: string;
  /** Its index in the list of URLs. */
  readonly index: number;
  readonly error: PinakesError;
}

/**
 * Loads each URL once per occurrence. The result has the length and the order of the list, with `null` where a page failed. Raises
 * `input.invalid` for options out of range, and `crawl4ai.unhealthy` before the first page if the server does not respond.
 *
 * @example
 * const [page] = await loadPages(['https://docs.example.dev/guide']);
 * console.log(page?.text);
 */
export async function loadPages(urls: readonly string[], options: LoadOptions = {}): Promise<Array<LoadedPage | null>> {
  const loader = openLoader(options);
  try {
    if (urls.length > 0) await loader.checkHealth(options.signal);
    return await loader.load(urls, options);
  } finally {
    await loader.close();
  }
}

/**
 * The same one by one, for lists of any length: a result per URL, in order, with bounded memory. Pages are loaded ahead while the
 * caller works on one.
 *
 * @example
 * for await (const result of loadEach(['https://docs.example.dev/guide']))
 *   if (result.kind === 'loaded') console.log(result.page.text);
 */
export async function* loadEach(urls: UrlList, options: LoadOptions = {}): AsyncGenerator<LoadResult, void> {
  const loader = openLoader(options);
  try {
    await loader.checkHealth(options.signal);
    yield* loader.each(urls, options);
  } finally {
    await loader.close();
  }
}

export interface PageLoader {
  /** Null if it needs no Crawl4AI server. */
  readonly client: Crawl4AiClient | null;
  readonly log: Log;
  /** Raises `crawl4ai.unhealthy`. */
  checkHealth(signal?: AbortSignal): Promise<void>;
  load(urls: readonly string[], options?: BatchCallbacks): Promise<Array<LoadedPage | null>>;
  each(urls: UrlList, options?: BatchCallbacks): AsyncGenerator<LoadResult, void>;
  close(): Promise<void>;
}

type BatchCallbacks = Pick<LoadOptions, 'onFailure' | 'signal'>;

/** What a loader needs besides its options, if the program has it already. */
export interface LoaderContext {
  readonly config: Config;
  readonly log: Log;
}

/** Keeps its connections and circuit breakers from batch to batch. */
export function openLoader(options: LoadOptions, context: LoaderContext = contextOf(options)): PageLoader {
  const { timeoutSeconds, failOnError, maxConcurrentRequests, maxRetries, retryDelays } = options;
  const provided = { timeoutSeconds, failOnError, maxConcurrentRequests, maxRetries, retryDelays };
  const settings = parseSettings(LoadSettings, provided);
  const { log } = context;
  const opened = openSource(options, settings, context);
  const { source, client } = opened;
  const deps = { source, log, breakers: createBreakers(() => performance.now()), sleep: sleep };

  async function* run(urls: UrlList, ahead: number, callbacks: BatchCallbacks): AsyncGenerator<LoadResult, void> {
    const signal = callbacks.signal ?? new AbortController().signal;
    let index = 0;
    for await (const result of loadInOrder(urls, deps, settings, { ahead, signal })) {
      if (result.kind === 'failed') callbacks.onFailure?.({ url: result.url, index, error: result.error });
      index += 1;
      yield result;
    }
  }

  return {
    client,
    log,
    async checkHealth(signal) {
      if (client === null || (await client.isHealthy(signal))) return;
      throw pinakesError('crawl4ai.unhealthy', { endpoint: client.endpoint });
    },
    async load(urls, callbacks = {}) {
      callbacks.signal?.throwIfAborted();
      if (urls.length === 0) return [];
      const pages: Array<LoadedPage | null> = [];
      logStart(log, urls.length, settings);
      for await (const result of run(urls, Infinity, callbacks))
        pages.push(result.kind === 'loaded' ? result.page : null);
      logEnd(log, pages);
      return pages;
    },
    each: (urls, callbacks = {}) => run(urls, AHEAD_PER_REQUEST * settings.maxConcurrentRequests, callbacks),
    close: opened.close,
  };
}

/** Results that may wait for a slower one before them. */
const AHEAD_PER_REQUEST = 20;

function logStart(log: Log, count: number, { maxConcurrentRequests }: BatchSettings): void {
  const fields = { url_count: count, max_concurrent: maxConcurrentRequests };
  log.info(`Starting batch crawl of ${count} URLs`, fields);
}

function logEnd(log: Log, pages: ReadonlyArray<LoadedPage | null>): void {
  const succeeded = pages.filter((page) => page !== null).length;
  const failed = pages.length - succeeded;
  const fields = { total: pages.length, succeeded, failed };
  log.info(`Batch crawl complete: ${succeeded} succeeded, ${failed} failed`, fields);
}

function contextOf({ fetch = {}, log: receive }: LoadOptions): LoaderContext {
  // Nothing is stored, so there is no data directory.
  const { config } = configFromProgram({ dataDir: process.cwd(), fetch }, process.cwd());
  const log = createLog({
    level: receive === undefined ? 'silent' : 'debug',
    now: () => new Date(),
    redact: redactText,
    write: (line) => receive?.(JSON.parse(line) as LogEntry),
  });
  return { config, log };
}

interface OpenSource {
  readonly source: PageSource;
  readonly client: Crawl4AiClient | null;
  readonly close: () => Promise<void>;
}

const PARSE_THREADS = 2;
/** A result of Crawl4AI has the HTML of the page, its cleaned form and several kinds of Markdown. */
const MAX_RESPONSE_BYTES = 67_108_864;

function openSource(
  options: LoadOptions,
  settings: { readonly timeoutSeconds: number },
  { config }: LoaderContext,
): OpenSource {
  const timeoutMs = settings.timeoutSeconds * 1000;
  const limits = { timeoutMs, headerTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
  const { endpointUrl, fetcher: provided } = options;
  if (endpointUrl === undefined) {
    const timed: Config = { ...config, fetch: { ...config.fetch, ...limits } };
    const { fetcher, parser, close } = openFetchAndParse(timed, PARSE_THREADS, { fetcher: provided });
    const { maxRedirects } = config.fetch;
    return {
      source: createDirectSource({ fetcher, parser, maxRedirects, now: () => new Date() }),
      client: null,
      close,
    };
  }
  const fetcher =
    provided ??
    createHttpFetcher({
      userAgent: config.fetch.userAgent,
      proxies: proxySettings(process.env),
      ...limits,
      maxBodyBytes: MAX_RESPONSE_BYTES,
      ...guardFor(endpointUrl),
    });
  const client = createCrawl4AiClient({ endpoint: endpointUrl, sendJson: createJsonClient(fetcher) });
  const check = createRemoteTargetCheck(config.fetch);
  const refusal = async (url: string): Promise<PinakesError | null> => {
    const refused = await check(url);
    return refused === null ? null : fetchError(refused, redactText(url));
  };
  return {
    source: createCrawl4AiSource({ client, refusal }),
    client,
    close: async () => {
      if (provided === undefined) await fetcher.close();
    },
  };
}

/** The endpoint comes from the caller, never from a page: its address is opened, and nothing else. */
function guardFor(endpointUrl: string): ReturnType<typeof guardSettingsFor> {
  return URL.canParse(endpointUrl) ? guardSettingsFor(endpointUrl) : { allowCidrs: [] };
}
