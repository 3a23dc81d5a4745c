// Decides whether a redirect may be followed: the rules for every redirect; URL filter and robots.txt are checked in addition.

import type { PageUrl } from '../model/page-url.ts';

export interface RedirectChain {
  /** Every URL of the chain so far, the last one included. */
  readonly seen: ReadonlySet<PageUrl>;
  readonly maxRedirects: number;
}

export type RedirectVerdict =
  | { readonly follow: true; readonly to: PageUrl }
  | {
      readonly follow: false;
      readonly reason: 'no-target' | 'loop' | 'too-many' | 'downgrade';
      readonly rule: string;
    };

export function redirectVerdict(from: PageUrl, to: PageUrl | null, chain: RedirectChain): RedirectVerdict {
  if (to === null) return { follow: false, reason: 'no-target', rule: 'no usable target' };
  if (chain.seen.has(to)) return { follow: false, reason: 'loop', rule: 'it leads back to itself' };
  if (chain.seen.size > chain.maxRedirects) {
    return { follow: false, reason: 'too-many', rule: `more than ${chain.maxRedirects} redirects` };
  }
  // Never downgrade from an encrypted to an unencrypted connection.
  if (from.startsWith('https:') && !to.startsWith('https:')) {
    return { follow: false, reason: 'downgrade', rule: 'from https to http' };
  }
  return { follow: true, to };
}
