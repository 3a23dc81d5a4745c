// Checks the address of a page that another program will fetch for us, such as a browser service: past our sockets, so the
// guard is asked before the URL is handed over. Redirects that the other program follows are not seen here.

import { guardPolicy, type GuardSettings } from '../../core/ssrf/guard-policy.ts';
import { portOf, unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import type { FetchOutcome } from '../port.ts';
import { createAddressGuard } from './address-guard.ts';
import { systemResolve } from './bounded-lookup.ts';
import { DEFAULT_LIMITS } from './fetch-limits.ts';
import { guardFailure } from './http-fetcher.ts';
import { networkFailure } from './network-failure.ts';
import type { ResolveName } from './resolve-name.ts';

export type RefusedTarget = Extract<FetchOutcome, { readonly kind: 'failed' }>;

export interface RemoteTargetOptions extends GuardSettings {
  readonly resolve?: ResolveName;
}

/** Null if the URL may be handed over. A name that only the other program can resolve is judged by its form and port. */
export function createRemoteTargetCheck(options: RemoteTargetOptions): (url: string) => Promise<RefusedTarget | null> {
  const guard = createAddressGuard({
    policy: guardPolicy(options),
    resolve: options.resolve ?? systemResolve,
    dnsTimeoutMs: DEFAULT_LIMITS.dnsTimeoutMs,
  });
  return async (url) => {
    const verdict = guard.check(url);
    if (!verdict.admit) return guardFailure(verdict.reason);
    try {
      await guard.admitByProxy(unbracketHost(verdict.url.hostname), portOf(verdict.url));
      return null;
    } catch (error) {
      return networkFailure(error);
    }
  };
}
