// The port of fetching: one request, one honest outcome.

import type { ErrorCode } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';

export interface FetchRequest {
  readonly url: PageUrl;
  /** Validators of what is known already; with them the answer may be `unchanged`. */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  /** The value of Accept; the default prefers Markdown, then HTML. */
  readonly accept?: string;
  /** Sent only to this origin, never to where it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Below the configured cap, for small texts such as robots.txt; a longer body is cut, and `truncated` says so. */
  readonly cutAtBytes?: number;
}

export interface FetchedPage {
  /** Names in lower case; a repeated header is joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Content-Type as it was sent; null where none was. */
  readonly mediaType: string | null;
  /** Decoded of every Content-Encoding. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** As they came over the wire, before decoding. */
  readonly wireBytes: number;
  /** Until the head of the answer. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

export type FetchOutcome =
  | ({ readonly kind: 'fetched' } & FetchedPage)
  | {
      readonly kind: 'unchanged';
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly firstByteMs: number;
    }
  /** 404 and 410. */
  | { readonly kind: 'gone'; readonly status: number; readonly firstByteMs: number }
  /** One hop, never followed here: whoever asked judges the target as any other URL. Null when no usable target is named. */
  | { readonly kind: 'redirected'; readonly status: number; readonly to: PageUrl | null; readonly permanent: boolean }
  /** 429, and 503 with Retry-After. */
  | { readonly kind: 'throttled'; readonly status: number; readonly retryAfterMs: number | null }
  /** Everything else that is not a page. `retryable` tells whether asking again later makes sense. */
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly reason: string;
      readonly status: number | null;
      readonly retryable: boolean;
    };

/**
 * Asks for one URL, over http or https, and never raises for what a server or a network can do: that is an outcome.
 *
 * Every connection passes the address guard at the moment it is made: each address that the name resolves to is judged
 * on its bytes, the socket goes to a judged one, and only the operator's configuration opens ranges that are not public.
 * Nothing in a request can widen that. Time, header size and decoded bytes are capped, whatever the server sends.
 *
 * An aborted call rejects with the signal's reason; nothing else rejects.
 */
export interface Fetcher {
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome>;
  close(): Promise<void>;
}
