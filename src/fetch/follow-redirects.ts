// Follows redirects to their end. The only place that does: pages, robots.txt, sitemaps and previews all use it. Each
// hop is checked by the general redirect rules, by the caller's rules, and by the address guard when it is fetched.

import { redirectVerdict, type RedirectVerdict } from '../core/url/redirect-verdict.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { FetchOutcome } from './port.ts';

export type FinalOutcome = Exclude<FetchOutcome, { readonly kind: 'redirected' }>;

export interface RedirectOptions {
  readonly request: (url: PageUrl) => Promise<FetchOutcome>;
  readonly maxRedirects: number;
  /** Why the caller excludes this hop; null if it may be followed. */
  readonly hopExclusion?: (hop: { readonly from: PageUrl; readonly to: PageUrl }) => Promise<string | null>;
}

export interface FollowedRequest {
  /** Where the chain ended, or the target that was not fetched. */
  readonly url: PageUrl;
  readonly end:
    | { readonly kind: 'response'; readonly outcome: FinalOutcome }
    | { readonly kind: 'excluded'; readonly rule: string }
    | { readonly kind: 'broken'; readonly verdict: Extract<RedirectVerdict, { follow: false }> };
}

/** `first` is the response of `start`. */
export async function followRedirects(
  start: PageUrl,
  first: FetchOutcome,
  options: RedirectOptions,
): Promise<FollowedRequest> {
  const { request, maxRedirects, hopExclusion } = options;
  const seen = new Set<PageUrl>([start]);
  let url = start;
  let outcome = first;
  while (outcome.kind === 'redirected') {
    const verdict = redirectVerdict(url, outcome.to, { seen, maxRedirects });
    if (!verdict.follow) return { url, end: { kind: 'broken', verdict } };
    const rule = (await hopExclusion?.({ from: url, to: verdict.to })) ?? null;
    if (rule !== null) return { url: verdict.to, end: { kind: 'excluded', rule } };
    url = verdict.to;
    seen.add(url);
    outcome = await request(url);
  }
  return { url, end: { kind: 'response', outcome } };
}

export async function fetchFollowingRedirects(start: PageUrl, options: RedirectOptions): Promise<FollowedRequest> {
  return followRedirects(start, await options.request(start), options);
}
