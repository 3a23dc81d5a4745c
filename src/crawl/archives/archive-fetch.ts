// Requests archives and the metadata that locates them: follows redirects, and refuses a file above its limit.

import { createPoliteFetch, type PoliteFetch, type PoliteFetchDeps } from '../politeness/polite-fetch.ts';
import { pinakesError } from '../../core/model/errors.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { fetchFollowingRedirects, type FinalOutcome } from '../../fetch/follow-redirects.ts';

export type FetchedFile =
  | { readonly kind: 'file'; readonly url: PageUrl; readonly body: Uint8Array; readonly isCut: boolean }
  | { readonly kind: 'missing'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** It began to arrive, and did not end within the limits of time and rate. */
      readonly isSlow?: boolean;
    };

export interface FileOptions {
  /** For errors. */
  readonly name: string;
  readonly accept?: string;
  readonly maxBytes: number;
  /** The beginning of a longer file is of use. */
  readonly mayBeCut?: true;
}

/** Raises `archive.too-large`. */
export type ArchiveFetch = (url: PageUrl, options: FileOptions) => Promise<FetchedFile>;

export type HeadersFor = (url: PageUrl) => Readonly<Record<string, string>>;

/** Requests respect the rate limit of each host. They do not count for the run, which counts pages. */
export function createPoliteArchiveFetch(
  deps: PoliteFetchDeps & { readonly limits: { readonly maxRedirects: number } },
  headersFor: HeadersFor,
  signal: AbortSignal,
): ArchiveFetch {
  return createArchiveFetch(createPoliteFetch(deps, { run: null, headersFor }, signal), deps.limits.maxRedirects);
}

export function createArchiveFetch(fetchOne: PoliteFetch, maxRedirects: number): ArchiveFetch {
  return async (start, { name, accept = '*/*', maxBytes, mayBeCut }) => {
    const { url, end } = await fetchFollowingRedirects(start, {
      request: (hop) => fetchOne({ url: hop, accept, cutAtBytes: maxBytes }),
      maxRedirects,
    });
    if (end.kind === 'broken') return { kind: 'failed', reason: `a redirect cannot be followed: ${end.verdict.rule}` };
    if (end.kind === 'excluded') return { kind: 'failed', reason: end.rule };
    const { outcome } = end;
    if (outcome.kind !== 'fetched') return unfetched(outcome);
    if (outcome.truncated && mayBeCut !== true)
      throw pinakesError('archive.too-large', { name, reason: `it has more than ${megabytes(maxBytes)} MB` });
    return { kind: 'file', url, body: outcome.body, isCut: outcome.truncated };
  };
}

function unfetched(outcome: Exclude<FinalOutcome, { kind: 'fetched' }>): FetchedFile {
  switch (outcome.kind) {
    case 'not-found':
      return { kind: 'missing', reason: `status ${outcome.status}` };
    case 'throttled':
      return { kind: 'failed', reason: `the server asked for a pause with status ${outcome.status}` };
    case 'unchanged':
      return { kind: 'failed', reason: 'status 304' };
    case 'failed':
      // A status that arrived is not why the rest did not.
      if (outcome.code !== 'fetch.timeout') return { kind: 'failed', reason: failureOf(outcome) };
      return { kind: 'failed', reason: outcome.reason, isSlow: !NEVER_ANSWERED.has(outcome.reason) };
  }
}

const NEVER_ANSWERED: ReadonlySet<string> = new Set(['connect-timeout', 'dns-timeout', 'header-timeout']);

/** The reason of a blocked address is the name of a range, which alone says nothing. */
function failureOf({ code, reason, status }: Extract<FinalOutcome, { kind: 'failed' }>): string {
  if (status !== null) return `status ${status}`;
  return code === 'fetch.blocked-address' ? `its address is blocked: ${reason}` : reason;
}

export function megabytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / 1_048_576));
}
