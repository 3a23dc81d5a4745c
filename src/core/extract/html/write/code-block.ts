// Writes a code block: one fence, longer than any inside it, with the language that the page states.

import { fenceFor } from '../../../markdown/code-fence.ts';
import { classWords, find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import { codeLanguage } from './code-language.ts';
import { codeText, isNumbersOnly } from './code-text.ts';
import type { WriteContext } from './write-context.ts';

export function writeCodeBlock(pre: ElementNode, context: WriteContext): void {
  const variants = languageVariants(pre);
  if (variants.length > 1) {
    for (const code of variants) writeFence(codeText(code), codeLanguage(code, null), context);
    return;
  }
  const text = codeText(pre);
  if (isGutter(pre, text)) return;
  writeFence(text, codeLanguage(pre, find(pre, isCode)), context);
}

export function writeFence(text: string, language: string | null, context: WriteContext): void {
  if (text.trim() === '') return;
  const fence = fenceFor(text);
  context.lines.gap();
  context.lines.write(`${fence}${language ?? ''}\n${text}\n${fence}`);
  context.lines.gap();
}

function isCode(node: ElementNode): boolean {
  return node.tag === 'code';
}

/** The children of a box around code, without its language label. */
export function withoutLabels(box: ElementNode): readonly HtmlNode[] {
  return box.children.filter((child) => child.kind === 'text' || !isLanguageLabel(child));
}

const MAX_LABEL_CHARS = 20;

function isLanguageLabel(node: ElementNode): boolean {
  if (node.textLength > MAX_LABEL_CHARS || (node.flags & flag.hasPre) !== 0) return false;
  return classWords(node).some((word) => word === 'lang' || word === 'language' || word === 'code-lang');
}

/** One pre may contain the same example in several languages, of which a switch shows one. */
function languageVariants(pre: ElementNode): readonly ElementNode[] {
  const codes = pre.children.filter((child) => child.kind === 'element' && isCode(child)) as ElementNode[];
  if (codes.length < 2) return [];
  const languages = new Set(codes.map((code) => codeLanguage(code, code)));
  return languages.size === codes.length && !languages.has(null) ? codes : [];
}

/** Line numbers in a cell next to the code. */
function isGutter(pre: ElementNode, text: string): boolean {
  if (!isNumbersOnly(text)) return false;
  const box = pre.parent?.tag === 'td' ? pre.parent : pre.parent?.parent?.tag === 'td' ? pre.parent.parent : null;
  const siblings = (box ?? pre).parent?.children ?? [];
  return (
    siblings.some(
      (other) =>
        other.kind === 'element' && other !== (box ?? pre) && (other.tag === 'pre' || find(other, isPre) !== null),
    ) && box !== null
  );
}

function isPre(node: ElementNode): boolean {
  return node.tag === 'pre';
}
