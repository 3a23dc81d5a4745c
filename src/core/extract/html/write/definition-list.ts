// Writes definition lists. A term with an anchor opens a section of the outline; signatures are lines that link to their
// anchor, with the description below. A list without anchors becomes items that start with their term.

import { find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { elementText } from './element-text.ts';
import { codeSpan, escapeLineStarts } from './escape-markdown.ts';
import { shortName, termNames } from './term-names.ts';
import type { WriteContext } from './write-context.ts';

export function writeDefinitionList(list: ElementNode, context: WriteContext): void {
  for (const child of list.children) if (child.kind === 'text') context.paragraph([child]);
  const groups = groupsOf(partsOf(list));
  const holdsSections = (list.flags & flag.hasHeading) !== 0;
  const isSequence = holdsSections || groups.some(({ terms }) => terms.some(isSignature));
  if (isSequence || (!context.lines.isNested() && groups.some((group) => isDefinition(group, list))))
    for (const group of groups) writeSection(group, { list, isOnly: groups.length === 1 }, context);
  else writeItems(groups, context);
}

/** Terms that share what follows them. */
interface TermGroup {
  readonly terms: readonly ElementNode[];
  readonly descriptions: readonly ElementNode[];
}

interface GroupContext {
  readonly list: ElementNode;
  /** Whether the list has no other group. */
  readonly isOnly: boolean;
}

/** Terms and descriptions in order; a div may group them. */
function partsOf(list: ElementNode): readonly ElementNode[] {
  const parts: ElementNode[] = [];
  for (const child of list.children) {
    if (child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) continue;
    if (child.tag === 'div') parts.push(...partsOf(child));
    else parts.push(child);
  }
  return parts;
}

function groupsOf(parts: readonly ElementNode[]): readonly TermGroup[] {
  const groups: TermGroup[] = [];
  let index = 0;
  while (index < parts.length) {
    const start = index;
    while (parts[index]?.tag === 'dt') index += 1;
    const from = index;
    while (index < parts.length && parts[index]?.tag !== 'dt') index += 1;
    groups.push({ terms: parts.slice(start, from), descriptions: parts.slice(from, index) });
  }
  return groups;
}

function isSignature(part: ElementNode): boolean {
  if (part.tag !== 'dt') return false;
  if ((part.flags & flag.signature) !== 0) return true;
  return anchorOf(part) !== null && ((part.parent?.flags ?? 0) & flag.signature) !== 0;
}

/** A list with more of its text in links is an index. */
const MAX_LINK_SHARE = 1 / 3;

function isDefinition({ terms, descriptions }: TermGroup, list: ElementNode): boolean {
  if (terms.some(isSignature)) return true;
  if (list.linkLength > list.textLength * MAX_LINK_SHARE) return false;
  return descriptions.some(({ textLength }) => textLength > 0) && terms.some((term) => anchorOf(term) !== null);
}

function anchorOf(term: ElementNode): string | null {
  const own = term.attributes['id'];
  if (own !== undefined && own !== '') return own;
  const anchor = find(term, (node) => Boolean(node.attributes['id'] ?? (node.tag === 'a' && node.attributes['name'])));
  return anchor?.attributes['id'] ?? anchor?.attributes['name'] ?? null;
}

function writeSection(group: TermGroup, { list, isOnly }: GroupContext, context: WriteContext): void {
  const isOpen = isDefinition(group, list) && openDefinition(group, context);
  for (const term of group.terms) {
    if ((term.flags & flag.hasHeading) !== 0) context.blocks(term.children);
    else writeTerm(term, context);
  }
  for (const part of group.descriptions) context.blocks(part.tag === 'dd' ? part.children : [part]);
  if (!isOpen) return;
  if (isOnly && continuesBelow(list)) context.outline.closeLater();
  else context.outline.close(context.lines.written());
}

const PARTS_BELOW = new Set(['Parameters', 'Definition', 'Constants', 'Members']);

/** The Linux kernel's generator puts everything but the summary below a list of one term. */
function continuesBelow(list: ElementNode): boolean {
  const next = list.parent?.children
    .slice(list.childIndex + 1, list.childIndex + 3)
    .find(({ kind }) => kind === 'element');
  return next?.kind === 'element' && next.tag === 'p' && PARTS_BELOW.has(elementText(next));
}

/** More names that share one description are rare, and are not listed. */
const MAX_NAMES = 50;

/** Inside a list or a quote no chunk can begin, so its definitions are plain text. */
function openDefinition({ terms }: TermGroup, { lines, outline }: WriteContext): boolean {
  if (lines.isNested() || terms.some((term) => (term.flags & flag.hasHeading) !== 0)) return false;
  const owner = outline.owner();
  const names = terms.flatMap((term) => {
    const anchor = anchorOf(term);
    return anchor === null ? [] : termNames(term, { anchor, owner }).map((symbol) => ({ symbol, anchor }));
  });
  const [first, ...others] = names
    .slice(0, MAX_NAMES)
    .filter(({ symbol }, at) => names.findIndex((name) => name.symbol === symbol) === at);
  if (first === undefined) return false;
  lines.gap();
  const { symbol, anchor } = first;
  return outline.open({ text: shortName(symbol, owner), anchor, line: lines.count() + 1 }, { symbol, others });
}

function writeTerm(term: ElementNode, context: WriteContext): void {
  const text = elementText(term);
  if (text === '') return;
  context.lines.gap();
  if (isSignature(term)) {
    const anchor = anchorOf(term);
    const url = anchor === null ? null : context.resolve(`#${encodeURI(anchor)}`);
    context.lines.write(url === null ? codeSpan(text) : `[${codeSpan(text)}](${url})`);
  } else context.lines.write(escapeLineStarts(formatTerm(context.inline(term.children))));
  context.lines.gap();
}

/** A term that has markup already is not made bold. */
function formatTerm(markdown: string): string {
  return /[`*]|\]\(|\n/.test(markdown) || markdown === '' ? markdown : `**${markdown}**`;
}

function writeItems(groups: readonly TermGroup[], context: WriteContext): void {
  context.lines.gap();
  for (const group of groups) context.lines.withPrefix('- ', '  ', () => writeEntry(group, context));
  context.lines.gap();
}

function writeEntry({ terms, descriptions }: TermGroup, context: WriteContext): void {
  for (const term of terms) {
    const markdown = formatTerm(context.inline(term.children));
    if (markdown !== '') context.lines.write(escapeLineStarts(markdown));
  }
  for (const [index, description] of descriptions.entries()) {
    if (index > 0) context.lines.gap();
    writeDescription(description, context);
  }
}

/** A description that is one paragraph follows its term on the next line. */
function writeDescription(description: ElementNode, context: WriteContext): void {
  const nodes = description.tag === 'dd' ? description.children : [description];
  const only = onlyParagraph(nodes);
  if (only === null) context.blocks(nodes);
  else {
    const text = context.inline(only);
    if (text !== '') context.lines.write(escapeLineStarts(text));
  }
}

function onlyParagraph(nodes: readonly HtmlNode[]): readonly HtmlNode[] | null {
  const full = nodes.filter((node) => node.kind === 'element' || node.text.trim() !== '');
  if (full.every((node) => node.kind === 'text' || (node.flags & flag.hasBlock) === 0)) return nodes;
  const [first] = full;
  return full.length === 1 && first?.kind === 'element' && first.tag === 'p' ? first.children : null;
}
