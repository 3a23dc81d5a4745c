// Decides whether a page in the browser may make a request, by its method and type. Where it leads is decided by the proxy.

export interface PageRequest {
  readonly method: string;
  /** Type of the CDP domain Network, such as `Document` or `Image`. */
  readonly resourceType: string;
  readonly url: string;
  readonly isMainFrame: boolean;
  /** Documents that the main frame requested before this one. */
  readonly documents: number;
  /** Origin of the page. */
  readonly origin: string;
}

export type RequestVerdict =
  | { readonly admit: true; readonly isData: boolean }
  | { readonly admit: false; readonly because: 'method' | 'type' | 'scheme' | 'frame' | 'redirect-loop' };

/** They do not change anything on a server. A preflight precedes a request to another origin. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const CONTENT_TYPES = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch', 'Preflight', 'Other', 'Prefetch']);
const DATA_TYPES = new Set(['Document', 'XHR', 'Fetch']);

/** A page that sends its main frame on and on. */
const MAX_DOCUMENTS = 10;

export function requestVerdict(request: PageRequest): RequestVerdict {
  const { method, resourceType, url, isMainFrame, documents, origin } = request;
  if (!SAFE_METHODS.has(method)) return { admit: false, because: 'method' };
  if (!CONTENT_TYPES.has(resourceType)) return { admit: false, because: 'type' };
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol)) return { admit: false, because: 'scheme' };
  if (resourceType === 'Other' && target.pathname.endsWith('/favicon.ico')) return { admit: false, because: 'type' };
  if (resourceType === 'Document') {
    // A frame of another site has no text of the page.
    if (!isMainFrame && target.origin !== origin) return { admit: false, because: 'frame' };
    if (isMainFrame && documents >= MAX_DOCUMENTS) return { admit: false, because: 'redirect-loop' };
  }
  return { admit: true, isData: DATA_TYPES.has(resourceType) };
}
