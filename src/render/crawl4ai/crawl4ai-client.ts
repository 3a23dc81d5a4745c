// A client of a Crawl4AI server, which renders a page in a browser and returns its Markdown. There are two forms of its API: one
// that takes a URL, and one that takes a list of URLs with the settings of browser and crawler. The server reports which it has.

import { anySignal } from '../../core/any-signal.ts';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';
import { redactText } from '../../platform/redact.ts';
import type { Crawl4AiClient, CrawlOutcome } from '../../ports/crawl4ai.ts';
import { parseCrawlResponse } from './crawl-response.ts';

/** Sends a JSON request, with a GET if `json` is null. The composition root provides one that reaches the server and nothing else. */
export type SendJson = (
  request: { readonly url: string; readonly json: unknown; readonly headers: Readonly<Record<string, string>> },
  signal?: AbortSignal,
) => Promise<JsonResponse>;

export type JsonResponse =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly retryAfterMs: number | null }
  /** There was no complete response. */
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isTimeout: boolean; readonly retryable: boolean };

export interface Crawl4AiOptions {
  readonly endpoint: string;
  readonly sendJson: SendJson;
}

const HEALTH_TIMEOUT_MS = 10_000;
const WORD_COUNT_THRESHOLD = 10;

/** Request formats, in the order in which they are tried on an unknown server. */
const FORMATS: ReadonlyArray<(url: string) => unknown> = [
  (url) => ({ url, crawler_params: { cache_mode: 'BYPASS', word_count_threshold: WORD_COUNT_THRESHOLD } }),
  (url) => ({
    urls: [url],
    browser_config: { type: 'BrowserConfig', params: { headless: true } },
    crawler_config: {
      type: 'CrawlerRunConfig',
      params: {
        stream: false,
        cache_mode: 'bypass',
        word_count_threshold: WORD_COUNT_THRESHOLD,
        // Without a filter this form gives no filtered Markdown.
        markdown_generator: {
          type: 'DefaultMarkdownGenerator',
          params: { content_filter: { type: 'PruningContentFilter', params: {} } },
        },
      },
    },
  }),
];

/** A server checks requests against its schema and reports violations. */
function expectsOtherFormat(response: JsonResponse): boolean {
  return response.kind === 'answered' && response.status === 422;
}

export function createCrawl4AiClient({ endpoint: provided, sendJson }: Crawl4AiOptions): Crawl4AiClient {
  const endpoint = endpointOf(provided);
  const post = (json: unknown, signal?: AbortSignal): Promise<JsonResponse> =>
    sendJson({ url: `${endpoint}/crawl`, json, headers: {} }, signal);
  /** The one that the server accepted last. */
  let [format] = FORMATS;

  async function send(url: string, signal?: AbortSignal): Promise<JsonResponse> {
    const first = format;
    const response = await post(first?.(url), signal);
    if (!expectsOtherFormat(response)) return response;
    // Also later: another version may have been started at this address.
    const other = FORMATS.find((one) => one !== first);
    const second = await post(other?.(url), signal);
    if (expectsOtherFormat(second)) return response;
    format = other;
    return second;
  }

  return {
    endpoint,
    async isHealthy(signal) {
      const timeout = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
      const until = anySignal(signal, timeout);
      try {
        const response = await sendJson({ url: `${endpoint}/health`, json: null, headers: {} }, until);
        return response.kind === 'answered' && response.status === 200;
      } catch (error) {
        if (timeout.aborted && signal?.aborted !== true) return false;
        throw error;
      }
    },
    crawl: async (url, signal) => outcomeOf(await send(url, signal), url),
  };
}

/** Raises `input.invalid`. Credentials in it would end up in messages. */
function endpointOf(provided: string): string {
  const url = URL.parse(provided);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw pinakesError('input.invalid', {
      reason: 'The Crawl4AI endpoint must be an http or https URL without credentials',
    });
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function outcomeOf(response: JsonResponse, requestedUrl: string): CrawlOutcome {
  const url = redactText(requestedUrl);
  if (response.kind === 'unanswered') {
    const reason = response.isTimeout ? 'it took too long' : response.reason;
    return failed(pinakesError('crawl4ai.unavailable', { url, reason }), response.retryable);
  }
  const { status, retryAfterMs } = response;
  if (status === 429 || status >= 500)
    return { ...failed(pinakesError('crawl4ai.status', { url, status }), true), retryAfterMs };
  if (status < 200 || status > 299) return failed(pinakesError('crawl4ai.status', { url, status }), false);
  const parsed = parseCrawlResponse(response.body, requestedUrl);
  switch (parsed.kind) {
    case 'crawled':
      return parsed;
    case 'failed':
      return failed(pinakesError('crawl4ai.failed', { url, reason: redactText(parsed.reason) }), false);
    case 'empty':
      return failed(pinakesError('crawl4ai.empty', { url }), false);
    case 'malformed':
      return failed(pinakesError('crawl4ai.malformed', { url }), false);
  }
}

function failed(error: PinakesError, retryable: boolean): CrawlOutcome & { readonly kind: 'failed' } {
  return { kind: 'failed', error, retryable, retryAfterMs: null };
}
