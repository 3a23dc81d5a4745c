// HTML pages: the tree and its Markdown are made in html/, the facts for the verdict by a pass over the raw markup.

import { MAX_LINKS, type Extractor } from './extractor.ts';
import { extractHtml } from './html/extract-html.ts';
import { markupFacts } from './html-facts.ts';
import { pageText } from './page-text.ts';

export const html: Extractor = {
  name: 'html',
  version: 1,
  mediaTypes: ['text/html', 'application/xhtml+xml'],
  extensions: ['html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp'],

  extract(page) {
    const source = pageText(page);
    const { facts: _, ...document } = extractHtml({ url: page.url, html: source });
    const markup = markupFacts(source);
    const links = document.links.slice(0, MAX_LINKS);
    return {
      document: { ...document, links },
      facts: {
        linksDropped: document.links.length - links.length,
        notes: [],
        robotsMeta: markup.robotsMeta,
        html: markup.html,
      },
    };
  },
};
