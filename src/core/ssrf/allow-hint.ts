// Which setting would let a refused request through, with the value for it.

import { parseIpAddress } from './ip-address.ts';
import { portOf, unbracketHost } from './ssrf-verdict.ts';

/** Nothing opens these, or no one should be advised to. */
const NEVER_OPENED: ReadonlySet<string> = new Set([
  'invalid-dns-label',
  'invalid-url',
  'metadata',
  'own-listener',
  'scheme-not-allowed',
  'url-too-long',
  'userinfo-present',
]);

/** A sentence without its full stop; null if no setting opens the address. The value is as narrow as possible. */
export function allowHint(url: string, rule: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || NEVER_OPENED.has(rule)) return null;
  const host = unbracketHost(parsed.hostname);
  const family = parseIpAddress(host)?.family;
  if (rule === 'port-not-allowed') return `To allow the port, set PINAKES_FETCH_ALLOW_PORTS=${portOf(parsed)}`;
  if (family !== undefined)
    return `To allow the address, set PINAKES_FETCH_ALLOW_CIDRS=${host}/${family === 4 ? 32 : 128}`;
  if (rule === 'loopback') return 'To allow loopback, set PINAKES_FETCH_ALLOW_CIDRS=127.0.0.0/8';
  return `To allow the host, set PINAKES_FETCH_ALLOW_HOSTS=${host.replace(/\.$/, '')}`;
}
