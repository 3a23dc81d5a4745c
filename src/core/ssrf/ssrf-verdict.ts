// Decides what can be decided about a URL before anything is asked: scheme, credentials, length, name, literal address,
// port. What a name leads to is judged when the connection is made.

import { addressVerdict } from './ip-verdict.ts';
import { parseAddress } from './ip-address.ts';
import type { GuardPolicy } from './guard-policy.ts';
import { nameVerdict } from '../address/name-verdict.ts';
import { portIsOpen } from '../address/port-verdict.ts';

export const MAX_URL_CHARS = 8192;

export type UrlVerdict =
  | { readonly admit: true; readonly url: URL }
  | { readonly admit: false; readonly because: string };

export function urlVerdict(text: string, policy: GuardPolicy): UrlVerdict {
  if (text.length > MAX_URL_CHARS) return { admit: false, because: 'url-too-long' };
  const url = URL.parse(text);
  if (url === null) return { admit: false, because: 'invalid-url' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { admit: false, because: 'scheme-not-allowed' };
  if (url.username !== '' || url.password !== '') return { admit: false, because: 'userinfo-present' };
  const because = hostRule(url, policy);
  return because === null ? { admit: true, url } : { admit: false, because };
}

export function portOf(url: { readonly protocol: string; readonly port: string }): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The address between the brackets, or the name as it is. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function hostRule(url: URL, policy: GuardPolicy): string | null {
  const port = portOf(url);
  const literal = parseAddress(bareHost(url.hostname));
  if (literal !== null) {
    const verdict = addressVerdict(literal, policy);
    if (!verdict.admit) return verdict.because;
    return portIsOpen(port, verdict.opened, policy) ? null : 'port-not-allowed';
  }
  const name = nameVerdict(url.hostname, policy);
  if (!name.admit) return name.because;
  if (name.leadsTo === 'loopback' && loopbackAddresses(policy).length === 0) return 'loopback';
  // With nothing opened, a name can only lead to public addresses: their ports are known already.
  const mayLeadInside = name.leadsTo !== 'anything-public' || policy.ranges.length > 0;
  return portIsOpen(port, mayLeadInside, policy) ? null : 'port-not-allowed';
}

/** What `localhost` leads to: never asked of DNS, and only those that the operator opened. */
export function loopbackAddresses(policy: GuardPolicy): readonly string[] {
  return ['127.0.0.1', '::1'].filter((text) => {
    const address = parseAddress(text);
    return address !== null && addressVerdict(address, policy).admit;
  });
}
