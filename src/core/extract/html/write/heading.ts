// Writes a heading and enters it in the outline, with the anchor that leads to it on the page.

import { find, type ElementNode } from '../parse/html-node.ts';
import { inlineMarkdown } from './inline.ts';
import { flag } from '../parse/node-flags.ts';
import { plainText } from './element-text.ts';
import type { Writing } from './write-context.ts';

export function writeHeading(node: ElementNode, writing: Writing): void {
  const level = Number(node.tag[1]);
  const since = takeSince(node);
  const markdown = inlineMarkdown(node.children, { resolve: writing.resolve, links: false, buttons: true })
    .replaceAll('\n', ' ')
    .trim();
  if (markdown === '') return;
  writing.lines.gap();
  writing.outline.push({
    level,
    text: plainText(node),
    anchor: headingAnchor(node),
    line: writing.lines.count() + 1,
  });
  writing.lines.write(`${'#'.repeat(level)} ${closesItself(markdown)}`);
  writing.lines.gap();
  if (since !== null) writing.paragraph(since.children);
}

/** The version that brought an entry stands in its heading on some pages; it is said below, so that the title is the title. */
function takeSince(heading: ElementNode): ElementNode | null {
  const since = find(heading, (child) => SINCE_CLASS.test(child.attributes['class'] ?? ''));
  if (since === null || since.textLength === heading.textLength) return null;
  since.flags |= flag.permalink;
  return since;
}

const SINCE_CLASS = /(?:^|[\s-])since(?:\s|$)/;

/** A trailing run of `#` would be taken for the closing mark of the heading: `C #`. */
function closesItself(markdown: string): string {
  return /(?:^| )#+$/.test(markdown) ? markdown.replace(/#+$/, (marks) => `\\${marks}`) : markdown;
}

export function headingAnchor(node: ElementNode): string | null {
  return ownAnchor(node) ?? permalinkAnchor(node) ?? innerAnchor(node) ?? sectionAnchor(node) ?? previousAnchor(node);
}

function ownAnchor(node: ElementNode): string | null {
  return node.attributes['id'] || (node.tag === 'a' && node.attributes['name']) || null;
}

/** The pilcrow of a heading links to the heading itself. */
function permalinkAnchor(node: ElementNode): string | null {
  const link = find(node, (child) => child.tag === 'a' && isPermalink(child));
  const target = link?.attributes['href']?.slice(1);
  return target === undefined || target === '' ? null : decodeFragment(target);
}

function isPermalink(link: ElementNode): boolean {
  return (link.attributes['href'] ?? '').startsWith('#') && link.textLength <= 2;
}

export function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function innerAnchor(node: ElementNode): string | null {
  const inner = find(node, (child) => ownAnchor(child) !== null && (child.tag === 'a' || child.tag === 'span'));
  return inner === null ? null : ownAnchor(inner);
}

/** The heading that begins a section is reached by the section's id. */
function sectionAnchor(node: ElementNode): string | null {
  const { parent } = node;
  if (parent === null || (parent.tag !== 'section' && parent.tag !== 'div' && parent.tag !== 'article')) return null;
  const first = parent.children.find((child) => child.kind === 'element' && child.tag !== 'span' && child.tag !== 'a');
  return first === node ? ownAnchor(parent) : null;
}

/** A bare anchor directly before the heading. */
function previousAnchor(node: ElementNode): string | null {
  const siblings = node.parent?.children ?? [];
  for (let at = node.place - 1; at >= 0; at -= 1) {
    const before = siblings[at];
    if (before === undefined || (before.kind === 'text' && before.text.trim() !== '')) return null;
    if (before.kind === 'text') continue;
    const isMark = (before.tag === 'a' || before.tag === 'span') && before.textLength === 0;
    return isMark ? ownAnchor(before) : onlyMark(before);
  }
  return null;
}

function onlyMark(node: ElementNode): string | null {
  if (node.tag !== 'p' || node.textLength > 0) return null;
  const mark = find(node, (child) => child.tag === 'a' && ownAnchor(child) !== null);
  return mark === null ? null : ownAnchor(mark);
}
