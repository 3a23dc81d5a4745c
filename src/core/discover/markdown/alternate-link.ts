// The Markdown that a page names itself: `<link rel="alternate" type="text/markdown" href="…">` in its head, or the same as an HTTP header.

import { Parser } from 'htmlparser2';
import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { headerLinks } from '../link-header.ts';

/** A head is longer only in error. */
const MAX_HEAD_CHARS = 262_144;

/** Null unless it is on the origin of the page: an alternate elsewhere is not the site's own word. */
export function alternateMarkdown(page: PageUrl, html: string, linkHeader = ''): PageUrl | null {
  const href = headerTarget(linkHeader) ?? headTarget(html.slice(0, MAX_HEAD_CHARS));
  const url = href === null ? null : parsePageUrl(href, page);
  return url !== null && url !== page && new URL(url).origin === new URL(page).origin ? url : null;
}

function isMarkdownAlternate(rel: string, type: string): boolean {
  return rel.toLowerCase().split(/\s+/).includes('alternate') && /^text\/(?:x-)?markdown\b/i.test(type.trim());
}

function headTarget(html: string): string | null {
  let found: string | null = null;
  const parser = new Parser({
    onopentag(name, { rel = '', type = '', href }) {
      if (name === 'body') parser.pause();
      else if (name === 'link' && href !== undefined && isMarkdownAlternate(rel, type)) {
        found = href;
        parser.pause();
      }
    },
  });
  parser.write(html);
  return found;
}

function headerTarget(header: string): string | null {
  return headerLinks(header).find(({ rels, type }) => isMarkdownAlternate(rels.join(' '), type))?.target ?? null;
}
