// Asks a server that the operator named, with JSON, through the guarded fetcher.

import type { PageUrl } from '../../core/model/page-url.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import type { Fetcher, FetchOutcome } from '../port.ts';

export interface ServerQuestion {
  readonly url: string;
  /** Null asks with GET. */
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isTimeout: boolean; readonly retryable: boolean };

export function createAskServer(
  fetcher: Fetcher,
): (question: ServerQuestion, signal?: AbortSignal) => Promise<ServerOutcome> {
  return async ({ url, json, headers }, signal) => {
    const target: PageUrl = pageUrl(url);
    const body = json === null ? {} : { post: { mediaType: 'application/json', text: JSON.stringify(json) } };
    return outcomeOf(await fetcher.fetch({ url: target, headers, accept: 'application/json', ...body }, signal));
  };
}

function outcomeOf(outcome: FetchOutcome): ServerOutcome {
  switch (outcome.kind) {
    case 'fetched':
      return answered(outcome.status, new TextDecoder().decode(outcome.body));
    case 'throttled':
      return { ...answered(outcome.status, ''), retryAfterMs: outcome.retryAfterMs };
    case 'gone':
    case 'redirected':
      return answered(outcome.status, '');
    case 'unchanged':
      return answered(304, '');
    case 'failed':
      if (outcome.code === 'fetch.status' && outcome.status !== null) return answered(outcome.status, '');
      return {
        kind: 'unanswered',
        reason: outcome.reason,
        isTimeout: outcome.code === 'fetch.timeout',
        retryable: outcome.retryable,
      };
  }
}

function answered(status: number, body: string): ServerOutcome & { readonly kind: 'answered' } {
  return { kind: 'answered', status, body, retryAfterMs: null };
}
