// Collects the links of a page, each once, with what the crawl needs: whether they are in the content, and their rel.

import { isMalformedUrl } from '../../../model/page-url.ts';
import type { Link } from '../../../model/document.ts';
import type { ElementNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { elementText } from '../write/element-text.ts';

interface MutableLink {
  href: string;
  text: string;
  rel: readonly string[];
  inContent: boolean;
  level?: number;
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
    const stated = anchor.attributes['href'] ?? '';
    // A malformed one is kept as it is, so that a crawl can report it.
    const href = resolve(stated) ?? (isMalformedUrl(stated) ? stated : null);
    if (href === null) continue;
    const inContent = isInContent(anchor);
    const existing = links.get(href);
    const level = inContent ? null : navigationLevel(anchor);
    if (existing !== undefined) merge(existing, anchor, { inContent, level });
    else
      links.set(href, {
        href,
        text: textOf(anchor),
        rel: relWords(anchor),
        inContent,
        ...(level !== null && { level }),
      });
  }
  return [...links.values()];
}

function textOf(anchor: ElementNode): string {
  return elementText(anchor).slice(0, MAX_TEXT_CHARS);
}

/** Merges a repeated link: it may be followed if any occurrence allows it. */
function merge(
  link: MutableLink,
  anchor: ElementNode,
  { inContent, level }: { readonly inContent: boolean; readonly level: number | null },
): void {
  if (level !== null) link.level = Math.min(level, link.level ?? level);
  if (link.text === '') link.text = textOf(anchor);
  if (link.rel.length > 0) {
    const rel = relWords(anchor);
    link.rel = link.rel.filter((word) => rel.includes(word));
  }
  link.inContent ||= inContent;
}

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'menu', 'dl']);
/** A link that is nested more deeply is as deep as this. */
const MAX_ANCESTORS = 64;

/** How many lists the link is in; null in a footer, whose links are those of the publisher rather than of the documentation. */
function navigationLevel(anchor: ElementNode): number | null {
  let lists = 0;
  let at: ElementNode | null = anchor.parent;
  for (let steps = 0; at !== null && steps < MAX_ANCESTORS; steps += 1, at = at.parent) {
    if (at.tag === 'footer' || at.attributes['role'] === 'contentinfo') return null;
    if (LISTS.has(at.tag)) lists += 1;
  }
  return Math.max(1, lists);
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
