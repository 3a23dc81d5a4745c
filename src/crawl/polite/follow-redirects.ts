// Follows redirects to their end. The one place that does: pages, robots.txt, sitemaps and previews all come here. Each hop is
// judged by the rules for every redirect, by those of whoever asks, and by the address guard when it is asked.

import { redirectVerdict, type RedirectVerdict } from '../../core/url/redirect-verdict.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { FetchOutcome } from '../../fetch/port.ts';

export type FinalOutcome = Exclude<FetchOutcome, { readonly kind: 'redirected' }>;

export interface Following {
  readonly ask: (url: PageUrl) => Promise<FetchOutcome>;
  readonly maxRedirects: number;
  /** Why whoever asks does not want this hop; null where it may be taken. */
  readonly refuses?: (hop: { readonly from: PageUrl; readonly to: PageUrl }) => Promise<string | null>;
}

export interface Followed {
  /** Where the chain ended, or the target that was not asked. */
  readonly url: PageUrl;
  readonly end:
    | { readonly kind: 'answered'; readonly outcome: FinalOutcome }
    | { readonly kind: 'refused'; readonly rule: string }
    | { readonly kind: 'broken'; readonly verdict: Extract<RedirectVerdict, { follow: false }> };
}

/** `first` is what `start` answered. */
export async function followRedirects(start: PageUrl, first: FetchOutcome, following: Following): Promise<Followed> {
  const { ask, maxRedirects, refuses } = following;
  const seen = new Set<PageUrl>([start]);
  let url = start;
  let outcome = first;
  while (outcome.kind === 'redirected') {
    const verdict = redirectVerdict(url, outcome.to, { seen, maxRedirects });
    if (!verdict.follow) return { url, end: { kind: 'broken', verdict } };
    const rule = (await refuses?.({ from: url, to: verdict.to })) ?? null;
    if (rule !== null) return { url: verdict.to, end: { kind: 'refused', rule } };
    url = verdict.to;
    seen.add(url);
    outcome = await ask(url);
  }
  return { url, end: { kind: 'answered', outcome } };
}

export async function askFollowing(start: PageUrl, following: Following): Promise<Followed> {
  return followRedirects(start, await following.ask(start), following);
}
