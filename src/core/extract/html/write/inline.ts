// Writes inline content as Markdown: emphasis, code, links, images, formulas. One rule per kind of tag.

import { balanceBrackets, codeSpan, escapeInline, isWordCharacter } from './escape-markdown.ts';
import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import {
  appendBreak,
  appendCode,
  appendMarkdown,
  appendMarked,
  appendSpace,
  appendText,
  collapse,
  finished,
  inlineText,
  type InlineText,
} from './inline-text.ts';
import { isDrawnMath, isTexScript, mathMarkdown } from './math.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { hasWords, plainText } from './element-text.ts';
import { BLOCK_TAGS } from '../parse/tag-rules.table.ts';

export interface InlineContext {
  /** Makes an href absolute; null where it leads to no page. */
  readonly resolve: (href: string) => string | null;
  /** False in headings: a title is a title, its links are kept with the page. */
  readonly links: boolean;
  /** True in headings, whose text may sit in a button that folds the section. */
  readonly buttons: boolean;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
}

export function inlineMarkdown(nodes: readonly HtmlNode[], context: InlineContext): string {
  const run = inlineText();
  render(nodes, run, context);
  return run.last === '\n' ? finished(run).trimEnd() : finished(run);
}

type InlineRule = (node: ElementNode, run: InlineText, context: InlineContext) => void;

function render(nodes: readonly HtmlNode[], run: InlineText, context: InlineContext): void {
  for (const node of nodes) {
    if (node.kind === 'text') appendText(run, node.text, escapeInline);
    else renderElement(node, run, context);
  }
}

function renderElement(node: ElementNode, run: InlineText, context: InlineContext): void {
  if (isTexScript(node)) {
    appendMarkdown(run, mathMarkdown(node) ?? '');
    return;
  }
  if ((node.flags & NOT_WRITTEN) !== 0 || isFurniture(node)) return;
  if ((node.flags & flag.math) !== 0 && renderMath(node, run)) return;
  const rule = RULES.get(node.tag);
  if (rule !== undefined) rule(node, run, context);
  else if (BLOCK_TAGS.has(node.tag)) block(node, run, context);
  else render(node.children, run, context);
}

/** A short label or button that belongs to code, met outside of it. */
export function isFurniture(node: ElementNode): boolean {
  if ((node.flags & flag.codeFurniture) === 0 || (node.flags & flag.hasPre) !== 0) return false;
  return node.textLength <= MAX_FURNITURE_TEXT || /^[\d\s]*$/.test(plainText(node));
}

const MAX_FURNITURE_TEXT = 20;

function renderMath(node: ElementNode, run: InlineText): boolean {
  if (isDrawnMath(node)) return true;
  const markdown = mathMarkdown(node);
  if (markdown !== null) appendMarkdown(run, markdown);
  return markdown !== null;
}

const block: InlineRule = (node, run, context) => {
  appendSpace(run);
  render(node.children, run, context);
  appendSpace(run);
};

const strong: InlineRule = (node, run, context) => {
  if (context.strong === true) return render(node.children, run, context);
  const inner = inlineText();
  render(node.children, inner, { ...context, strong: true });
  appendMarked(run, inner, '**', '**');
};

const emphasis: InlineRule = (node, run, context) => {
  if (context.emphasis === true) return render(node.children, run, context);
  const inner = inlineText();
  render(node.children, inner, { ...context, emphasis: true });
  appendMarked(run, inner, '*', '*');
};

const strike: InlineRule = (node, run, context) => {
  const inner = inlineText();
  render(node.children, inner, context);
  appendMarked(run, inner, '~~', '~~');
};

const code: InlineRule = (node, run, context) => {
  const raw = plainText(node);
  if (raw === '') return render(node.children, run, context);
  if (beginsWithSpace(node)) appendSpace(run);
  writeCode(node, raw, run, context);
  if (endsWithSpace(node)) appendSpace(run);
};

function beginsWithSpace(node: ElementNode): boolean {
  const [first] = node.children;
  return first?.kind === 'text' && /^\s/.test(first.text);
}

function endsWithSpace(node: ElementNode): boolean {
  const last = node.children[node.children.length - 1];
  return last?.kind === 'text' && /\s$/.test(last.text);
}

function writeCode(node: ElementNode, raw: string, run: InlineText, context: InlineContext): void {
  const href = onlyLink(node);
  if (href !== null && context.links) {
    const url = context.resolve(href);
    if (url !== null) return appendMarkdown(run, `[${balanceBrackets(codeSpan(raw))}](${url})`);
  }
  appendCode(run, raw);
}

