// All links of a page, each once, with what the crawl needs to judge them: where they stand and what their rel says.

import type { Link } from '../../model/document.ts';
import type { ElementNode } from './html-node.ts';
import { NOT_WRITTEN } from './node-flags.ts';
import { plainText } from './plain-text.ts';

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
  const places = new Map<ElementNode, boolean>([[root, true]]);
  for (const anchor of anchors) {
    const href = resolve(anchor.attributes['href'] ?? '');
    if (href === null) continue;
    const found: FoundLink = {
      href,
      text: plainText(anchor).slice(0, MAX_TEXT_LENGTH),
      rel: relWords(anchor),
      inContent: isInContent(anchor, places),
    };
    const before = links.get(href);
    if (before === undefined) links.set(href, found);
    else merge(before, found);
  }
  return [...links.values()];
}

/** One place that lets a link be followed is enough. */
function merge(link: FoundLink, other: FoundLink): void {
  if (link.text === '') link.text = other.text;
  link.rel = link.rel.filter((word) => other.rel.includes(word));
  link.inContent ||= other.inContent;
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

/** Remembers the answer for every ancestor on the way, so that all anchors together cost one walk. */
function isInContent(node: ElementNode, places: Map<ElementNode, boolean>): boolean {
  const path: ElementNode[] = [];
  let at: ElementNode | null = node;
  while (at !== null && !places.has(at)) {
    path.push(at);
    at = at.parent;
  }
  let inside = at === null ? false : (places.get(at) ?? false);
  for (const step of path.toReversed()) {
    inside = inside && (step.flags & NOT_WRITTEN) === 0;
    places.set(step, inside);
  }
  return inside;
}
