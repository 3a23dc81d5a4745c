// The fetch port: one request, one outcome.

import type { BundleMeta } from '../core/export/bundle/bundle.ts';
import type { ReadBundlePage } from '../core/export/bundle/read-bundle.ts';
import type { BundledSpace } from '../core/export/bundle/vector-files.ts';
import type { LicenseChallenge, SiteTerms } from '../core/discover/licenses.ts';
import type { ErrorCode } from '../core/model/errors.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { PackageFile } from '../core/packages/package-folder.ts';
import type { LockedPackage } from '../core/project/locked-package.ts';
import type { PackageFolderPath } from '../core/project/package-run.ts';
import type { ProblemKind } from '../core/outcome/problem-kinds.table.ts';
import type { Reason } from '../core/outcome/reasons.table.ts';

/**
 * @example
 * const isConditional = ({ etag }: FetchRequest): boolean => typeof etag === 'string';
 */
export interface FetchRequest {
  readonly url: PageUrl;
  /** Validators of the stored copy; with them the outcome may be `unchanged`. */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  /** The value of Accept; the default prefers Markdown, then HTML. */
  readonly accept?: string;
  /** Sent only to this origin, never to a redirect target. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a POST. Only for servers that the operator configured: pages are never posted to. */
  readonly post?: { readonly mediaType: string; readonly text: string };
  /** Shortens the configured timeout of the whole response. */
  readonly timeoutMs?: number | null;
  /**
   * Replaces the configured cap, for files such as robots.txt and sitemaps; a longer body is cut and marked as
   * `truncated`.
   */
  readonly cutAtBytes?: number;
}

/**
 * @example
 * const isMarkdown = ({ mediaType }: FetchedPage): boolean => mediaType?.startsWith('text/markdown') === true;
 */
export interface FetchedPage {
  /** Names in lower case; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Content-Type as sent; null if there was none. */
  readonly mediaType: string | null;
  /** With every Content-Encoding decoded. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** On the wire, before decoding. */
  readonly wireBytes: number;
  /** Until the response head. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

/**
 * @example
 * const missing: FetchOutcome = { kind: 'not-found', status: 404, firstByteMs: 0 };
 */
export type FetchOutcome =
  | ({ readonly kind: 'fetched' } & FetchedPage)
  | {
      readonly kind: 'unchanged';
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly firstByteMs: number;
    }
  /** 404 and 410. */
  | { readonly kind: 'not-found'; readonly status: number; readonly firstByteMs: number }
  /**
   * One hop, never followed here: the caller admits the target like any other URL. Null when there is no usable target.
   */
  | { readonly kind: 'redirected'; readonly status: number; readonly to: PageUrl | null; readonly permanent: boolean }
  /** 429, and a server error with Retry-After. */
  | { readonly kind: 'throttled'; readonly status: number; readonly retryAfterMs: number | null }
  /** Everything else that is not a page. `retryable` says whether a later retry makes sense. */
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly reason: string;
      readonly status: number | null;
      readonly retryable: boolean;
      /** The server sends the page only with a license. */
      readonly challenge?: LicenseChallenge;
    };

/**
 * Fetches one URL over http or https, and never throws for what a server or a network can do: that is an outcome.
 *
 * Every connection passes the address guard at the moment it is made: each IP address that the name resolves to is
 * checked by its bytes, the socket connects to a checked one, and only the operator's configuration opens ranges that
 * are not public. Nothing in a request can widen that. Time, header size and decoded bytes are capped, whatever the
 * server sends.
 *
 * An aborted call rejects with the signal's reason; nothing else rejects.
 *
 * @example
 * const open = (fetcher: Fetcher): Promise<Library> => openLibrary({ dataDir: './library', fetcher });
 */
export interface Fetcher {
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<FetchOutcome>;
  close(): Promise<void>;
}

// ---- local content

