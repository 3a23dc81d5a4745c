// Writes definition lists. In a list of signatures each signature is a separate line that links to its anchor, with its
// description below. Any other list becomes items that start with their term.

import { find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { elementText } from './element-text.ts';
import { codeSpan, escapeLineStarts } from './escape-markdown.ts';
import type { WriteContext } from './write-context.ts';

export function writeDefinitionList(list: ElementNode, context: WriteContext): void {
  for (const child of list.children) if (child.kind === 'text') context.paragraph([child]);
  const parts = partsOf(list);
  const holdsSections = (list.flags & flag.hasHeading) !== 0;
  if (holdsSections || parts.some(isSignature)) writeSequence(parts, context);
  else writeItems(parts, context);
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

function isSignature(part: ElementNode): boolean {
  if (part.tag !== 'dt') return false;
  if ((part.flags & flag.signature) !== 0) return true;
  return anchorOf(part) !== null && ((part.parent?.flags ?? 0) & flag.signature) !== 0;
}

function anchorOf(term: ElementNode): string | null {
  const own = term.attributes['id'];
  if (own !== undefined && own !== '') return own;
  const anchor = find(term, (node) => Boolean(node.attributes['id'] ?? (node.tag === 'a' && node.attributes['name'])));
  return anchor?.attributes['id'] ?? anchor?.attributes['name'] ?? null;
}

function writeSequence(parts: readonly ElementNode[], context: WriteContext): void {
  for (const part of parts) {
    if (part.tag !== 'dt') context.blocks(part.tag === 'dd' ? part.children : [part]);
    else if ((part.flags & flag.hasHeading) !== 0) context.blocks(part.children);
    else writeTerm(part, context);
  }
}

function writeTerm(term: ElementNode, context: WriteContext): void {
  const text = elementText(term);
  if (text === '') return;
  const anchor = anchorOf(term);
  context.lines.gap();
  if (isSignature(term)) {
    const url = anchor === null ? null : context.resolve(`#${encodeURI(anchor)}`);
    recordDefinition(term, text, anchor, context);
    context.lines.write(url === null ? codeSpan(text) : `[${codeSpan(text)}](${url})`);
  } else {
    recordDefinition(term, text, anchor, context);
    context.lines.write(escapeLineStarts(formatTerm(context.inline(term.children))));
  }
  context.lines.gap();
}

function recordDefinition(term: ElementNode, text: string, anchor: string | null, context: WriteContext): void {
  if (anchor !== null) context.definitions.push({ text, anchor, line: context.lines.count() + 1 });
}

/** A term that has markup already is not made bold. */
function formatTerm(markdown: string): string {
  return /[`*]|\]\(|\n/.test(markdown) || markdown === '' ? markdown : `**${markdown}**`;
}

function writeItems(parts: readonly ElementNode[], context: WriteContext): void {
  context.lines.gap();
  let index = 0;
  while (index < parts.length) {
    const start = index;
    while (parts[index]?.tag === 'dt') index += 1;
    const terms = parts.slice(start, index);
    const from = index;
    while (index < parts.length && parts[index]?.tag !== 'dt') index += 1;
    const descriptions = parts.slice(from, index);
    context.lines.withPrefix('- ', '  ', () => writeEntry(terms, descriptions, context));
  }
  context.lines.gap();
}

function writeEntry(terms: readonly ElementNode[], descriptions: readonly ElementNode[], context: WriteContext): void {
  for (const term of terms) {
    const markdown = formatTerm(context.inline(term.children));
    if (markdown === '') continue;
    recordDefinition(term, elementText(term), anchorOf(term), context);
    context.lines.write(escapeLineStarts(markdown));
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
