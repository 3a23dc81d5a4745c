// The links of one document: absolute, of schemes that may be followed, each target once, no more than MAX_LINKS.

import type { Link } from '../../model/document.ts';
import { cleanLine } from '../decode/clean-text.ts';
import { MAX_LINKS } from '../extractor.ts';

export interface LinkList {
  readonly links: readonly Link[];
  readonly dropped: number;
}

export function linkList(found: Iterable<{ readonly target: string; readonly text: string }>, base: string): LinkList {
  const links = new Map<string, Link>();
  const beyond = new Set<string>();
  for (const { target, text } of found) {
    const href = followable(target, base);
    if (href === null || links.has(href)) continue;
    if (links.size < MAX_LINKS) links.set(href, { href, text: cleanLine(text), rel: [], inContent: true });
    else beyond.add(href);
  }
  return { links: [...links.values()], dropped: beyond.size };
}

/** http and https only, and file for the pages of a folder; a fragment alone leads nowhere new. */
function followable(target: string, base: string): string | null {
  if (target === '' || target.startsWith('#')) return null;
  const url = URL.parse(target.replaceAll('&amp;', '&'), base);
  if (url === null) return null;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb || (url.protocol === 'file:' && base.startsWith('file:')) ? url.href : null;
}
