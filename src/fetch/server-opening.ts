// What a server's own address opens in the guard: that host and that port, and nothing beside it. The address stands in the
// operator's configuration, never in a request.

import { isIP } from 'node:net';
import type { GuardSettings } from '../core/ssrf/guard-policy.ts';
import { bareHost, portOf } from '../core/ssrf/ssrf-verdict.ts';

export function serverOpening(url: string): GuardSettings {
  const { hostname, protocol, port } = new URL(url);
  const host = bareHost(hostname);
  const family = isIP(host);
  return {
    allowCidrs: family === 0 ? [] : [`${host}/${family === 4 ? 32 : 128}`],
    allowHosts: family === 0 ? [host] : [],
    allowPorts: [portOf({ protocol, port })],
  };
}
