// HTML to a document: parse, measure, choose the content, write it as Markdown. Isomorphic and linear in the page's size.

import type { Document } from '../../model/document.ts';
import type { PageUrl } from '../../model/page-url.ts';
import { writeBlocks } from './write/blocks.ts';
import { contentRoot, type ContentRoot } from './select/content-root.ts';
import { trimEdges } from './select/trim-pagers.ts';
import type { ElementNode } from './parse/html-node.ts';
import { measure } from './select/measure.ts';
import { flag } from './parse/node-flags.ts';
import { baseHref, pageFacts, type PageFacts } from './facts/page-metadata.ts';
import { pageLinks } from './facts/collect-links.ts';
import { pageTitle } from './page-title.ts';
import { parseTree } from './parse/parse-tree.ts';
import { hrefResolver } from './write/resolve-href.ts';
import { titleOutside } from './facts/page-title.ts';
import type { Definition } from './write/write-context.ts';

export interface HtmlExtraction extends Document, PageFacts {
  /** Terms with anchors: signatures, glossary entries. */
  readonly definitions: readonly Definition[];
  readonly contentRootBecause: ContentRoot['because'];
  /** Characters of text in the content, without marks and white space around it. */
  readonly contentTextLength: number;
  /** Characters of visible text in the whole page, chrome included. */
  readonly visibleTextLength: number;
  /** Links beyond the cap of a page, counted and not kept. */
  readonly linksDropped: number;
}

/** Part of the key under which extracted documents are kept; grows with every change of what is written. */
export const HTML_EXTRACTOR_VERSION = 2;

export function extractHtml(input: { readonly url: PageUrl; readonly html: string }): HtmlExtraction {
  const tree = parseTree(input.html);
  const resolve = hrefResolver(input.url, baseHref(tree));
  const facts = pageFacts(tree, resolve);
  const visibleTextLength = measureContent(tree.body);
  const root = contentRoot(tree.body);
  trimEdges(root.node);
  const title = titleOutside(root.node, tree.body, facts.headTitle);
  const nodes = title === null ? [root.node] : [title, root.node];
  const { lines, outline, definitions } = writeBlocks(nodes, root.node, resolve);
  return {
    url: input.url,
    format: 'markdown',
    title: pageTitle(facts.headTitle, outline, input.url),
    codeLanguage: null,
    text: lines.toString(),
    outline,
    links: pageLinks(tree.anchors, root.node, resolve),
    ...facts,
    definitions,
    contentRootBecause: root.because,
    contentTextLength: root.node.textLength,
    visibleTextLength,
    linksDropped: tree.anchorsDropped,
  };
}

/** A page whose content is all chrome, by every sign we know, is a page of links: then chrome is its content. */
const LEAST_CONTENT_TEXT = 30;
const CHROME_SHARE = 10;

function measureContent(body: ElementNode): number {
  const visible = measure(body);
  const saysNothing = body.textLength < LEAST_CONTENT_TEXT && (body.flags & flag.hasHeading) === 0;
  if (saysNothing && visible > body.textLength * CHROME_SHARE) measure(body, { keepChrome: true });
  return visible;
}
