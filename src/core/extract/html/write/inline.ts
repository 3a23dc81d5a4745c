// Writes inline content as Markdown: emphasis, code, links, images, formulas, with one rule per tag.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { BLOCK_TAGS } from '../parse/tag-rules.table.ts';
import { hasWords, elementText } from './element-text.ts';
import { balanceBrackets, codeSpan, escapeInline, isWordCharacter } from './escape-markdown.ts';
import {
  appendBreak,
  appendCode,
  appendMarkdown,
  appendWrapped,
  appendSpace,
  appendText,
  collapse,
  finishRun,
  createInlineRun,
  type InlineRun,
} from './inline-text.ts';
import { isRenderedMath, isTexScript, mathMarkdown } from './math.ts';

export interface InlineContext {
  /** Makes an href absolute; null if it is not a page. */
  readonly resolve: (href: string) => string | null;
  /** False in headings: their links are collected with the page but not written. */
  readonly links: boolean;
  /** True in headings, whose text may be in a button that collapses the section. */
  readonly buttons: boolean;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
}

export function inlineMarkdown(nodes: readonly HtmlNode[], context: InlineContext): string {
  const run = createInlineRun();
  render(nodes, run, context);
  return run.last === '\n' ? finishRun(run).trimEnd() : finishRun(run);
}

type InlineRule = (node: ElementNode, run: InlineRun, context: InlineContext) => void;

function render(nodes: readonly HtmlNode[], run: InlineRun, context: InlineContext): void {
  for (const node of nodes) {
    if (node.kind === 'text') appendText(run, node.text, escapeInline);
    else renderElement(node, run, context);
  }
}

function renderElement(node: ElementNode, run: InlineRun, context: InlineContext): void {
  if (isTexScript(node)) {
    appendMarkdown(run, mathMarkdown(node) ?? '');
    return;
  }
  if ((node.flags & NOT_WRITTEN) !== 0 || isCodeChrome(node)) return;
  if ((node.flags & flag.math) !== 0 && renderMath(node, run)) return;
  const rule = RULES.get(node.tag);
  if (rule !== undefined) rule(node, run, context);
  else if (BLOCK_TAGS.has(node.tag)) block(node, run, context);
  else render(node.children, run, context);
}

/** A short label or button that belongs to a code block but is outside it. */
export function isCodeChrome(node: ElementNode): boolean {
  if ((node.flags & flag.codeChrome) === 0 || (node.flags & flag.hasPre) !== 0) return false;
  return node.textLength <= MAX_CODE_CHROME_CHARS || /^[\d\s]*$/.test(elementText(node));
}

const MAX_CODE_CHROME_CHARS = 20;

function renderMath(node: ElementNode, run: InlineRun): boolean {
  if (isRenderedMath(node)) return true;
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
  const inner = createInlineRun();
  render(node.children, inner, { ...context, strong: true });
  appendWrapped(run, inner, '**', '**');
};

const emphasis: InlineRule = (node, run, context) => {
  if (context.emphasis === true) return render(node.children, run, context);
  const inner = createInlineRun();
  render(node.children, inner, { ...context, emphasis: true });
  appendWrapped(run, inner, '*', '*');
};

const strike: InlineRule = (node, run, context) => {
  const inner = createInlineRun();
  render(node.children, inner, context);
  appendWrapped(run, inner, '~~', '~~');
};

const code: InlineRule = (node, run, context) => {
  const raw = elementText(node);
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

function writeCode(node: ElementNode, raw: string, run: InlineRun, context: InlineContext): void {
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
  const inner = createInlineRun();
  render(node.children, inner, { ...context, links: false });
  if (inner.last === '') return inner.leadingSpace ? appendSpace(run) : undefined;
  const text = finishRun(inner).trim().replaceAll('\n', ' ');
  if (!hasWords(text) && href.includes('#')) return;
  const url = context.resolve(href);
  if (url === null) return appendWrapped(run, inner, '', '');
  if (inner.leadingSpace) appendSpace(run);
  appendMarkdown(run, text === url ? `<${url}>` : `[${balanceBrackets(text)}](${url})`);
  if (inner.pendingSpace || inner.last === '\n') appendSpace(run);
};

/** The text of a link if links are not written, without the permalink mark of a heading. */
function linkText(node: ElementNode, run: InlineRun, context: InlineContext): void {
  const href = node.attributes['href'];
  if (href !== undefined && href.includes('#') && !hasWords(elementText(node)) && node.textLength <= 4) return;
  render(node.children, run, context);
}

const image: InlineRule = (node, run, context) => {
  const alt = collapse(node.attributes['alt'] ?? '').trim();
  if (!hasWords(alt)) return;
  const src = node.attributes['src'];
  const url = src === undefined || !context.links ? null : context.resolve(src);
  const label = balanceBrackets(escapeInline(alt, ' '));
  if (url !== null) return appendMarkdown(run, `![${label}](${url})`);
  // The alt text of an icon in a link or heading repeats the text next to it, unless it is alone.
  if (node.parent !== null && node.parent.textLength === 0 && !isFragmentLink(node.parent)) appendMarkdown(run, label);
};

function isFragmentLink(node: ElementNode): boolean {
  return node.tag === 'a' && (node.attributes['href'] ?? '').startsWith('#');
}

const superscript: InlineRule = (node, run, context) => {
  const power = /^-?\d+$/.test(elementText(node)) && node.linkLength === 0;
  if (power && !run.pendingSpace && isWordCharacter(run.last)) appendMarkdown(run, '^');
  render(node.children, run, context);
};

const quote: InlineRule = (node, run, context) => {
  const inner = createInlineRun();
  render(node.children, inner, context);
  appendWrapped(run, inner, '"', '"');
};

const button: InlineRule = (node, run, context) => {
  // A button without text is an icon: its alt text describes the action.
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
