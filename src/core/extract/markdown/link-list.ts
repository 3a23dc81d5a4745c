// The links of one document: absolute, with schemes that may be followed, each target once, at most MAX_LINKS.

import type { Link } from '../../model/document.ts';
import { cleanLine } from '../decode/clean-text.ts';
import { MAX_LINKS } from '../extractor.ts';

export interface LinkList {
  readonly links: readonly Link[];
  readonly dropped: number;
}

export function buildLinkList(
  candidates: Iterable<{ readonly target: string; readonly text: string }>,
  base: string,
): LinkList {
  const links = new Map<string, Link>();
  const overflow = new Set<string>();
  for (const { target, text } of candidates) {
    const href = followableUrl(target, base);
    if (href === null || links.has(href)) continue;
    if (links.size < MAX_LINKS) links.set(href, { href, text: cleanLine(text), rel: [], inContent: true });
    else overflow.add(href);
  }
  return { links: [...links.values()], dropped: overflow.size };
}

/** http and https, and file for pages of a folder. A bare fragment stays on the page and is ignored. */
function followableUrl(target: string, base: string): string | null {
  if (target === '' || target.startsWith('#')) return null;
  const url = URL.parse(target.replaceAll('&amp;', '&'), base);
  if (url === null) return null;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb || (url.protocol === 'file:' && base.startsWith('file:')) ? url.href : null;
}
