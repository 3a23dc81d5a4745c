// Writes definition lists. A list of signatures becomes a sequence: each signature on a line of its own that links to
// its anchor, its description below. Any other list becomes items that begin with their term.

import { codeSpan, escapeLineStarts } from './escape-markdown.ts';
import { find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { plainText } from './element-text.ts';
import type { Writing } from './write-context.ts';

export function writeDefinitionList(list: ElementNode, writing: Writing): void {
  for (const child of list.children) if (child.kind === 'text') writing.paragraph([child]);
  const parts = partsOf(list);
  const holdsSections = (list.flags & flag.hasHeading) !== 0;
  if (holdsSections || parts.some(isSignature)) writeSequence(parts, writing);
  else writeItems(parts, writing);
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
  const mark = find(term, (node) => Boolean(node.attributes['id'] ?? (node.tag === 'a' && node.attributes['name'])));
  return mark?.attributes['id'] ?? mark?.attributes['name'] ?? null;
}

function writeSequence(parts: readonly ElementNode[], writing: Writing): void {
  for (const part of parts) {
    if (part.tag !== 'dt') writing.blocks(part.tag === 'dd' ? part.children : [part]);
    else if ((part.flags & flag.hasHeading) !== 0) writing.blocks(part.children);
    else writeTerm(part, writing);
  }
}

function writeTerm(term: ElementNode, writing: Writing): void {
  const text = plainText(term);
  if (text === '') return;
  const anchor = anchorOf(term);
  writing.lines.gap();
  if (isSignature(term)) {
    const url = anchor === null ? null : writing.resolve(`#${encodeURI(anchor)}`);
    note(term, text, anchor, writing);
    writing.lines.write(url === null ? codeSpan(text) : `[${codeSpan(text)}](${url})`);
  } else {
    note(term, text, anchor, writing);
    writing.lines.write(escapeLineStarts(asTerm(writing.inline(term.children))));
  }
  writing.lines.gap();
}

function note(term: ElementNode, text: string, anchor: string | null, writing: Writing): void {
  if (anchor !== null) writing.definitions.push({ text, anchor, line: writing.lines.count() + 1 });
}

/** A term that has marks of its own needs no more. */
function asTerm(markdown: string): string {
  return /[`*]|\]\(|\n/.test(markdown) || markdown === '' ? markdown : `**${markdown}**`;
}

function writeItems(parts: readonly ElementNode[], writing: Writing): void {
  writing.lines.gap();
  let index = 0;
  while (index < parts.length) {
    const start = index;
    while (parts[index]?.tag === 'dt') index += 1;
    const terms = parts.slice(start, index);
    const from = index;
    while (index < parts.length && parts[index]?.tag !== 'dt') index += 1;
    const descriptions = parts.slice(from, index);
    writing.lines.within('- ', '  ', () => writeEntry(terms, descriptions, writing));
  }
  writing.lines.gap();
}

function writeEntry(terms: readonly ElementNode[], descriptions: readonly ElementNode[], writing: Writing): void {
  for (const term of terms) {
    const markdown = asTerm(writing.inline(term.children));
    if (markdown === '') continue;
    note(term, plainText(term), anchorOf(term), writing);
    writing.lines.write(escapeLineStarts(markdown));
  }
  for (const [index, description] of descriptions.entries()) {
    if (index > 0) writing.lines.gap();
    writeDescription(description, writing);
  }
}

/** A description that is one paragraph follows its term on the next line. */
function writeDescription(description: ElementNode, writing: Writing): void {
  const nodes = description.tag === 'dd' ? description.children : [description];
  const only = onlyParagraph(nodes);
  if (only === null) writing.blocks(nodes);
  else {
    const text = writing.inline(only);
    if (text !== '') writing.lines.write(escapeLineStarts(text));
  }
}

function onlyParagraph(nodes: readonly HtmlNode[]): readonly HtmlNode[] | null {
  const full = nodes.filter((node) => node.kind === 'element' || node.text.trim() !== '');
  if (full.every((node) => node.kind === 'text' || (node.flags & flag.hasBlock) === 0)) return nodes;
  const [first] = full;
  return full.length === 1 && first?.kind === 'element' && first.tag === 'p' ? first.children : null;
}
