// The part of the SSRF guard that needs no DNS: scheme, credentials, length, host name, literal IP address and port of a URL.
// The addresses that a name resolves to are checked when the connection is made.

import type { GuardPolicy } from './guard-policy.ts';
import { parseIpAddress } from './ip-address.ts';
import { ipVerdict } from './ip-verdict.ts';
import { SERVICE_PORTS } from './service-ports.table.ts';
import { INTERNAL_SUFFIXES, METADATA_NAMES } from './special-ranges.table.ts';

export const MAX_URL_CHARS = 8192;

export type SsrfVerdict =
  | { readonly admit: true; readonly url: URL }
  | { readonly admit: false; readonly reason: string };

export function ssrfVerdict(text: string, policy: GuardPolicy): SsrfVerdict {
  if (text.length > MAX_URL_CHARS) return { admit: false, reason: 'url-too-long' };
  const url = URL.parse(text);
  if (url === null) return { admit: false, reason: 'invalid-url' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { admit: false, reason: 'scheme-not-allowed' };
  if (url.username !== '' || url.password !== '') return { admit: false, reason: 'userinfo-present' };
  const reason = hostRule(url, policy);
  return reason === null ? { admit: true, url } : { admit: false, reason };
}

export function portOf(url: { readonly protocol: string; readonly port: string }): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The IPv6 address without brackets, or the name as it is. */
export function unbracketHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** As in a URL; `host` is without brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function hostRule(url: URL, policy: GuardPolicy): string | null {
  const port = portOf(url);
  const literal = parseIpAddress(unbracketHost(url.hostname));
  if (literal !== null) {
    const verdict = ipVerdict(literal, policy);
    if (!verdict.admit) return verdict.reason;
    return isPortAllowed(port, verdict.allowlisted, policy) ? null : 'port-not-allowed';
  }
  const name = hostnameVerdict(url.hostname, policy);
  if (!name.admit) return name.reason;
  if (name.resolvesTo === 'loopback' && loopbackAddresses(policy).length === 0) return 'loopback';
  // With an empty allowlist a name can only resolve to public addresses, so the port can be checked now.
  const mayBePrivate = name.resolvesTo !== 'public-only' || policy.ranges.length > 0;
  return isPortAllowed(port, mayBePrivate, policy) ? null : 'port-not-allowed';
}

/** What `localhost` resolves to: without DNS, and only allowlisted addresses. */
export function loopbackAddresses(policy: GuardPolicy): readonly string[] {
  return ['127.0.0.1', '::1'].filter((text) => {
    const address = parseIpAddress(text);
    return address !== null && ipVerdict(address, policy).admit;
  });
}

export type HostnameVerdict =
  | {
      readonly admit: true;
      /** `allowlisted-only`: an internal name, which may only resolve to addresses that the operator allowed. */
      readonly resolvesTo: 'loopback' | 'allowlisted-only' | 'public-only' | 'all-except-metadata';
    }
  | { readonly admit: false; readonly reason: string };

const metadataNames: ReadonlySet<string> = new Set(METADATA_NAMES);

/** Checked before any DNS query. `hostname` as the URL parser returns it: lower case, ASCII, possibly with a final dot. */
export function hostnameVerdict(hostname: string, policy: GuardPolicy): HostnameVerdict {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  // Some versions of the URL parser accept an empty punycode label.
  if (name.split('.').includes('xn--')) return { admit: false, reason: 'invalid-url' };
  if (!isDnsName(name)) return { admit: false, reason: 'invalid-dns-label' };
  if (metadataNames.has(name)) return { admit: false, reason: 'metadata' };
  if (policy.hosts.has(name)) return { admit: true, resolvesTo: 'all-except-metadata' };
  if (name === 'localhost' || name.endsWith('.localhost')) return { admit: true, resolvesTo: 'loopback' };

  const reason = internalRule(name);
  if (reason === null) return { admit: true, resolvesTo: 'public-only' };
  return policy.ranges.length > 0 ? { admit: true, resolvesTo: 'allowlisted-only' } : { admit: false, reason };
}

function internalRule(name: string): string | null {
  if (!name.includes('.')) return 'single-label';
  return INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`)) ? 'internal-name' : null;
}

function isDnsName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  return name.split('.').every((label) => label.length > 0 && label.length <= 63);
}

/** Public hosts: web ports only. Allowlisted ranges: any port that is not a well-known port of another service. */
export function isPortAllowed(port: number, allowlisted: boolean, policy: GuardPolicy): boolean {
  if (port < 1 || port > 65_535) return false;
  if (policy.ports.has(port)) return true;
  if (port === 80 || port === 443) return true;
  return allowlisted ? !SERVICE_PORTS.has(port) : port >= 8000 && port <= 8999;
}
