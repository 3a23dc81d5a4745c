// Writes a heading and adds it to the outline, with its anchor on the page.

import { decodePercent } from '../../../model/decode-percent.ts';
import { find, type ElementNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import { elementText } from './element-text.ts';
import { inlineMarkdown } from './inline.ts';
import type { WriteContext } from './write-context.ts';

export function writeHeading(node: ElementNode, context: WriteContext): void {
  const level = Number(node.tag[1]);
  const since = detachSince(node);
  const markdown = inlineMarkdown(node.children, { resolve: context.resolve, links: false, buttons: true })
    .replaceAll('\n', ' ')
    .trim();
  if (markdown === '') return;
  context.lines.gap();
  context.outline.push({
    level,
    text: elementText(node),
    anchor: headingAnchor(node),
    line: context.lines.count() + 1,
  });
  context.lines.write(`${'#'.repeat(level)} ${escapeClosingMarkers(markdown)}`);
  context.lines.gap();
  if (since !== null) context.paragraph(since.children);
}

/** Some headings include a "since" version; it is written below, so that the heading is only the title. */
function detachSince(heading: ElementNode): ElementNode | null {
  const since = find(heading, (child) => SINCE_CLASS.test(child.attributes['class'] ?? ''));
  if (since === null || since.textLength === heading.textLength) return null;
  since.flags |= flag.permalink;
  return since;
}

const SINCE_CLASS = /(?:^|[\s-])since(?:\s|$)/;

/** Escapes a trailing run of `#`, which would be parsed as the closing sequence of the heading: `C #`. */
function escapeClosingMarkers(markdown: string): string {
  return /(?:^| )#+$/.test(markdown) ? markdown.replace(/#+$/, (marks) => `\\${marks}`) : markdown;
}

export function headingAnchor(node: ElementNode): string | null {
  return ownAnchor(node) ?? permalinkAnchor(node) ?? innerAnchor(node) ?? sectionAnchor(node) ?? previousAnchor(node);
}

function ownAnchor(node: ElementNode): string | null {
  return node.attributes['id'] || (node.tag === 'a' && node.attributes['name']) || null;
}

/** The permalink of a heading links to the heading itself. */
function permalinkAnchor(node: ElementNode): string | null {
  const link = find(node, (child) => child.tag === 'a' && isPermalink(child));
  const target = link?.attributes['href']?.slice(1);
  return target === undefined || target === '' ? null : decodePercent(target);
}

function isPermalink(link: ElementNode): boolean {
  return (link.attributes['href'] ?? '').startsWith('#') && link.textLength <= 2;
}

function innerAnchor(node: ElementNode): string | null {
  const inner = find(node, (child) => ownAnchor(child) !== null && (child.tag === 'a' || child.tag === 'span'));
  return inner === null ? null : ownAnchor(inner);
}

/** The first heading of a section may use the section's id. */
function sectionAnchor(node: ElementNode): string | null {
  const { parent } = node;
  if (parent === null || (parent.tag !== 'section' && parent.tag !== 'div' && parent.tag !== 'article')) return null;
  const first = parent.children.find((child) => child.kind === 'element' && child.tag !== 'span' && child.tag !== 'a');
  return first === node ? ownAnchor(parent) : null;
}

/** A bare anchor directly before the heading. */
function previousAnchor(node: ElementNode): string | null {
  const siblings = node.parent?.children ?? [];
  for (let at = node.childIndex - 1; at >= 0; at -= 1) {
    const before = siblings[at];
    if (before === undefined || (before.kind === 'text' && before.text.trim() !== '')) return null;
    if (before.kind === 'text') continue;
    const isEmptyAnchor = (before.tag === 'a' || before.tag === 'span') && before.textLength === 0;
    return isEmptyAnchor ? ownAnchor(before) : anchorInParagraph(before);
  }
  return null;
}

function anchorInParagraph(node: ElementNode): string | null {
  if (node.tag !== 'p' || node.textLength > 0) return null;
  const anchor = find(node, (child) => child.tag === 'a' && ownAnchor(child) !== null);
  return anchor === null ? null : ownAnchor(anchor);
}
