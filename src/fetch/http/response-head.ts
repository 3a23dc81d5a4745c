// Outcomes that the response head alone decides. Only a page needs its body.

import { Buffer, isUtf8 } from 'node:buffer';
import { licenseChallenge } from '../../core/discover/licenses.ts';
import { MAX_URL_CHARS } from '../../core/ssrf/ssrf-verdict.ts';
import { parsePageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { retryAfterMs } from '../../core/rate/retry-delay.ts';
import type { FetchOutcome, FetchRequest } from '../port.ts';

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly firstByteMs: number;
}

export interface HeadLimits {
  readonly nowMs: number;
  readonly maxRetryAfterMs: number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Besides 5xx, the responses that may be different later. */
const RETRYABLE = new Set([408, 425]);

/** Null: it is a page, and its body is needed. */
export function headOutcome(request: FetchRequest, head: ResponseHead, limits: HeadLimits): FetchOutcome | null {
  const { status, firstByteMs } = head;
  if (status === 304) return notModified(request, head);
  if (REDIRECTS.has(status)) {
    const to = redirectTarget(request.url, head.headers['location']);
    return { kind: 'redirected', status, to, permanent: status === 301 || status === 308 };
  }
  if (status === 404 || status === 410) return { kind: 'not-found', status, firstByteMs };
  // We never send a range request, so 206 is not a page.
  if (status >= 200 && status <= 299 && status !== 206) return null;
  if (isBotCheck(head)) return { kind: 'failed', code: 'fetch.status', reason: 'bot-check', status, retryable: false };
  return throttled(head, limits) ?? licenseRequired(request, head) ?? failedStatus(status);
}

function licenseRequired({ url }: FetchRequest, { status, headers }: ResponseHead): FetchOutcome | null {
  if (status !== 401) return null;
  const texts = { challenge: joined(headers['www-authenticate']), link: joined(headers['link']) };
  const challenge = licenseChallenge(texts, url);
  if (challenge === null) return null;
  return { kind: 'failed', code: 'fetch.status', reason: 'license-required', status, retryable: false, challenge };
}

function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** Cloudflare and AWS name their challenges in a header. */
function isBotCheck({ headers }: ResponseHead): boolean {
  const action = firstValue(headers['cf-mitigated']) ?? firstValue(headers['x-amzn-waf-action']) ?? '';
  return /^(?:challenge|captcha)$/i.test(action.trim());
}

/** A server error that names a time to come back is a busy server, whichever its number. */
function throttled({ status, headers }: ResponseHead, limits: HeadLimits): FetchOutcome | null {
  if (status !== 429 && status < 500) return null;
  const waitMs = retryAfterMs(firstValue(headers['retry-after']), limits.nowMs, limits.maxRetryAfterMs);
  return status === 429 || waitMs !== null ? { kind: 'throttled', status, retryAfterMs: waitMs } : null;
}

function failedStatus(status: number): FetchOutcome {
  const retryable = status >= 500 || RETRYABLE.has(status);
  return { kind: 'failed', code: 'fetch.status', reason: `status-${status}`, status, retryable };
}

/** The first value of a header; null if it is missing. */
export function firstValue(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (value[0] ?? null);
}

function notModified(request: FetchRequest, head: ResponseHead): FetchOutcome {
  if (!request.etag && !request.lastModified) {
    return { kind: 'failed', code: 'fetch.status', reason: 'not-modified-unasked', status: 304, retryable: true };
  }
  return {
    kind: 'unchanged',
    etag: firstValue(head.headers['etag']) ?? request.etag ?? null,
    lastModified: firstValue(head.headers['last-modified']) ?? request.lastModified ?? null,
    firstByteMs: head.firstByteMs,
  };
}

function redirectTarget(from: PageUrl, location: string | string[] | undefined): PageUrl | null {
  // Two targets are a trick or a mistake; neither is followed.
  if (typeof location !== 'string' || location.length > MAX_URL_CHARS) return null;
  const bytes = Buffer.from(location, 'latin1');
  const to = parsePageUrl(isUtf8(bytes) ? bytes.toString('utf8') : location, from);
  if (to === null || to.length > MAX_URL_CHARS) return null;
  return to.startsWith('http:') || to.startsWith('https:') ? to : null;
}