export type ListedFile =
  | { readonly kind: 'file'; readonly url: PageUrl }
  /** Excluded by a rule; a folder is reported once, with everything in it. */
  | { readonly kind: 'refused'; readonly url: PageUrl; readonly reason: Reason }
  /** There is more than the limits allow, or a rule could not be parsed. */
  | { readonly kind: 'warning'; readonly about: ProblemKind; readonly target: string; readonly message: string };

export type LocalOutcome =
  /** The media type is that of a page made from a file; otherwise the name of the file decides. */
  | { readonly kind: 'read'; readonly body: Uint8Array; readonly hash: Sha256; readonly mediaType?: string }
  /** The stored page is current. */
  | { readonly kind: 'unchanged' }
  /** A bundle contains pages that were already extracted and chunked. */
  | { readonly kind: 'page'; readonly page: ReadBundlePage }
  | { readonly kind: 'not-found'; readonly reason: Reason }
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'failed'; readonly reason: Reason };

/**
 * A folder, a file, an archive or a bundle, opened for one run.
 *
 * `list` yields every file in a fixed order; `read` checks a file again by the same rules, so a file that was ignored,
 * became a link or grew too large since it was listed is refused. Links are never followed, not even one that replaces
 * a folder while it is read; pipes, devices and sockets are never opened for reading. The hash is that of the returned
 * bytes.
 */
export interface LocalSource {
  list(signal: AbortSignal): AsyncIterable<ListedFile>;
  read(url: PageUrl): Promise<LocalOutcome>;
  /** The vectors that a bundle carries. */
  vectors?(): readonly BundledSpace[];
  /** How many pages link to each page of a bundle, by URL; pages without any are absent. */
  linkCounts?(): ReadonlyMap<PageUrl, number>;
  /** What a bundle states about its source. */
  readonly declaredVersion?: string | null;
  readonly terms?: SiteTerms;
  /** The package that its pages document; absent for other sources. */
  readonly packageName?: string | undefined;
}

export interface LocalStart {
  /** Absolute, with every link resolved. */
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'archive' | 'bundle';
  /** The description inside a bundle. */
  readonly about: BundleMeta | null;
  /** Whether it is an archive that cannot be read. */
  readonly isDamaged?: boolean;
}

/** Throws `files.refused` outside the allowed roots, `files.unreadable`, `bundle.corrupt` or `archive.bomb`. */
export interface LocalFiles {
  stat(path: string): Promise<LocalStart>;
  open(path: string): Promise<LocalSource>;
  /** A bundle in memory. */
  openBundle(archive: Uint8Array, name: string): Promise<LocalSource>;
  openProject(path: string): Promise<ProjectFiles>;
  openPackage(at: PackageFolderPath): Promise<PackageFiles>;
}

/** A folder in which a user works, as far as a sync reads it. Links that lead out of it are not followed. */
export interface ProjectFiles {
  /** Absolute, with every link resolved. */
  readonly root: string;
  /** Null if there is no such file. Raises `lockfile.too-large`. */
  readText(path: string, maxBytes: number): Promise<string | null>;
  /** Names of the folders in a folder, sorted, without links and without those that begin with a dot. */
  folders(path: string): Promise<readonly string[]>;
  /** Names of the files in a folder, likewise. */
  files(path: string): Promise<readonly string[]>;
  /** Finds the installed package: in the project, or in the caches of its manager. */
  findPackage(locked: LockedPackage): Promise<PackageLocation>;
}

export type PackageLocation =
  | ({ readonly kind: 'found' } & PackageFolderPath)
  /** `installed` is the version found in its place. */
  | { readonly kind: 'missing'; readonly installed: string | null };

/** The files of one installed package, without those of packages inside it. */
export interface PackageFiles {
  /** Sorted by path. */
  readonly files: readonly PackageFile[];
  /** Whether there are more files than the limit. */
  readonly isTruncated: boolean;
  /** Only files of the list are read, and never a link. */
  read(path: string): Promise<LocalOutcome>;
}
