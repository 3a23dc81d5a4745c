// Collects the links of a page, each once, with what the crawl needs: whether they are in the content, and their rel.

import type { Link } from '../../../model/document.ts';
import type { ElementNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { elementText } from '../write/element-text.ts';

interface MutableLink {
  href: string;
  text: string;
  rel: readonly string[];
  inContent: boolean;
}

const MAX_TEXT_CHARS = 500;

export function collectLinks(
  anchors: readonly ElementNode[],
  root: ElementNode,
  resolve: (href: string) => string | null,
): readonly Link[] {
  const links = new Map<string, MutableLink>();
  root.flags |= flag.inContent;
  for (const anchor of anchors) {
    const href = resolve(anchor.attributes['href'] ?? '');
    if (href === null) continue;
    const inContent = isInContent(anchor);
    const existing = links.get(href);
    if (existing !== undefined) merge(existing, anchor, inContent);
    else links.set(href, { href, text: textOf(anchor), rel: relWords(anchor), inContent });
  }
  return [...links.values()];
}

function textOf(anchor: ElementNode): string {
  return elementText(anchor).slice(0, MAX_TEXT_CHARS);
}

/** Merges a repeated link: it may be followed if any occurrence allows it. */
function merge(link: MutableLink, anchor: ElementNode, inContent: boolean): void {
  if (link.text === '') link.text = textOf(anchor);
  if (link.rel.length > 0) {
    const rel = relWords(anchor);
    link.rel = link.rel.filter((word) => rel.includes(word));
  }
  link.inContent ||= inContent;
}

function relWords(anchor: ElementNode): readonly string[] {
  const rel = anchor.attributes['rel'];
  return rel === undefined
    ? []
    : rel
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
}

const CONTENT_CHECKED = flag.inContent | flag.outsideContent;

/** The result is cached on every ancestor, so that all anchors together cost one walk. */
function isInContent(node: ElementNode): boolean {
  const path: ElementNode[] = [];
  let at: ElementNode | null = node;
  while (at !== null && (at.flags & CONTENT_CHECKED) === 0) {
    path.push(at);
    at = at.parent;
  }
  let inside = at !== null && (at.flags & flag.inContent) !== 0;
  for (const step of path.toReversed()) {
    inside = inside && (step.flags & NOT_WRITTEN) === 0;
    step.flags |= inside ? flag.inContent : flag.outsideContent;
  }
  return inside;
}
