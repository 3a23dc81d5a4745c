// Fetches the files of discovery. A site names them: robots.txt names sitemaps anywhere on the web, and any of them may
// redirect anywhere. So each URL is judged by the robots.txt of its own host before it is requested, and few requests go
// to other sites.

import { robotsAccessVerdict } from '../../core/discover/robots/robots-access.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { siteOf } from '../../core/url/site.ts';
import {
  type DiscoveryFileOutcome,
  type DiscoveryRequest,
  fetchDiscoveryFileOutcome,
  type PoliteFetch,
  type RequestExclusion,
} from '../politeness/polite-fetch.ts';
import type { RobotsCache } from '../politeness/robots-cache.ts';

export interface DiscoveryFetch {
  readonly exclusionOf: RequestExclusion;
  readonly fetchFile: (url: PageUrl, options: DiscoveryRequest) => Promise<DiscoveryFileOutcome>;
}

export interface DiscoveryFetchDeps {
  readonly robots: RobotsCache;
  readonly run: RunId;
  readonly politeFetch: PoliteFetch;
  /** The URLs that the user named: the start, and a URL of llms.txt. */
  readonly named: readonly PageUrl[];
}

/** Some sites keep their sitemaps at a storage service, and some redirect to their host for documentation. */
const MAX_OTHER_SITE_REQUESTS = 5;

export function createDiscoveryFetch(deps: DiscoveryFetchDeps, signal: AbortSignal): DiscoveryFetch {
  const { robots, run, politeFetch, named } = deps;
  const sites = new Set(named.map(siteOf));
  let otherSiteRequests = 0;

  async function exclusionOf(url: PageUrl): Promise<string | null> {
    if (!sites.has(siteOf(url))) {
      // Counted before its robots.txt is requested, which is a request to another site as well.
      if (otherSiteRequests === MAX_OTHER_SITE_REQUESTS) return OTHER_SITE;
      otherSiteRequests += 1;
    }
    const access = await robots.accessFor(url, run, signal);
    // The guard's rule says more than an unread robots.txt.
    if ('blockedBy' in access && access.blockedBy !== undefined) return `fetch.blocked-address: ${access.blockedBy}`;
    const verdict = robotsAccessVerdict(access, url);
    return verdict.allowed ? null : verdict.reason;
  }

  return {
    exclusionOf,
    fetchFile: (url, options) => fetchDiscoveryFileOutcome(politeFetch, url, options, exclusionOf),
  };
}

export const OTHER_SITE = `it is on another site, and ${MAX_OTHER_SITE_REQUESTS} files of other sites were requested already`;
