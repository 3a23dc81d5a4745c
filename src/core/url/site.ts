// Whose site a URL belongs to. Below a public suffix such as github.io every name has another owner; IP addresses and
// bare names are their own site.

import { getDomain } from 'tldts';
import type { PageUrl } from '../model/page-url.ts';

/** The registrable domain; host and port if there is none. */
export function siteOf(url: PageUrl): string {
  const { host, hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}
