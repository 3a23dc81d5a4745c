// Which URLs may be the same page: with or without a final slash, with or without the index file, over http or https.
// The same key makes two URLs candidates only; it is their content that proves them one page.

import type { PageUrl } from '../model/page-url.ts';

const INDEX_FILE = /\/(?:index|default)\.(?:html?|xhtml|php|aspx?|md)$/i;

export function aliasKey(url: PageUrl): string {
  const { protocol, host, pathname, search } = new URL(url);
  const folder = pathname.replace(INDEX_FILE, '/').replace(/\/{2,}/g, '/');
  const path = folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return `${protocol === 'file:' ? 'file:' : ''}//${host}${path}${search}`;
}
