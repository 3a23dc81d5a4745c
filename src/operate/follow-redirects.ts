// Follows a chain of redirects to its end, each hop at its host's pace. The end gets a claim of its own; a loop or an
// endless chain is a failure of the URL that began it.

import { hostOf, type PageUrl } from '../core/model/page-url.ts';
import type { FetchOutcome } from '../fetch/port.ts';
import type { PageDeps } from './page-deps.ts';
import { waitFor } from './wait-for.ts';

export async function followRedirects(
  from: PageUrl,
  first: Extract<FetchOutcome, { kind: 'redirected' }>,
  { stages, limits }: Pick<PageDeps, 'stages' | 'limits'>,
  signal: AbortSignal,
): Promise<{ to: PageUrl } | { failed: string }> {
  const seen = new Set<PageUrl>([from]);
  let hop: FetchOutcome = first;
  let at = from;
  while (hop.kind === 'redirected') {
    if (hop.to === null) return { failed: 'redirect without a usable target' };
    if (seen.has(hop.to)) return { failed: 'redirect loop' };
    if (seen.size > limits.maxRedirects) return { failed: `more than ${limits.maxRedirects} redirects` };
    at = hop.to;
    seen.add(at);
    await waitFor(await stages.store.hosts.reserve(hostOf(at)), signal);
    hop = await stages.fetcher.fetch({ url: at, cutAtBytes: 1 }, signal);
  }
  return hop.kind === 'failed' && hop.code === 'fetch.blocked-address' ? { failed: hop.code } : { to: at };
}
