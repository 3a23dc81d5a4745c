// The links of a whole page, as its text shows them.

import { inlineLinks } from './inline-links.ts';

/** A page that lists a whole site is cut here. */
const MAX_LINKS = 500;

export interface PageLink {
  readonly url: string;
  readonly text: string;
}

/** Each target once, without its fragment, in document order. Links of the page to itself are left out. */
export function pageLinks(text: string, base: string): PageLink[] {
  const links = new Map<string, string>();
  for (const line of text.split('\n')) {
    for (const { target, text: label } of inlineLinks(line)) {
      const url = URL.canParse(target, base) ? new URL(target, base) : null;
      if (url === null || !/^(?:https?|file):$/.test(url.protocol)) continue;
      url.hash = '';
      if (url.href !== base && !links.has(url.href)) links.set(url.href, label);
      if (links.size >= MAX_LINKS) return entriesOf(links);
    }
  }
  return entriesOf(links);
}

function entriesOf(links: ReadonlyMap<string, string>): PageLink[] {
  return [...links].map(([url, text]) => ({ url, text }));
}
