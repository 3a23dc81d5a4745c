// Fetches and extracts one page without storing anything, to show what would be stored.

import { linkCandidates } from '../core/discover/link-candidates.ts';
import { PinakesError, pinakesError, type ErrorCode } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { Fetcher, FetchOutcome } from '../fetch/port.ts';
import type { Parser } from '../parse/port.ts';
import { fetchFollowingRedirects, type FinalOutcome } from '../fetch/follow-redirects.ts';

export interface PagePreview {
  /** After redirects. */
  readonly url: PageUrl;
  readonly mediaType: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly verdict: string;
  readonly pageKind: string;
  readonly extractor: string;
  readonly text: string;
  readonly chunks: number;
  readonly outline: ReadonlyArray<{ readonly level: number; readonly text: string; readonly anchor: string | null }>;
  readonly links: ReadonlyArray<{ readonly url: string; readonly text: string; readonly inContent: boolean }>;
}

export type PreviewPage = (url: PageUrl, signal: AbortSignal) => Promise<PagePreview>;

export function createPreviewPage(ports: { fetcher: Fetcher; parser: Parser; maxRedirects: number }): PreviewPage {
  return async (start, signal) => {
    const { url, page } = await fetchPreview(start, ports, signal);
    const { headers, mediaType, body } = page;
    const parsed = await ports.parser.parse({ url, mediaType, headers, body }, signal);
    const { document, verdict, classification, extractor, chunks } = parsed;
    const { candidates } = linkCandidates({ page: url, depth: 0, links: document.links, follow: true });
    return {
      url,
      mediaType,
      title: document.title,
      description: document.description,
      language: document.language,
      verdict: verdict.kind === 'not-content' ? `${verdict.reason} (${verdict.rule})` : 'content',
      pageKind: classification.pageKind,
      extractor: `${extractor.name}@${extractor.version}`,
      text: document.text,
      chunks: chunks.length,
      outline: document.outline.map(({ level, text, anchor }) => ({ level, text, anchor })),
      links: candidates.map(({ url: to, text, inContent }) => ({ url: to, text, inContent })),
    };
  };
}

async function fetchPreview(
  start: PageUrl,
  { fetcher, maxRedirects }: { fetcher: Fetcher; maxRedirects: number },
  signal: AbortSignal,
): Promise<{ url: PageUrl; page: Extract<FetchOutcome, { kind: 'fetched' }> }> {
  const { url, end } = await fetchFollowingRedirects(start, {
    request: (hop) => fetcher.fetch({ url: hop }, signal),
    maxRedirects,
  });
  if (end.kind === 'response' && end.outcome.kind === 'fetched') return { url, page: end.outcome };
  if (end.kind === 'response') throw fetchError(end.outcome, url);
  const why = end.kind === 'broken' ? end.verdict.rule : end.rule;
  throw pinakesError('fetch.failed', { url, reason: `a redirect that cannot be followed, ${why}` });
}

/** The error of a page that was not fetched. */
export function fetchError(outcome: FinalOutcome, url: string): PinakesError {
  switch (outcome.kind) {
    case 'failed': {
      const { code, reason, status } = outcome;
      const details = { rule: reason, url, reason, address: reason, status: status ?? 0 };
      const message = LIMIT_MESSAGES[code]?.(url, reason);
      return new PinakesError(code, details, undefined, message === undefined ? null : { message, nextStep: null });
    }
    case 'not-found':
    case 'throttled':
      return pinakesError('fetch.status', { url, status: outcome.status });
    case 'fetched':
    case 'unchanged':
      return pinakesError('fetch.failed', { url, reason: `unexpected outcome ${outcome.kind}` });
  }
}

/** Which limit was exceeded is known by name only. */
const LIMIT_MESSAGES: Partial<Record<ErrorCode, (url: string, reason: string) => string>> = {
  'fetch.timeout': (url, reason) => `No response from ${url} in time: ${reason}`,
  'fetch.too-large': (url) => `The response from ${url} is too large`,
};
