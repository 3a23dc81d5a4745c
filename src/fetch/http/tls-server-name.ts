// The name that a certificate is checked against: the requested one, not the IP address that the socket goes to.

import type { buildConnector } from 'undici';
import { unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';

export function servernameFor(target: buildConnector.Options): { servername?: string } {
  if (target.protocol !== 'https:' || target.servername) return {};
  const host = unbracketHost(target.hostname);
  return /[a-z]/i.test(host) && !host.includes(':') ? { servername: host.replace(/\.$/, '') } : {};
}
