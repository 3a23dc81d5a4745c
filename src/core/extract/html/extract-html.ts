// The HTML extractor: parses a page, measures it, chooses the content and writes it as Markdown. Isomorphic and linear in
// the size of the page.

import { isFileUrl } from '../../files/file-url.ts';
import type { Document, SourceLineEntry } from '../../model/document.ts';
import type { PageUrl } from '../../model/page-url.ts';
import { decodePage } from '../decode/charset.ts';
import type { Extractor } from '../extractor.ts';
import { collectLinks } from './metadata/collect-links.ts';
import { baseHref, readPageMetadata, type HtmlPageMetadata } from './metadata/page-metadata.ts';
import { hoistTitle, pageTitle } from './metadata/page-title.ts';
import { NO_SIGNALS, thinPageSignals } from './metadata/thin-page-signals.ts';
import type { ElementNode } from './parse/html-node.ts';
import { flag } from './parse/node-flags.ts';
import { parseTree } from './parse/parse-tree.ts';
import { chooseContentRoot, type ContentRoot } from './select/content-root.ts';
import { measure } from './select/measure.ts';
import { trimPagers } from './select/trim-pagers.ts';
import { writeBlocks } from './write/blocks.ts';
import { createHrefResolver } from './write/resolve-href.ts';
import { lineOrigins } from './write/write-context.ts';

export interface HtmlExtraction extends Document, HtmlPageMetadata {
  readonly contentRootBecause: ContentRoot['reason'];
  /** Characters of text in the content, without markup and surrounding white space. */
  readonly contentTextLength: number;
  /** Characters of visible text on the whole page, including chrome. */
  readonly visibleTextLength: number;
  /** Links over the limit of a page, counted and dropped. */
  readonly linksDropped: number;
  /** Empty for a page of the web. */
  readonly lineOrigins: readonly SourceLineEntry[];
}

/** Part of the pipeline version of stored documents; incremented with every change of the output. */
export const HTML_EXTRACTOR_VERSION = 5;

export function extractHtml(input: { readonly url: PageUrl; readonly html: string }): HtmlExtraction {
  const tree = parseTree(input.html);
  const resolve = createHrefResolver(input.url, baseHref(tree));
  const metadata = readPageMetadata(tree, resolve);
  const visibleTextLength = measureContent(tree.body);
  const root = chooseContentRoot(tree.body);
  trimPagers(root.node);
  const title = hoistTitle(root.node, tree.body, metadata.headTitle);
  const nodes = title === null ? [root.node] : [title, root.node];
  const { lines, outline } = writeBlocks(nodes, root.node, resolve);
  return {
    url: input.url,
    format: 'markdown',
    title: pageTitle(metadata.headTitle, outline, input.url),
    codeLanguage: null,
    text: lines.toString(),
    outline,
    links: collectLinks(tree.anchors, root.node, resolve),
    ...metadata,
    contentRootBecause: root.reason,
    contentTextLength: root.node.textLength,
    visibleTextLength,
    linksDropped: tree.anchorsDropped,
    lineOrigins: isFileUrl(input.url) ? lineOrigins(tree.html, lines.origins()) : [],
  };
}

/** If everything on a page looks like chrome, it is a page of links, and the chrome is its content. */
const MIN_CONTENT_CHARS = 30;
const MIN_CHROME_FACTOR = 10;

function measureContent(body: ElementNode): number {
  const visible = measure(body);
  const isNearlyEmpty = body.textLength < MIN_CONTENT_CHARS && (body.flags & flag.hasHeading) === 0;
  if (isNearlyEmpty && visible > body.textLength * MIN_CHROME_FACTOR) measure(body, { keepChrome: true });
  return visible;
}

/** A page with more text is a document, whatever markers its markup has. */
const MAX_THIN_PAGE_CHARS = 4000;

export const html: Extractor = {
  name: 'html',
  version: HTML_EXTRACTOR_VERSION,
  mediaTypes: ['text/html', 'application/xhtml+xml'],
  extensions: ['html', 'htm', 'xhtml', 'shtml'],

  extract(page) {
    const source = decodePage(page);
    const extraction = extractHtml({ url: page.url, html: source });
    return {
      document: documentOf(extraction),
      metadata: {
        linksDropped: extraction.linksDropped,
        notes: [],
        robotsMeta: extraction.metaRobots,
        ...(extraction.declaredVersion !== null && { declaredVersion: extraction.declaredVersion }),
        ...(extraction.lineOrigins.length > 0 && { lineOrigins: extraction.lineOrigins }),
        html: {
          visibleTextLength: extraction.visibleTextLength,
          noscriptText: extraction.noscriptText,
          scripts: extraction.scriptCount,
          hasPasswordField: extraction.hasPasswordInput,
          refresh: extraction.metaRefresh,
          generator: extraction.generator,
          markdownAlternate: extraction.markdownAlternate,
          thinPageSignals: extraction.visibleTextLength < MAX_THIN_PAGE_CHARS ? thinPageSignals(source) : NO_SIGNALS,
        },
      },
    };
  },
};

/** Picks only the fields of a document, so that nothing else crosses threads or is stored. */
function documentOf(extraction: HtmlExtraction): Document {
  const { url, format, title, description, language, codeLanguage, canonical, text, outline, links } = extraction;
  return { url, format, title, description, language, codeLanguage, canonical, text, outline, links };
}
