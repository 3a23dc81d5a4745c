// Reduces HTML and JSX in Markdown text without fences to what a reader sees: components become their children under a
// label, comments and scripts are removed, and links that could run code lose their target.

import type { Span } from './inline-markdown.ts';
import { codeSpans } from './inline-markdown.ts';
import { jsxLiteralList } from './jsx-literal-list.ts';
import { parseTag, type MarkupTag } from './markup-tag.ts';
import {
  admonitions,
  droppedElements,
  glyphs,
  retainedAttributes,
  retainedElements,
  labelAttributes,
  unwrappedElements,
} from './markup-tags.table.ts';

interface Reduction {
  readonly text: string;
  readonly out: string[];
  /** Everything before this offset is in `out`. */
  done: number;
  /** No tag ends before this offset. */
  noTagBefore: number;
  /** Comment endings that do not occur in the rest of the text, so that they are searched for only once. */
  readonly missingEndings: Set<string>;
  /** Targets of the open links; null for an anchor without a usable target. */
  readonly anchors: Array<string | null>;
}

const MARKUP_TOKEN = /[<{\\]|\]\(|\]:/g;

export function reduceMarkup(text: string): string {
  const state: Reduction = { text, out: [], done: 0, noTagBefore: 0, missingEndings: new Set(), anchors: [] };
  const spans = codeSpans(text);
  const pattern = new RegExp(MARKUP_TOKEN);
  let span = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    span = spanAtOrAfter(spans, span, match.index);
    const code = spans[span];
    if (code !== undefined && code.start <= match.index) pattern.lastIndex = code.end;
    else if (match[0] === '\\') pattern.lastIndex = match.index + 2;
    else pattern.lastIndex = Math.max(reduceAt(state, match.index), match.index + 1);
  }
  state.out.push(text.slice(state.done));
  return state.out.join('');
}

function spanAtOrAfter(spans: readonly Span[], from: number, at: number): number {
  let index = from;
  while ((spans[index]?.end ?? Infinity) <= at) index += 1;
  return index;
}

/** Replaces the markup at this offset if necessary; returns the offset to continue at. */
function reduceAt(state: Reduction, at: number): number {
  const { text } = state;
  if (text.startsWith(']', at)) return reduceTarget(state, at);
  if (text.startsWith('{', at)) return reduceExpression(state, at);
  if (text.startsWith('<!--', at)) return replace(state, at, commentEnd(state, '-->', at), '');
  if (at < state.noTagBefore) return at + 1;
  const tag = parseTag(text, at);
  if (typeof tag === 'number') state.noTagBefore = tag;
  return tag === null || typeof tag === 'number' ? at + 1 : reduceTag(state, at, tag);
}

function replace(state: Reduction, from: number, to: number, by: string): number {
  if (to <= from) return from + 1;
  state.out.push(state.text.slice(state.done, from), by);
  state.done = to;
  return to;
}

/** `start` itself for a comment that never ends: it is text then. */
function commentEnd(state: Reduction, ending: string, start: number): number {
  const found = state.missingEndings.has(ending) ? -1 : state.text.indexOf(ending, start + 3);
  if (found === -1) state.missingEndings.add(ending);
  return found === -1 ? start : found + ending.length;
}

