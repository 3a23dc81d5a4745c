// Writes a heading and adds it to the outline, with its anchor on the page.

import { decodePercent } from '../../../text/decode-percent.ts';
import { ID_WORDS } from '../parse/class-words.table.ts';
import { find, type ElementNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import { elementText, hasWords } from './element-text.ts';
import { headingSymbol } from './heading-symbol.ts';
import { inlineMarkdown } from './inline.ts';
import { shortName } from './term-names.ts';
import type { WriteContext } from './write-context.ts';

export function writeHeading(node: ElementNode, context: WriteContext): void {
  const level = Number(node.tag[1]);
  const since = detachSince(node);
  dropCopyButton(node);
  dropPermalinkMark(node);
  const markdown = inlineMarkdown(node.children, { resolve: context.resolve, links: false, buttons: true })
    .replaceAll('\n', ' ')
    .trim();
  if (markdown === '') return;
  context.lines.gap();
  const owner = context.outline.owner(level);
  const defined = headingSymbol(node, owner);
  const text = defined?.isMember === true ? shortName(defined.symbol, owner) : elementText(node);
  const line = context.lines.count() + 1;
  context.outline.heading({ level, text, anchor: headingAnchor(node), line }, defined?.symbol ?? null);
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

/** The title of rustdoc has a button with a text. */
function dropCopyButton(heading: ElementNode): void {
  const button = heading.tag === 'h1' ? find(heading, ({ attributes }) => attributes['id'] === 'copy-path') : null;
  if (button !== null) button.flags |= flag.permalink;
}

/** A `#` or `¶` that links to the heading is not part of its text, whatever its class. */
function dropPermalinkMark(heading: ElementNode): void {
  const mark = find(heading, (child) => child.tag === 'a' && isPermalink(child) && !hasWords(elementText(child)));
  if (mark !== null) mark.flags |= flag.permalink;
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

const SECTION_TAGS = new Set(['section', 'div', 'article']);
/** DocBook wraps a heading three times. */
const MAX_STEPS_UP = 4;

/** The first heading of a section may use the section's id. */
function sectionAnchor(node: ElementNode): string | null {
  let at = node;
  for (let step = 0; step < MAX_STEPS_UP; step += 1) {
    const { parent } = at;
    if (parent === null || !SECTION_TAGS.has(parent.tag) || !beginsParent(at, parent)) return null;
    const anchor = ownAnchor(parent);
    // The id of the whole content leads to the top of the page.
    if (anchor !== null) return node.tag === 'h1' && isContentId(anchor) ? null : anchor;
    at = parent;
  }
  return null;
}

function isContentId(id: string): boolean {
  return ((ID_WORDS.get(id.toLowerCase()) ?? 0) & flag.contentRoot) !== 0;
}

/** A version and a link to the source may stand before a heading. */
const MAX_LABEL_CHARS = 40;

function beginsParent(node: ElementNode, { children }: ElementNode): boolean {
  for (let at = node.childIndex - 1; at >= 0; at -= 1) {
    const before = children[at];
    if (before?.kind === 'text' ? before.text.trim() !== '' : before !== undefined && !isLabel(before)) return false;
  }
  return true;
}

function isLabel({ tag, flags, textLength }: ElementNode): boolean {
  if (tag === 'span' || tag === 'a') return true;
  return tag === 'div' && (flags & flag.hasHeading) === 0 && textLength <= MAX_LABEL_CHARS;
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
