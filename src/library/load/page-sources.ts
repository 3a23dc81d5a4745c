// The two ways to load one page: fetched and extracted here, or by a Crawl4AI server.

import type { Crawl4AiClient } from '../../ports/crawl4ai.ts';
import { fetchFollowingRedirects } from '../../fetch/follow-redirects.ts';
import { linkCandidates } from '../../core/discover/link-candidates.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { hostOf, invalidUrl, parsePageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { siteOf } from '../../core/url/site.ts';
import type { FetchedPage, Fetcher } from '../../fetch/port.ts';
import type { Parser } from '../../parse/port.ts';
import { redactText } from '../../platform/redact.ts';
import { fetchError } from '../preview-page.ts';
import { loadedPage, type LoadedPage } from './loaded-page.ts';

export type LoadOutcome =
  | { readonly kind: 'loaded'; readonly page: LoadedPage }
  | {
      readonly kind: 'failed';
      readonly error: PinakesError;
      /** Whether the server may be able to later. Only such failures count for its circuit breaker. */
      readonly retryable: boolean;
      readonly retryAfterMs: number | null;
    };

export type FailedPage = Extract<LoadOutcome, { readonly kind: 'failed' }>;

export interface PageSource {
  /** Makes one attempt. An aborted one rejects with the reason of its signal. */
  load(url: string, signal: AbortSignal): Promise<LoadOutcome>;
  /** Which server fails if this URL does: it has one circuit breaker. */
  serverOf(url: string): string;
}

export interface DirectSourceDeps {
  readonly fetcher: Fetcher;
  readonly parser: Parser;
  readonly maxRedirects: number;
  readonly now: () => Date;
}

/** Each redirect passes the address guard like the first request. Neither robots.txt nor crawl delays apply. */
export function createDirectSource(deps: DirectSourceDeps): PageSource {
  return {
    async load(text, signal) {
      const start = webUrlOf(text);
      if (start === null) return failedPage(invalidUrl(redactText(text)), false);
      const { url, end } = await fetchFollowingRedirects(start, {
        request: (hop) => deps.fetcher.fetch({ url: hop }, signal),
        maxRedirects: deps.maxRedirects,
      });
      const shown = redactText(url) as PageUrl;
      if (end.kind !== 'response') {
        const why = end.kind === 'broken' ? end.verdict.rule : end.rule;
        return failedPage(pinakesError('fetch.failed', { url: shown, reason: `redirect, ${why}` }), false);
      }
      const { outcome } = end;
      if (outcome.kind === 'fetched') return parse({ provided: text, url }, outcome, deps, signal);
      const retryable = outcome.kind === 'throttled' || (outcome.kind === 'failed' && outcome.retryable);
      const retryAfterMs = outcome.kind === 'throttled' ? outcome.retryAfterMs : null;
      return { ...failedPage(fetchError(outcome, shown), retryable), retryAfterMs };
    },
    serverOf: (text) => {
      const url = webUrlOf(text);
      return url === null ? '' : hostOf(url);
    },
  };
}

function webUrlOf(text: string): PageUrl | null {
  const url = parsePageUrl(text.trim());
  return url === null || !url.startsWith('http') ? null : url;
}

async function parse(
  { provided, url }: { readonly provided: string; readonly url: PageUrl },
  { status, headers, mediaType, body }: FetchedPage,
  { parser, now }: DirectSourceDeps,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const shown = redactText(url);
  try {
    const { document, verdict } = await parser.parse({ url, mediaType, headers, body }, signal);
    if (verdict.kind === 'not-content')
      return failedPage(pinakesError('load.not-content', { url: shown, reason: verdict.reason }), false);
    const { candidates, nofollow } = linkCandidates({ page: url, depth: 0, links: document.links, follow: true });
    const site = siteOf(url);
    const targets = [...candidates.map((link) => link.url), ...nofollow];
    const internal = targets.filter((target) => siteOf(target) === site).length;
    return {
      kind: 'loaded',
      page: loadedPage(provided, {
        text: document.text,
        title: document.title,
        description: document.description ?? '',
        status,
        crawledAt: now().toISOString(),
        internalLinks: internal,
        externalLinks: targets.length - internal,
      }),
    };
  } catch (error) {
    if (!(error instanceof PinakesError) || signal.aborted) throw error;
    return failedPage(error, error.code === 'parse.busy');
  }
}

export interface Crawl4AiSourceDeps {
  readonly client: Crawl4AiClient;
  /** Why the address of a page must not be handed over; null if it may be. */
  readonly refusal: (url: string) => Promise<PinakesError | null>;
}

export function createCrawl4AiSource({ client, refusal }: Crawl4AiSourceDeps): PageSource {
  return {
    async load(url, signal) {
      const refused = await refusal(url);
      if (refused !== null) return failedPage(refused, false);
      const outcome = await client.crawl(url, signal);
      if (outcome.kind === 'failed') return outcome;
      const { page } = outcome;
      const counts = { internalLinks: page.internalLinks.length, externalLinks: page.externalLinks.length };
      return { kind: 'loaded', page: loadedPage(url, { ...page, ...counts }) };
    },
    serverOf: () => client.endpoint,
  };
}

function failedPage(error: PinakesError, retryable: boolean): FailedPage {
  return { kind: 'failed', error, retryable, retryAfterMs: null };
}
