// Asks for one of the files that tell where pages are, at its host's pace, following redirects.

import { hostOf, type PageUrl } from '../core/model/page-url.ts';
import type { FetchedPage } from '../fetch/port.ts';
import type { CrawlStages } from './stages.ts';
import { waitFor } from './wait-for.ts';

const MAX_REDIRECTS = 5;

export interface AskedFile extends FetchedPage {
  /** Where it was found after redirects. */
  readonly url: PageUrl;
}

/** Null where there is no such file or it cannot be had: a crawl goes on without it. */
export async function askFile(
  stages: CrawlStages,
  start: PageUrl,
  accept: string,
  signal: AbortSignal,
): Promise<AskedFile | null> {
  let url = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    await waitFor(await stages.store.hosts.reserve(hostOf(url)), signal);
    const outcome = await stages.fetcher.fetch({ url, accept }, signal);
    if (outcome.kind === 'fetched') return { ...outcome, url };
    if (outcome.kind !== 'redirected' || outcome.to === null) return null;
    url = outcome.to;
  }
  return null;
}
