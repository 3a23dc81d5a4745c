// One message to a webhook, signed as the Standard Webhooks specification says: https://www.standardwebhooks.com

import { createHmac } from 'node:crypto';
import type { PageUrl } from '../core/model/page-url.ts';
import type { Fetcher, FetchOutcome } from '../fetch/port.ts';
import { secretBytes } from '../platform/clock.ts';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function generateSecret(): string {
  return SECRET_PREFIX + secretBytes(SECRET_BYTES).toString('base64');
}

export interface WebhookMessage {
  /** The same whenever the same message is sent again. */
  readonly id: string;
  readonly type: 'changes' | 'changes.expired' | 'test';
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export type DeliveryOutcome =
  | { readonly kind: 'accepted'; readonly status: number }
  /** The receiver wants no more messages: it answered 410. */
  | { readonly kind: 'unwanted'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | null };

export type SendMessage = (
  target: WebhookTarget,
  message: WebhookMessage,
  signal: AbortSignal,
) => Promise<DeliveryOutcome>;

const MAX_ANSWER_BYTES = 1024;

/** The fetcher never follows a redirect, and connects only to addresses that its guard admits. */
export function createSendMessage(fetcher: Fetcher, now: () => number): SendMessage {
  return async ({ url, secret }, { id, type, data }, signal) => {
    const at = now();
    const text = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
    const timestamp = String(Math.floor(at / 1000));
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secret, `${id}.${timestamp}.${text}`),
    };
    const post = { mediaType: 'application/json', text };
    const accept = 'application/json, */*;q=0.1';
    return outcomeOf(
      await fetcher.fetch({ url: url as PageUrl, headers, post, accept, cutAtBytes: MAX_ANSWER_BYTES }, signal),
    );
  };
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function outcomeOf(outcome: FetchOutcome): DeliveryOutcome {
  switch (outcome.kind) {
    case 'fetched':
      return { kind: 'accepted', status: outcome.status };
    case 'not-found':
      return outcome.status === 410
        ? { kind: 'unwanted', reason: 'it answered 410: no more messages' }
        : failure(`it answered ${outcome.status}`);
    case 'redirected':
      return failure(`it answered ${outcome.status}, and redirects are not followed`);
    case 'throttled':
      return { ...failure(`it answered ${outcome.status}`), retryAfterMs: outcome.retryAfterMs };
    case 'unchanged':
      return failure('it answered 304');
    case 'failed':
      return failure(
        outcome.code === 'fetch.blocked-address'
          ? `its address is not allowed: ${outcome.reason}`
          : outcome.code === 'fetch.status'
            ? `it answered ${outcome.status ?? ''}`
            : outcome.reason,
      );
  }
}

function failure(reason: string): DeliveryOutcome & { readonly kind: 'failed' } {
  return { kind: 'failed', reason, retryAfterMs: null };
}
