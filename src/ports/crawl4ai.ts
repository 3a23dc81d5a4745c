// What a Crawl4AI server is asked for: the loader and a renderer share it.

import type { PinakesError } from '../core/model/errors.ts';

export interface CrawledPage {
  /** After redirects, as the server reports it; the URL that was asked for if it does not. */
  readonly url: string;
  /** Markdown: filtered if there is any, otherwise of the whole page. */
  readonly text: string;
  /** The document that the browser had in the end; empty if the server does not send it. */
  readonly html: string;
  readonly title: string;
  readonly description: string;
  /** HTTP status of the page; 0 if unknown. */
  readonly status: number;
  /** ISO 8601; empty if unknown. */
  readonly crawledAt: string;
  /** As written on the page. */
  readonly internalLinks: readonly string[];
  readonly externalLinks: readonly string[];
}

export type CrawlOutcome =
  | { readonly kind: 'crawled'; readonly page: CrawledPage }
  | {
      readonly kind: 'failed';
      readonly error: PinakesError;
      /** Whether the server may be able to later: false if it is the page that failed. */
      readonly retryable: boolean;
      readonly retryAfterMs: number | null;
    };

/** Never rejects for what a server or a network can do; an aborted call rejects with the reason of its signal. */
export interface Crawl4AiClient {
  /** URL without a final slash and without credentials. */
  readonly endpoint: string;
  isHealthy(signal?: AbortSignal): Promise<boolean>;
  /** The page is fetched by the server, past our address guard: the caller checks the URL first. */
  crawl(url: string, signal?: AbortSignal): Promise<CrawlOutcome>;
}
