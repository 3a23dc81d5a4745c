// Crawl4AIReader: a LlamaIndex reader that loads pages through a Crawl4AI server. Options, environment and messages are those of
// the reader of the same name for Python; a constructor cannot wait for the server, so there is `open`.

import { Document } from '@llamaindex/core/schema';
import { z } from 'zod';
import { openLoader, type LoadOptions, type PageLoader } from '../compose/load-pages.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { LoadedPage } from '../library/load/loaded-page.ts';
import { LoadSettings, parseSettings } from '../library/load/load-settings.ts';
import type { LogEntry } from '../compose/open-library.ts';

/** Where vectors of earlier crawls are. */
export interface UrlStore {
  /** Deletes everything whose `source_url` is this URL; returns how much that was. */
  deleteByUrl(sourceUrl: string): Promise<number> | number;
}

export interface Crawl4AIReaderOptions extends Omit<LoadOptions, 'endpointUrl' | 'signal' | 'log'> {
  /** `CRAWL4AI_ENDPOINT`, or http://localhost:52004. */
  readonly endpointUrl?: string | undefined;
  /** Whether the vectors of a URL are deleted before it is crawled; true by default. Needs a `vectorStore`. */
  readonly enableDeduplication?: boolean | undefined;
  readonly vectorStore?: UrlStore | null | undefined;
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** What `JSON.stringify` gives, and `open` takes again. */
export interface SerializedReader {
  readonly endpointUrl: string;
  readonly timeoutSeconds: number;
  readonly failOnError: boolean;
  readonly maxConcurrentRequests: number;
  readonly maxRetries: number;
  readonly retryDelays: readonly number[];
  readonly enableDeduplication: boolean;
  readonly isRemote: true;
  readonly className: 'Crawl4AIReader';
}

export interface Crawl4AIReader extends SerializedReader {
  /**
   * One document per URL, in order, and `null` where a page failed. Raises `crawl4ai.unhealthy` before anything else, and with
   * `failOnError` the first failure.
   */
  loadData(urls: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<Array<Document | null>>;
  toJSON(): SerializedReader;
  /** Closes its connections. */
  close(): Promise<void>;
}

const ReaderSettings = LoadSettings.extend({
  endpointUrl: z.url({ protocol: /^https?$/ }).default('http://localhost:52004'),
  enableDeduplication: z.boolean().default(true),
});

type Settings = z.output<typeof ReaderSettings>;

export const Crawl4AIReader = {
  /** Raises `input.invalid` for options out of range, and `crawl4ai.unreachable` if the server does not respond within 10 s. */
  async open(options: Crawl4AIReaderOptions = {}): Promise<Crawl4AIReader> {
    const settings = parseSettings(ReaderSettings, providedSettings(options, process.env));
    const { fetch, fetcher, onFailure, log: receive, vectorStore = null } = options;
    const loader = openLoader({ ...settings, fetch, fetcher, log: receive });
    try {
      if ((await loader.client?.isHealthy()) !== true)
        throw pinakesError('crawl4ai.unreachable', { endpoint: loader.client?.endpoint ?? '' });
    } catch (error) {
      await loader.close();
      throw error;
    }
    return createReader(loader, settings, { onFailure, vectorStore });
  },
};

type ReaderParts = Pick<Crawl4AIReaderOptions, 'onFailure'> & { readonly vectorStore: UrlStore | null };

function createReader(loader: PageLoader, settings: Settings, { onFailure, vectorStore }: ReaderParts): Crawl4AIReader {
  const serialized: SerializedReader = { ...settings, isRemote: true, className: 'Crawl4AIReader' };
  return {
    ...serialized,
    async loadData(urls, { signal } = {}) {
      if (urls.length === 0) return [];
      await loader.checkHealth(signal);
      if (settings.enableDeduplication && vectorStore !== null) {
        for (const url of urls) {
          const deleted = await vectorStore.deleteByUrl(url);
          loader.log.info(`Deleted ${deleted} old vectors for ${url}`, { url, deleted });
        }
      }
      const pages = await loader.load(urls, { onFailure, signal });
      return pages.map((page) => (page === null ? null : documentOf(page)));
    },
    toJSON: () => serialized,
    close: () => loader.close(),
  };
}

export function documentOf({ id_, text, metadata, ...excluded }: LoadedPage): Document {
  const { excludedLlmMetadataKeys: llm, excludedEmbedMetadataKeys: embed } = excluded;
  return new Document({
    id_,
    text,
    metadata: { ...metadata },
    excludedLlmMetadataKeys: [...llm],
    excludedEmbedMetadataKeys: [...embed],
  });
}

/** What is not given comes from the environment, under the names that this reader has everywhere. */
function providedSettings(options: Crawl4AIReaderOptions, env: NodeJS.ProcessEnv): Record<string, unknown> {
  const { endpointUrl, timeoutSeconds, failOnError, maxConcurrentRequests, maxRetries } = options;
  return {
    endpointUrl: endpointUrl ?? env['CRAWL4AI_ENDPOINT'],
    timeoutSeconds: timeoutSeconds ?? numberFrom(env, 'CRAWL4AI_TIMEOUT_SECONDS'),
    failOnError: failOnError ?? booleanFrom(env, 'CRAWL4AI_FAIL_ON_ERROR'),
    maxConcurrentRequests: maxConcurrentRequests ?? numberFrom(env, 'CRAWL4AI_MAX_CONCURRENT_REQUESTS'),
    maxRetries: maxRetries ?? numberFrom(env, 'CRAWL4AI_MAX_RETRIES'),
    retryDelays: options.retryDelays,
    enableDeduplication: options.enableDeduplication,
  };
}

function numberFrom(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name]?.trim() ?? '';
  if (text === '') return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw pinakesError('input.invalid', { reason: `${name} must be a whole number` });
  return Number(text);
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
};

function booleanFrom(env: NodeJS.ProcessEnv, name: string): boolean | undefined {
  const text = env[name]?.trim().toLowerCase() ?? '';
  if (text === '') return undefined;
  const value = BOOLEANS[text];
  if (value === undefined) throw pinakesError('input.invalid', { reason: `${name} must be true or false` });
  return value;
}
