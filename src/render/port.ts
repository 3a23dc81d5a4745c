// The render port: one page in a browser, one outcome.

import type { ErrorCode } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { RenderMode } from '../core/model/source-settings.ts';

export interface RenderRequest {
  /** May end in a hash route, such as `#/guide`. */
  readonly url: PageUrl;
  /** Pages of one source share the caches of their browser context; pages of two sources share nothing. */
  readonly source: string;
  /** Sent only to the origin of the page, never to a redirect target. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Asked before each request for data or a document after the first, in which the page may wait for its host's request
   * slot. False refuses the request.
   */
  readonly mayRequest?: (url: string) => Promise<boolean>;
}

export interface RenderedPage {
  /**
   * The document as the scripts left it: shadow roots flattened, frames of its origin in place, scripts and consent overlays
   * removed. The links of collapsed menus are in a `nav` at its end.
   */
  readonly html: string;
  /** The URL in the address bar, which a script may have changed. */
  readonly url: string;
  /** Of the first document. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Browser and version, such as `chromium 156.0.8078.79`. */
  readonly renderedBy: string;
  /** Received, as far as they can be counted. */
  readonly bytes: number;
  readonly totalMs: number;
  /** `quiet`: network and document came to rest. `limit`: the document is what was there when time was up. */
  readonly readiness: 'quiet' | 'limit';
  readonly refusals: readonly Refusal[];
}

/** What the address guard refused, with its rule. */
export interface Refusal {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  readonly rule: string;
}

export type RenderOutcome =
  | ({ readonly kind: 'rendered' } & RenderedPage)
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string; readonly retryable: boolean };

/**
 * Renders pages, hostile ones included, and never throws for what a page, a browser or a network can do: that is an
 * outcome.
 *
 * Every connection of the browser is made by a proxy of ours, behind the address guard of the fetch stage; the browser
 * resolves no names and connects to nothing else. Only requests that do not change anything are made (GET, HEAD, OPTIONS),
 * and none for images, media or fonts. Service workers, pop-ups, downloads and permissions are refused.
 *
 * A page that crashes its browser, hangs or uses too much time, memory or bandwidth fails alone: pages that were in the
 * same browser are rendered again in another one. No process of a browser survives its parent, even one that was killed,
 * and none is left a minute after the last page.
 *
 * An aborted call rejects with the signal's reason; nothing else rejects.
 */
export interface Renderer {
  render(request: RenderRequest, signal?: AbortSignal): Promise<RenderOutcome>;
  close(): Promise<void>;
}

/** A renderer, and when a crawl uses it unless the source says otherwise. */
export interface Rendering {
  readonly mode: RenderMode;
  readonly renderer: Renderer;
}

/** What the browser is started behind. The fetch stage implements it. */
export interface GuardProxy {
  readonly host: string;
  readonly port: number;
  openSession(): GuardSession;
  close(): Promise<void>;
}

/** The credentials of one browser context at the proxy, and what it did there. */
export interface GuardSession {
  readonly username: string;
  readonly password: string;
  readonly bytes: () => number;
  readonly refusals: () => readonly Refusal[];
  start(maxBytes: number): void;
  close(): void;
}
