// The port of fetching: one request, one honest outcome.

import type { BundleAbout } from '../core/export/bundle/bundle.ts';
import type { ReadPage } from '../core/export/bundle/read-bundle.ts';
import type { CarriedSpace } from '../core/export/bundle/vector-files.ts';
import type { ErrorCode } from '../core/model/errors.ts';
import type { Sha256 } from '../core/model/hash.ts';
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
  /** Asks with POST. Only for servers that the operator named: no page is ever posted to. */
  readonly post?: { readonly mediaType: string; readonly text: string };
  /** In place of the configured cap, for files such as robots.txt and sitemaps; a longer body is cut, and `truncated` says so. */
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

// ---- local content

/** All that is read from disk shares this name as its host. */
export const LOCAL_HOST = 'file';

export type ListedFile =
  | { readonly kind: 'file'; readonly url: PageUrl }
  /** Left out by a rule, whole folders at once. */
  | { readonly kind: 'refused'; readonly url: PageUrl; readonly reason: string }
  /** More is there than is taken, or a rule could not be read. */
  | { readonly kind: 'warning'; readonly about: string; readonly target: string; readonly message: string };

export type LocalOutcome =
  | { readonly kind: 'read'; readonly body: Uint8Array; readonly hash: Sha256 }
  /** A bundle gives pages that were read and cut before. */
  | { readonly kind: 'page'; readonly page: ReadPage }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * A folder, a file, an archive or a bundle, opened for one run.
 *
 * `list` gives every file in a fixed order; `read` judges a file again by the same rules, so that a file that was put on
 * an ignore list, became a link or grew too large since it was listed is refused. Links are never followed, not even one
 * that takes the place of a folder while it is read; pipes, devices and sockets are never opened for reading. The hash is
 * that of the bytes that were handed over.
 */
export interface LocalSource {
  list(signal: AbortSignal): AsyncIterable<ListedFile>;
  read(url: PageUrl): Promise<LocalOutcome>;
  /** What a bundle brings of vectors. */
  vectors?(): readonly CarriedSpace[];
}

export interface LocalStart {
  /** Absolute, with every link resolved. */
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'archive' | 'bundle';
  /** What a bundle says of itself. */
  readonly about: BundleAbout | null;
}

/** Raises `local.refused` outside the allowed roots, `local.unreadable`, `bundle.broken` or `archive.bomb`. */
export interface LocalFiles {
  look(path: string): Promise<LocalStart>;
  open(path: string): Promise<LocalSource>;
}
