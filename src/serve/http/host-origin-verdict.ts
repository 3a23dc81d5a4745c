// Checks the Host and Origin headers of a request. A web page can make a browser send requests to a server on loopback;
// what it cannot do is choose these two headers.

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
  /** The local IP address of the connection, which DNS rebinding cannot fake. */
  readonly localAddress: string | null;
}

export type HostOriginVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly status: 400 | 403; readonly rule: 'host' | 'origin' };

export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

export function hostOriginVerdict(
  { host, origin, localAddress }: RequestTarget,
  policy: HostPolicy,
): HostOriginVerdict {
  const [hostHeader, ...more] = host;
  if (hostHeader === undefined || more.length > 0) return { kind: 'refused', status: 400, rule: 'host' };
  const name = hostNameOf(hostHeader);
  if (name === null) return { kind: 'refused', status: 400, rule: 'host' };
  if (!policy.hosts.has(name) && name !== plainAddress(localAddress))
    return { kind: 'refused', status: 403, rule: 'host' };
  if (origin === null || policy.origins.has(origin)) return { kind: 'allowed' };
  const own = [`http://${hostHeader}`, `https://${hostHeader}`].map((text) => URL.parse(text)?.origin);
  return own.includes(origin) ? { kind: 'allowed' } : { kind: 'refused', status: 403, rule: 'origin' };
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
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
