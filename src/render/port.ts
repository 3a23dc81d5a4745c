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
   * Asked before each request for data or a document after the first, in which the page may wait for robots.txt or for a
   * request slot of its own host. False refuses the request.
   */
  readonly mayRequest?: (url: string) => Promise<boolean>;
}

/** The headers that prove who sends a request of a page to its own origin. */
export type SignPageRequest = (url: URL) => Readonly<Record<string, string>>;

export interface RenderedPage {
  /**
   * The document as the scripts left it: shadow roots flattened, frames of its origin in place, scripts and consent overlays
   * removed. The links of collapsed menus are in a `nav` at its end.
   */
  readonly html: string;
  /** For a renderer that returns the text of a page and no document: then `html` is empty. */
  readonly markdown?: { readonly text: string; readonly links: readonly string[] };
  /** The URL in the address bar, which a script may have changed. */
  readonly url: string;
  /** HTTP status of the main document. */
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
  /** The limit of its requests that the page reached; null if none was refused for that. */
  readonly exceeded: string | null;
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
 * Every connection of the browser is made by our proxy, behind the address guard of the fetch stage; the browser
 * resolves no names and connects to nothing else. Only requests that do not change anything are made (GET, HEAD, OPTIONS),
 * and none for images, media or fonts. Web sockets, shared and service workers, pop-ups, downloads and permissions are refused.
 * The requests of a page are limited in number, in bytes both ways, and in their rate to each other site.
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

/** The credentials of one browser context at the proxy, what its page may do there, and what it did. */
export interface GuardSession {
  readonly username: string;
  readonly password: string;
  /** Received and sent by the page. */
  readonly bytes: () => number;
  readonly sentBytes: () => number;
  readonly refusals: () => readonly Refusal[];
  /** Begins a page, which may connect to no host yet. */
  start(budget: {
    readonly maxReceivedBytes: number;
    readonly maxSentBytes: number;
    readonly maxRequests: number;
  }): void;
  /** Lets the page connect to a host: without brackets, and a port. */
  admit(host: string, port: number): void;
  /** Ends the page: nothing that is left of it connects any more. */
  stop(): void;
  close(): void;
}
