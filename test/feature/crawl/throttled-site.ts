// Sites with 32 pages, some of which are always throttled.

import { docPage, startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';

export const PAGES = 32;

const paths = Array.from({ length: PAGES - 1 }, (_, i) => `/docs/${i}`);

export type Throttling = 'none' | 'one-429' | 'one-503' | 'all-429';

const throttle =
  (status: number, headers: Readonly<Record<string, string>>): PageResponse =>
  (_, response) =>
    void response.writeHead(status, headers).end();

const page: PageResponse = ({ url = '' }, response) =>
  url.startsWith('/docs/')
    ? void response.setHeader('content-type', 'text/html').end(docPage(url, paths))
    : void response.writeHead(404).end();

/** The page that one of these sites always throttles. */
export const BAD_PAGE = '/docs/4';

export async function startThrottledSite(throttling: Throttling): Promise<DocSite> {
  switch (throttling) {
    case 'none':
      return startDocSite({}, page);
    case 'one-429':
      return startDocSite({ [BAD_PAGE]: throttle(429, {}) }, page);
    case 'one-503':
      return startDocSite({ [BAD_PAGE]: throttle(503, { 'retry-after': '1' }) }, page);
    case 'all-429':
      return startDocSite({ '/robots.txt': throttle(404, {}) }, throttle(429, {}));
  }
}
