// Fetches the content of a page: from llms-full.txt if it is in there, from its Markdown variant if the host has them,
// otherwise from the page itself. Markdown that loses too much is not used.

import { hash } from 'node:crypto';
import { markdownProblem, markdownVariant, folderVariant } from '../../core/discover/markdown/markdown-route.ts';
import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import type { FetchOutcome, FetchRequest } from '../../fetch/port.ts';
import type { Claim, UrlFetch } from '../../store/port/frontier.ts';
import { createPoliteFetch, runRequester, type PoliteFetch } from '../politeness/polite-fetch.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { RunRules } from '../context/run-rules.ts';
import { alternateOf, HTML_ACCEPT, MARKDOWN_ACCEPT, type SiteProfile } from '../site/site-profile.ts';
import { termsExclusion } from '../site/terms-exclusion.ts';

type FetchedOutcome = Extract<FetchOutcome, { kind: 'fetched' }>;

export interface FetchContext {
  readonly rules: RunRules;
  readonly profile: SiteProfile;
  readonly deps: CrawlContext;
  readonly signal: AbortSignal;
}

/** True if llms-full.txt contains the page, so that no request is needed. */
export function isInLlmsFull(claim: Claim, profile: SiteProfile): boolean {
  return profile.pages.has(claim.url);
}

/** The claim's request slot must have come. */
export async function fetchPage(claim: Claim, context: FetchContext): Promise<FetchOutcome> {
  const { rules, profile } = context;
  const validators = validatorsOf(claim, rules);
  const llmsFullText = profile.pages.get(claim.url);
  if (llmsFullText !== undefined) return fromLlmsFull(llmsFullText, validators.etag);
  const outcome = await requestPage(claim, validators, context);
  // Some servers look for the Markdown of a page only, though they have it as HTML.
  if (outcome.kind !== 'not-found' || !profile.negotiates) return outcome;
  return fetchInNewSlot(claim, context)({ url: claim.url, accept: HTML_ACCEPT, ...validators });
}

/** A page to be reprocessed is fetched without validators. */
function validatorsOf(claim: Claim, rules: RunRules): { etag: string | null; lastModified: string | null } {
  const stored = rules.trustsValidators && claim.previous?.pipelineVersion !== '' ? claim.previous : null;
  return { etag: stored?.etag ?? null, lastModified: stored?.lastModified ?? null };
}

async function requestPage(
  claim: Claim,
  validators: Pick<FetchRequest, 'etag' | 'lastModified'>,
  context: FetchContext,
): Promise<FetchOutcome> {
  const { rules, profile, deps, signal } = context;
  const requestNow = async (request: FetchRequest): Promise<FetchOutcome> => {
    const headers = rules.headers.headersFor(request.url);
    const timeoutMs = rules.settings.requestTimeoutMs;
    const outcome = await deps.ports.fetcher.fetch({ ...request, timeoutMs, headers }, signal);
    await deps.rateTracker.observe({ run: claim.run, url: request.url, isRetry: claim.attempts > 1 }, outcome);
    return outcome;
  };
  if (!profile.usesMarkdown) return requestNow({ url: claim.url, accept: HTML_ACCEPT, ...validators });
  const variant = profile.route === null ? null : markdownVariant(claim.url, profile.route);
  if (variant === null) {
    const outcome = await requestNow({ url: claim.url, ...validators });
    return profile.readsAlternates && outcome.kind === 'fetched' ? fetchAlternate(claim, outcome, context) : outcome;
  }
  const markdown = await requestNow({ url: variant, accept: MARKDOWN_ACCEPT, ...validators });
  if (isUsable(markdown)) return markdown;
  const other = profile.route === null || !profile.filesAreHtml ? null : folderVariant(claim.url, profile.route);
  const second =
    other === null
      ? null
      : await fetchInNewSlot(claim, context)({ url: other, accept: MARKDOWN_ACCEPT, ...validators });
  return second !== null && isUsable(second)
    ? second
    : fetchInNewSlot(claim, context)({ url: claim.url, ...validators });
}

/** The Markdown that the page names, with the validators of the page, which is what the next run asks for. Otherwise the page. */
async function fetchAlternate(claim: Claim, page: FetchedOutcome, context: FetchContext): Promise<FetchOutcome> {
  const { rules, deps, signal } = context;
  const alternate = alternateOf(claim.url, page);
  if (alternate === null) return page;
  const access = await deps.robots.accessFor(alternate, claim.run, signal);
  if (!robotsAccessVerdict(access, alternate).allowed) return page;
  if (termsExclusion(access, alternate, rules.settings) !== null) return page;
  const markdown = await fetchInNewSlot(claim, context)({ url: alternate, accept: MARKDOWN_ACCEPT });
  if (markdown.kind !== 'fetched' || !isUsable(markdown)) return page;
  const { etag, lastModified } = page;
  return { ...markdown, etag, lastModified, wireBytes: page.wireBytes + markdown.wireBytes };
}

/** The claim's slot is used up; every further request waits for its own slot. */
function fetchInNewSlot(claim: Claim, { rules, deps, signal }: FetchContext): PoliteFetch {
  return createPoliteFetch(deps, { ...runRequester(claim.run, rules, deps), isRetry: claim.attempts > 1 }, signal);
}

/** A pause is honoured and a transient failure retried before the page itself is requested. */
function isUsable(outcome: FetchOutcome): boolean {
  switch (outcome.kind) {
    case 'fetched': {
      const { status, mediaType, body } = outcome;
      return markdownProblem({ status, mediaType, body: decodeUtf8(body.subarray(0, 4096)) }) === null;
    }
    case 'unchanged':
    case 'throttled':
      return true;
    case 'failed':
      return outcome.retryable;
    case 'not-found':
    case 'redirected':
      return false;
  }
}

/** The hash of the text is its validator: an unchanged text is not parsed again. */
function fromLlmsFull(text: string, storedEtag: string | null): FetchOutcome {
  const etag = `llms-full ${hash('sha256', text)}`;
  if (etag === storedEtag) return { kind: 'unchanged', etag, lastModified: null, firstByteMs: 0 };
  const body = new TextEncoder().encode(text);
  return {
    kind: 'fetched',
    headers: {},
    status: 200,
    mediaType: 'text/markdown; charset=utf-8',
    body,
    truncated: false,
    etag,
    lastModified: null,
    wireBytes: 0,
    firstByteMs: 0,
    totalMs: 0,
  };
}

/** What is recorded about a request. Of redirects it is the first response, that of the URL itself. */
export function fetchOf(outcome: FetchOutcome): UrlFetch {
  const status = 'status' in outcome ? outcome.status : 304;
  const error = outcome.kind === 'failed' ? outcome.code : outcome.kind === 'throttled' ? 'fetch.throttled' : null;
  const firstByteMs = 'firstByteMs' in outcome ? outcome.firstByteMs : null;
  if (outcome.kind !== 'fetched') return { status, bytes: 0, mediaType: null, firstByteMs, totalMs: null, error };
  const { wireBytes: bytes, mediaType, totalMs } = outcome;
  return { status, bytes, mediaType: mediaType ?? 'application/octet-stream', firstByteMs, totalMs, error };
}
