// All links of a page, each once, with what the crawl needs to judge them: where they stand and what their rel says.

import type { Link } from '../../../model/document.ts';
import type { ElementNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { plainText } from '../write/element-text.ts';

interface FoundLink {
  href: string;
  text: string;
  rel: readonly string[];
  inContent: boolean;
}

const MAX_TEXT_LENGTH = 500;

export function pageLinks(
  anchors: readonly ElementNode[],
  root: ElementNode,
  resolve: (href: string) => string | null,
): readonly Link[] {
  const links = new Map<string, FoundLink>();
  root.flags |= flag.inContent;
  for (const anchor of anchors) {
    const href = resolve(anchor.attributes['href'] ?? '');
    if (href === null) continue;
    const inContent = isInContent(anchor);
    const before = links.get(href);
    if (before !== undefined) merge(before, anchor, inContent);
    else links.set(href, { href, text: textOf(anchor), rel: relWords(anchor), inContent });
  }
  return [...links.values()];
}

function textOf(anchor: ElementNode): string {
  return plainText(anchor).slice(0, MAX_TEXT_LENGTH);
}

/** One place that lets a link be followed is enough. */
function merge(link: FoundLink, anchor: ElementNode, inContent: boolean): void {
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

const ANSWERED = flag.inContent | flag.offContent;

/** Every ancestor on the way keeps the answer, so that all anchors together cost one walk. */
function isInContent(node: ElementNode): boolean {
  const path: ElementNode[] = [];
  let at: ElementNode | null = node;
  while (at !== null && (at.flags & ANSWERED) === 0) {
    path.push(at);
    at = at.parent;
  }
  let inside = at !== null && (at.flags & flag.inContent) !== 0;
  for (const step of path.toReversed()) {
    inside = inside && (step.flags & NOT_WRITTEN) === 0;
    step.flags |= inside ? flag.inContent : flag.offContent;
  }
  return inside;
}
