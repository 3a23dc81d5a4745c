// Chooses the proxy for a URL from the usual variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. They are
// the operator's: nothing in a request names a proxy.

import { inRange, parseIpAddress, parseIpRange } from '../../core/ssrf/ip-address.ts';
import { unbracketHost, portOf } from '../../core/ssrf/ssrf-verdict.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { isInDomain } from '../../core/model/page-url.ts';

export interface ProxySettings {
  /** The proxy for an origin; null means a direct connection. */
  proxyFor(origin: URL): string | null;
  readonly proxies: readonly string[];
}

export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings | null {
  const http = proxyUrl(env, 'http_proxy');
  const https = proxyUrl(env, 'https_proxy') ?? http;
  if (http === null && https === null) return null;
  const exceptions = (variable(env, 'no_proxy') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return {
    proxyFor(origin) {
      const proxy = origin.protocol === 'https:' ? https : http;
      return proxy === null || exceptions.some((entry) => excepts(entry, origin)) ? null : proxy;
    },
    proxies: [...new Set([http, https].filter((proxy) => proxy !== null))],
  };
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  return env[name] || env[name.toUpperCase()] || null;
}

function proxyUrl(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const text = variable(env, name);
  if (text === null) return null;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw pinakesError('config.invalid', {
      setting: name.toUpperCase(),
      reason: 'not an http or https URL of a proxy',
    });
  }
  return url.href;
}

function excepts(entry: string, origin: URL): boolean {
  if (entry === '*') return true;
  const host = unbracketHost(origin.hostname).replace(/\.$/, '');
  const address = parseIpAddress(host);
  const range = parseIpRange(entry);
  if (address !== null && range !== null) return inRange(address, range);

  const [, name = entry, port] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(entry) ?? [];
  if (port !== undefined && Number(port) !== portOf(origin)) return false;
  return isInDomain(host, name.replace(/^\*?\./, ''));
}
