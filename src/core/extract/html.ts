// HTML pages: html/ makes the document and most facts; the signs of a page that is no document are looked for here.

import type { Document } from '../model/document.ts';
import type { Extractor } from './extractor.ts';
import { extractHtml, HTML_EXTRACTOR_VERSION, type HtmlExtraction } from './html/extract-html.ts';
import { htmlSigns, NO_SIGNS } from './html/facts/thin-page-signals.ts';
import { pageText } from './page-text.ts';

/** A page with more text than this is a document, whatever its markup carries. */
const SIGNS_BELOW_TEXT = 4000;

export const html: Extractor = {
  name: 'html',
  version: HTML_EXTRACTOR_VERSION,
  mediaTypes: ['text/html', 'application/xhtml+xml'],
  extensions: ['html', 'htm', 'xhtml', 'shtml'],

  extract(page) {
    const source = pageText(page);
    const read = extractHtml({ url: page.url, html: source });
    return {
      document: documentOf(read),
      facts: {
        linksDropped: read.linksDropped,
        notes: [],
        robotsMeta: read.metaRobots,
        html: {
          visibleTextLength: read.visibleTextLength,
          noscriptText: read.noscriptText,
          scripts: read.scriptCount,
          hasPasswordField: read.hasPasswordInput,
          refresh: read.metaRefresh,
          generator: read.generator,
          markdownAlternate: read.markdownAlternate,
          signs: read.visibleTextLength < SIGNS_BELOW_TEXT ? htmlSigns(source) : NO_SIGNS,
        },
      },
    };
  },
};

/** Only the fields of a document, so that what crosses threads and is stored stays what the model says. */
function documentOf(read: HtmlExtraction): Document {
  const { url, format, title, description, language, codeLanguage, canonical, text, outline, links } = read;
  return { url, format, title, description, language, codeLanguage, canonical, text, outline, links };
}
