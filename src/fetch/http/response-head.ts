// What the head of an answer alone decides. Only a page needs its body.

import { Buffer, isUtf8 } from 'node:buffer';
import { MAX_URL_CHARS } from '../../core/ssrf/ssrf-verdict.ts';
import { parsePageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { retryAfterMs } from '../../core/pace/retry-after.ts';
import type { FetchOutcome, FetchRequest } from '../port.ts';

export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly firstByteMs: number;
}

export interface HeadLimits {
  readonly nowMs: number;
  readonly maxRetryAfterMs: number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Beside 5xx, the answers that may be better later. */
const RETRYABLE = new Set([408, 425]);

/** Null: it is a page, read on. */
export function outcomeOfHead(request: FetchRequest, head: AnswerHead, limits: HeadLimits): FetchOutcome | null {
  const { status, firstByteMs } = head;
  if (status === 304) return notModified(request, head);
  if (REDIRECTS.has(status)) {
    const to = redirectTarget(request.url, head.headers['location']);
    return { kind: 'redirected', status, to, permanent: status === 301 || status === 308 };
  }
  if (status === 404 || status === 410) return { kind: 'gone', status, firstByteMs };
  // A part was never asked for, so 206 is no page.
  if (status >= 200 && status <= 299 && status !== 206) return null;
  return throttled(head, limits) ?? failedWith(status);
}

function throttled({ status, headers }: AnswerHead, limits: HeadLimits): FetchOutcome | null {
  if (status !== 429 && status !== 503) return null;
  const waitMs = retryAfterMs(one(headers['retry-after']), limits.nowMs, limits.maxRetryAfterMs);
  return status === 429 || waitMs !== null ? { kind: 'throttled', status, retryAfterMs: waitMs } : null;
}

function failedWith(status: number): FetchOutcome {
  const retryable = status >= 500 || RETRYABLE.has(status);
  return { kind: 'failed', code: 'fetch.status', reason: `status-${status}`, status, retryable };
}

/** The first value of a header; null when there is none. */
export function one(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (value[0] ?? null);
}

function notModified(request: FetchRequest, head: AnswerHead): FetchOutcome {
  if (!request.etag && !request.lastModified) {
    return { kind: 'failed', code: 'fetch.status', reason: 'not-modified-unasked', status: 304, retryable: true };
  }
  return {
    kind: 'unchanged',
    etag: one(head.headers['etag']) ?? request.etag ?? null,
    lastModified: one(head.headers['last-modified']) ?? request.lastModified ?? null,
    firstByteMs: head.firstByteMs,
  };
}

function redirectTarget(from: PageUrl, location: string | string[] | undefined): PageUrl | null {
  // Two targets are a trick or a mistake; neither is taken.
  if (typeof location !== 'string' || location.length > MAX_URL_CHARS) return null;
  const bytes = Buffer.from(location, 'latin1');
  const to = parsePageUrl(isUtf8(bytes) ? bytes.toString('utf8') : location, from);
  if (to === null || to.length > MAX_URL_CHARS) return null;
  return to.startsWith('http:') || to.startsWith('https:') ? to : null;
}
