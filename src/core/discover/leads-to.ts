// Which URLs the text of a page leads to. Navigation is left out: it leads everywhere, and says nothing of the page.

import type { Document } from '../model/document.ts';
import { pageUrlReader, urlKey, type PageUrl, type UrlKey } from '../model/page-url.ts';

const MOST_LINKS = 500;

export function leadsTo({ url: own, links }: Pick<Document, 'url' | 'links'>): readonly UrlKey[] {
  const read = pageUrlReader(own);
  const urls = new Set<PageUrl>();
  for (const { href, inContent } of links) {
    const url = inContent ? read(href) : null;
    if (url !== null && url !== own) urls.add(url);
    if (urls.size >= MOST_LINKS) break;
  }
  return [...urls].map(urlKey);
}
