// Decides whether a page in the browser may make a request, by its method and type. Where it leads is decided by the proxy.

import { SAFE_METHODS } from '../core/ssrf/safe-methods.ts';

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
  readonly headers: Readonly<Record<string, string>>;
}

export type RequestVerdict =
  | { readonly admit: true; readonly isData: boolean }
  | { readonly admit: false; readonly reason: 'method' | 'type' | 'scheme' | 'frame' | 'prefetch' | 'redirect-loop' };

const CONTENT_TYPES = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch', 'Preflight', 'Other']);
const DATA_TYPES = new Set(['Document', 'XHR', 'Fetch']);

/** A page that sends its main frame on and on. */
const MAX_DOCUMENTS = 10;

export function requestVerdict(request: PageRequest): RequestVerdict {
  const { resourceType, url, isMainFrame, documents, origin } = request;
  const reason = refusedIntent(request);
  if (reason !== null) return { admit: false, reason };
  if (!CONTENT_TYPES.has(resourceType)) return { admit: false, reason: 'type' };
  const target = URL.parse(url);
  if (target === null || !/^https?:$/.test(target.protocol)) return { admit: false, reason: 'scheme' };
  if (resourceType === 'Other' && target.pathname.endsWith('/favicon.ico')) return { admit: false, reason: 'type' };
  if (resourceType === 'Document') {
    // A frame of another site has no text of the page.
    if (!isMainFrame && target.origin !== origin) return { admit: false, reason: 'frame' };
    if (isMainFrame && documents >= MAX_DOCUMENTS) return { admit: false, reason: 'redirect-loop' };
  }
  return { admit: true, isData: DATA_TYPES.has(resourceType) };
}

/** Set if the request may change something, or is for another page that may follow. */
function refusedIntent({ method, headers: sent }: PageRequest): 'method' | 'prefetch' | null {
  const headers = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  // A preflight says what it asks for.
  const wanted = headers.get('access-control-request-method') ?? method;
  if (!SAFE_METHODS.has(method) || !SAFE_METHODS.has(wanted)) return 'method';
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? '';
  return purpose.includes('prefetch') ? 'prefetch' : null;
}