function onlyLink(node: ElementNode): string | null {
  if (node.linkLength === 0 || node.linkLength !== node.textLength) return null;
  const links = node.children.filter((child) => child.kind === 'element' && child.tag === 'a');
  const [link] = links;
  return links.length === 1 && link?.kind === 'element' ? (link.attributes['href'] ?? null) : null;
}

const link: InlineRule = (node, run, context) => {
  const href = node.attributes['href'];
  if (href === undefined || !context.links) return linkText(node, run, context);
  const inner = inlineText();
  render(node.children, inner, { ...context, links: false });
  if (inner.last === '') return inner.leadingSpace ? appendSpace(run) : undefined;
  const text = finished(inner).trim().replaceAll('\n', ' ');
  if (!hasWords(text) && href.includes('#')) return;
  const url = context.resolve(href);
  if (url === null) return appendMarked(run, inner, '', '');
  if (inner.leadingSpace) appendSpace(run);
  appendMarkdown(run, text === url ? `<${url}>` : `[${balanceBrackets(text)}](${url})`);
  if (inner.pendingSpace || inner.last === '\n') appendSpace(run);
};

/** The text of a link where links are not written; the mark that leads to a heading itself is no text of it. */
function linkText(node: ElementNode, run: InlineText, context: InlineContext): void {
  const href = node.attributes['href'];
  if (href !== undefined && href.includes('#') && !hasWords(plainText(node)) && node.textLength <= 4) return;
  render(node.children, run, context);
}

const image: InlineRule = (node, run, context) => {
  const alt = collapse(node.attributes['alt'] ?? '').trim();
  if (!hasWords(alt)) return;
  const src = node.attributes['src'];
  const url = src === undefined || !context.links ? null : context.resolve(src);
  const label = balanceBrackets(escapeInline(alt, ' '));
  if (url !== null) return appendMarkdown(run, `![${label}](${url})`);
  // An icon in a link or heading: its alt text repeats or decorates what stands beside it, unless it stands alone.
  if (node.parent !== null && node.parent.textLength === 0 && !isFragmentLink(node.parent)) appendMarkdown(run, label);
};

function isFragmentLink(node: ElementNode): boolean {
  return node.tag === 'a' && (node.attributes['href'] ?? '').startsWith('#');
}

const superscript: InlineRule = (node, run, context) => {
  const power = /^-?\d+$/.test(plainText(node)) && node.linkLength === 0;
  if (power && !run.pendingSpace && isWordCharacter(run.last)) appendMarkdown(run, '^');
  render(node.children, run, context);
};

const quote: InlineRule = (node, run, context) => {
  const inner = inlineText();
  render(node.children, inner, context);
  appendMarked(run, inner, '"', '"');
};

const button: InlineRule = (node, run, context) => {
  // A button without text is an icon: its alt text says what a click does.
  if (node.textLength === 0) return;
  const opensSection = node.attributes['aria-expanded'] !== undefined || node.attributes['role'] === 'tab';
  if (context.buttons || opensSection) render(node.children, run, context);
};

const checkbox: InlineRule = (node, run) => {
  if (node.attributes['type'] !== 'checkbox' || node.parent === null) return;
  if (node.parent.tag !== 'li' && node.parent.parent?.tag !== 'li') return;
  appendMarkdown(run, node.attributes['checked'] === undefined ? '[ ]' : '[x]');
  appendSpace(run);
};

const mathElement: InlineRule = (node, run, context) => {
  const markdown = mathMarkdown(node);
  if (markdown === null) block(node, run, context);
  else appendMarkdown(run, markdown);
};

const RULES: ReadonlyMap<string, InlineRule> = new Map<string, InlineRule>([
  ['b', strong],
  ['strong', strong],
  ['em', emphasis],
  ['i', emphasis],
  ['cite', emphasis],
  ['dfn', emphasis],
  ['var', emphasis],
  ['code', code],
  ['kbd', code],
  ['samp', code],
  ['tt', code],
  ['del', strike],
  ['s', strike],
  ['strike', strike],
  ['a', link],
  ['img', image],
  ['br', (_node, run) => appendBreak(run)],
  ['sup', superscript],
  ['q', quote],
  ['button', button],
  ['input', checkbox],
  ['math', mathElement],
]);
