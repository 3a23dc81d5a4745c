// JSON requests to a server that the operator configured, through the guarded fetcher.

import { isIP } from 'node:net';
import { type PageUrl, pageUrl } from '../../core/model/page-url.ts';
import type { GuardSettings } from '../../core/ssrf/guard-policy.ts';
import { portOf, unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import type { Fetcher, FetchOutcome, FetchRequest } from '../port.ts';

export interface JsonRequest {
  readonly url: string;
  /** Null sends a GET. */
  readonly json: unknown;
  /** Sent URL-encoded instead of JSON. */
  readonly fields?: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

export type JsonOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isTimeout: boolean; readonly retryable: boolean };

export function createJsonClient(
  fetcher: Fetcher,
): (request: JsonRequest, signal?: AbortSignal) => Promise<JsonOutcome> {
  return async ({ url, json, fields, headers }, signal) => {
    const target: PageUrl = pageUrl(url);
    const post = postOf(json, fields);
    return outcomeOf(await fetcher.fetch({ url: target, headers, accept: 'application/json', ...post }, signal));
  };
}

function postOf(json: unknown, fields: URLSearchParams | undefined): Pick<FetchRequest, 'post'> {
  if (fields !== undefined)
    return { post: { mediaType: 'application/x-www-form-urlencoded', text: fields.toString() } };
  return json === null ? {} : { post: { mediaType: 'application/json', text: JSON.stringify(json) } };
}

function outcomeOf(outcome: FetchOutcome): JsonOutcome {
  switch (outcome.kind) {
    case 'fetched':
      return answered(outcome.status, new TextDecoder().decode(outcome.body));
    case 'throttled':
      return { ...answered(outcome.status, ''), retryAfterMs: outcome.retryAfterMs };
    case 'not-found':
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

function answered(status: number, body: string): JsonOutcome & { readonly kind: 'answered' } {
  return { kind: 'answered', status, body, retryAfterMs: null };
}

/**
 * What a configured server opens in the guard: its host and port, and nothing else. The URL comes from the operator's
 * configuration, never from a request.
 */
export function guardSettingsFor(url: string): GuardSettings {
  const { hostname, protocol, port } = new URL(url);
  const host = unbracketHost(hostname);
  const family = isIP(host);
  return {
    allowCidrs: family === 0 ? [] : [`${host}/${family === 4 ? 32 : 128}`],
    allowHosts: family === 0 ? [host] : [],
    allowPorts: [portOf({ protocol, port })],
  };
}
