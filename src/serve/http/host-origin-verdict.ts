// Whether a request may be answered at all, by the name it used and the page it comes from. A page on the web can make a
// browser ask a server on loopback; what it cannot do is choose these two headers.

export interface RequestPolicy {
  /** Names and addresses, without a port, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of pages elsewhere. */
  readonly origins: ReadonlySet<string>;
}

export interface AskedAs {
  /** Every Host header, as it came. */
  readonly host: readonly string[];
  readonly origin: string | null;
  /** The address that the request reached, which nobody can make a name lead to. */
  readonly reached: string | null;
}

export type RequestVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly status: 400 | 403; readonly rule: 'host' | 'origin' };

export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

export function requestVerdict({ host, origin, reached }: AskedAs, policy: RequestPolicy): RequestVerdict {
  const [asked, ...more] = host;
  if (asked === undefined || more.length > 0) return { kind: 'refused', status: 400, rule: 'host' };
  const name = nameOf(asked);
  if (name === null) return { kind: 'refused', status: 400, rule: 'host' };
  if (!policy.hosts.has(name) && name !== plainAddress(reached)) return { kind: 'refused', status: 403, rule: 'host' };
  if (origin === null || policy.origins.has(origin)) return { kind: 'allowed' };
  const own = [`http://${asked}`, `https://${asked}`].map((text) => URL.parse(text)?.origin);
  return own.includes(origin) ? { kind: 'allowed' } : { kind: 'refused', status: 403, rule: 'origin' };
}

/** Without port and brackets. */
function nameOf(host: string): string | null {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host)) return null;
  const { hostname } = URL.parse(`http://${host}`) ?? { hostname: '' };
  return hostname === '' ? null : hostname.replaceAll(/[[\]]/g, '').toLowerCase();
}

function plainAddress(address: string | null): string | null {
  return address?.replace(/^::ffff:/, '') ?? null;
}