/** Braces with a comment are an MDX comment, and `{' '}` is a space; any other expression stays as written. */
function reduceExpression(state: Reduction, at: number): number {
  if (state.text.startsWith('{/*', at)) return replace(state, at, commentEnd(state, '*/}', at), '');
  const space = /\{\s{0,4}(["'])\s{0,4}\1\s{0,4}\}/y;
  space.lastIndex = at;
  const found = space.exec(state.text);
  return found === null ? at + 1 : replace(state, at, at + found[0].length, ' ');
}

function reduceTarget(state: Reduction, at: number): number {
  const isDefinition = state.text.startsWith(']:', at);
  const gap = /\s{0,8}<?/y;
  gap.lastIndex = at + 2;
  const from = at + 2 + (gap.exec(state.text)?.[0].length ?? 0);
  if (!isDangerous(state.text.slice(from, from + 100))) return at + 2;
  return replace(state, from, targetEnd(state.text, from, isDefinition), '#');
}

/** Parentheses inside a target balance, as in `javascript:alert(1)`. */
function targetEnd(text: string, from: number, isDefinition: boolean): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter === '>' || letter.trim() === '') return at;
    if (letter === '(') depth += 1;
    if (letter === ')' && !isDefinition) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return at;
}

/** A scheme that runs or embeds content, even if hidden by entities or white space. */
function isDangerous(target: string): boolean {
  const bare = target.replace(/&(?:#x?[\da-f]+|\w+);?|[\s\0-\u0020]/gi, '').toLowerCase();
  return /^(?:javascript|vbscript|data|file|blob|about):/.test(bare);
}

function reduceTag(state: Reduction, at: number, tag: MarkupTag): number {
  const name = tag.name.toLowerCase();
  if (tag.name === '' || /^[A-Z]/.test(tag.name) || tag.name.includes('.')) return reduceComponent(state, at, tag);
  if (droppedElements.has(name) || isHidden(tag)) return replace(state, at, elementEnd(state.text, tag, name), '');
  if (retainedElements.has(name)) return replace(state, at, tag.end, cleanTag(tag, name));
  if (!unwrappedElements.has(name)) return at + 1;
  if (name === 'a') return replace(state, at, tag.end, writeAnchor(state, tag));
  return replace(state, at, tag.end, unwrapTag(tag, name));
}

function reduceComponent(state: Reduction, at: number, tag: MarkupTag): number {
  const isBlock = /(?:^|\n)[ \t]*$/.test(state.text.slice(Math.max(0, at - 200), at));
  if (tag.isClosing) return replace(state, at, tag.end, '');
  const glyph = glyphs.get(tag.name);
  if (glyph !== undefined) return replace(state, at, tag.end, glyph);
  const parts = isBlock
    ? [labelOf(tag), snippetOf(tag), ...tag.literals.map(jsxLiteralList)].filter((part) => part !== '')
    : [];
  return replace(state, at, tag.end, parts.map((part) => `${part}\n\n`).join(''));
}

/** Components that show one command or line of code. */
function snippetOf(tag: MarkupTag): string {
  if (!/snippet|command|codeblock|terminal/i.test(tag.name)) return '';
  const code =
    ['text', 'code', 'command'].map((name) => tag.attributes.get(name)).find((value) => value !== undefined) ?? '';
  return code === '' || code.includes('```') ? '' : `\n\`\`\`\n${code.trim()}\n\`\`\``;
}

function labelOf(tag: MarkupTag): string {
  const named = labelAttributes
    .map((name) => tag.attributes.get(name))
    .find((value) => value !== undefined && value !== '');
  const kind = admonitions.has(tag.name)
    ? (tag.attributes.get('type') ?? tag.attributes.get('variant') ?? tag.name)
    : '';
  const label = (named ?? kind).replace(/\s+/g, ' ').trim().slice(0, 300);
  if (label === '') return imageText(tag.attributes.get('alt') ?? '');
  const target = tag.attributes.get('href') ?? '';
  const heading = label.charAt(0).toUpperCase() + label.slice(1);
  if (target === '' || isDangerous(target) || /[\s()<>]/.test(target))
    return `**${named === undefined ? heading : label}**`;
  return `**[${label}](${target})**`;
}

function imageText(alt: string): string {
  const text = alt.replace(/\s+/g, ' ').trim();
  return text === '' ? '' : `*${text}*`;
}

/** `<a href="u">text</a>` becomes a Markdown link; an anchor without a target is removed. */
function writeAnchor(state: Reduction, tag: MarkupTag): string {
  if (tag.isClosing) {
    const target = state.anchors.pop() ?? null;
    return target === null ? '' : `](${target})`;
  }
  const href = (tag.attributes.get('href') ?? '').trim();
  const target = href === '' || isDangerous(href) || /[\s()<>]/.test(href) ? null : href;
  if (!tag.isSelfClosing) state.anchors.push(target);
  return target === null || tag.isSelfClosing ? '' : '[';
}

function isHidden(tag: MarkupTag): boolean {
  if (tag.isClosing || tag.isSelfClosing) return false;
  const style = (tag.attributes.get('style') ?? '').replace(/\s+/g, '').toLowerCase();
  return tag.attributes.has('hidden') || /display:none|visibility:hidden|font-size:0(?![.\d])/.test(style);
}

/** Offset after the closing tag; the end of the text if there is none, as in a browser. */
function elementEnd(text: string, tag: MarkupTag, name: string): number {
  if (tag.isClosing || tag.isSelfClosing) return tag.end;
  const close = new RegExp(`</${name}\\s*>`, 'gi');
  close.lastIndex = tag.end;
  const found = close.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}

function cleanTag(tag: MarkupTag, name: string): string {
  if (tag.isClosing) return `</${name}>`;
  const attributes = [...tag.attributes].filter(([key, value]) => retainedAttributes.has(key) && /^\d+$/.test(value));
  return `<${name}${attributes.map(([key, value]) => ` ${key}="${value}"`).join('')}>`;
}

function unwrapTag(tag: MarkupTag, name: string): string {
  if (name === 'summary') return '**';
  if (name !== 'img') return '';
  const alt = (tag.attributes.get('alt') ?? '').replace(/[[\]\n]/g, ' ').trim();
  const source = tag.attributes.get('src') ?? '';
  return alt === '' || isDangerous(source) || /[\s()<>]/.test(source) ? alt : `![${alt}](${source})`;
}
