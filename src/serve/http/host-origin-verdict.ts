// Checks the Host, Origin and Sec-Fetch-Site headers of a request. A web page can make a browser send requests to a server on
// loopback; what it cannot do is choose these headers.

export interface HostPolicy {
  /** Names and IP addresses, without a port, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of other sites. */
  readonly origins: ReadonlySet<string>;
}

export interface RequestTarget {
  /** Every Host header, as received. */
  readonly host: readonly string[];
  readonly origin: string | null;
  /** Sec-Fetch-Site: which site a browser sends the request for. Null for other clients. */
  readonly fetchSite: string | null;
  /** A view or file of the dashboard or a health check, which a link on another site may lead to. */
  readonly isPublic: boolean;
  /** The local IP address of the connection, which DNS rebinding cannot fake. */
  readonly localAddress: string | null;
}

export type HostOriginVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly status: 400 | 403; readonly rule: 'host' | 'origin' | 'site' };

export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

export function hostOriginVerdict(target: RequestTarget, policy: HostPolicy): HostOriginVerdict {
  const { host, origin, localAddress } = target;
  const [hostHeader, ...more] = host;
  if (hostHeader === undefined || more.length > 0) return { kind: 'refused', status: 400, rule: 'host' };
  const name = hostNameOf(hostHeader);
  if (name === null) return { kind: 'refused', status: 400, rule: 'host' };
  if (!policy.hosts.has(name) && name !== plainAddress(localAddress))
    return { kind: 'refused', status: 403, rule: 'host' };
  if (origin === null)
    return isForOtherSite(target) ? { kind: 'refused', status: 403, rule: 'site' } : { kind: 'allowed' };
  if (policy.origins.has(origin)) return { kind: 'allowed' };
  const own = [`http://${hostHeader}`, `https://${hostHeader}`].map((text) => URL.parse(text)?.origin);
  return own.includes(origin) ? { kind: 'allowed' } : { kind: 'refused', status: 403, rule: 'origin' };
}

/** `same-site` is another port of this machine, for instance. */
const OTHER_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/** A GET without an Origin can still cost much: an image on another site may point to an export. */
function isForOtherSite({ fetchSite, isPublic }: RequestTarget): boolean {
  return !isPublic && fetchSite !== null && OTHER_SITES.has(fetchSite);
}

/** The host name without port and brackets. */
function hostNameOf(host: string): string | null {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host)) return null;
  const { hostname } = URL.parse(`http://${host}`) ?? { hostname: '' };
  return hostname === '' ? null : hostname.replaceAll(/[[\]]/g, '').toLowerCase();
}

function plainAddress(address: string | null): string | null {
  return address?.replace(/^::ffff:/, '') ?? null;
}

/** Whether a listen address can be reached from this machine only. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export type Exposure =
  | { readonly kind: 'local' }
  | { readonly kind: 'address'; readonly host: string }
  /** It listens on loopback, but a proxy is meant to pass requests on under this name. */
  | { readonly kind: 'name'; readonly name: string };

/** Whether others are meant to reach the server. */
export function exposureOf(host: string, allowedHosts: readonly string[]): Exposure {
  if (!isLoopback(host)) return { kind: 'address', host };
  const name = allowedHosts.find((allowed) => !isLoopback(allowed) && !allowed.endsWith('.localhost'));
  return name === undefined ? { kind: 'local' } : { kind: 'name', name };
}

const FORWARDING_HEADER =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/i;

/** Whether a proxy passed the request on. `raw` alternates names and values. */
export function isForwarded(raw: readonly string[]): boolean {
  return raw.some((text, i) => i % 2 === 0 && FORWARDING_HEADER.test(text));
}
