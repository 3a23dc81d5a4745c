// Writes a code block: one fence, longer than any inside, with the language that the page states.

import { codeLanguage } from './code-language.ts';
import { codeText, isNumbersOnly } from './code-text.ts';
import { classWords, find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import type { Writing } from './write-context.ts';

export function writeCodeBlock(pre: ElementNode, writing: Writing): void {
  const flavours = flavoursOf(pre);
  if (flavours.length > 1) {
    for (const code of flavours) writeFence(codeText(code), codeLanguage(code, null), writing);
    return;
  }
  const text = codeText(pre);
  if (isGutter(pre, text)) return;
  writeFence(text, codeLanguage(pre, find(pre, isCode)), writing);
}

export function writeFence(text: string, language: string | null, writing: Writing): void {
  if (text.trim() === '') return;
  const fence = '`'.repeat(fenceLength(text));
  writing.lines.gap();
  writing.lines.write(`${fence}${language ?? ''}\n${text}\n${fence}`);
  writing.lines.gap();
}

function fenceLength(text: string): number {
  let longest = 2;
  if (text.includes('```')) for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return longest + 1;
}

function isCode(node: ElementNode): boolean {
  return node.tag === 'code';
}

/** The children of a box around code, without the label that repeats the language. */
export function withoutLabels(box: ElementNode): readonly HtmlNode[] {
  return box.children.filter((child) => child.kind === 'text' || !isLanguageLabel(child));
}

const MAX_LABEL_TEXT = 20;

function isLanguageLabel(node: ElementNode): boolean {
  if (node.textLength > MAX_LABEL_TEXT || (node.flags & flag.hasPre) !== 0) return false;
  return classWords(node).some((word) => word === 'lang' || word === 'language' || word === 'code-lang');
}

/** One pre may hold the same example in several languages, of which a switch shows one. */
function flavoursOf(pre: ElementNode): readonly ElementNode[] {
  const codes = pre.children.filter((child) => child.kind === 'element' && isCode(child)) as ElementNode[];
  if (codes.length < 2) return [];
  const languages = new Set(codes.map((code) => codeLanguage(code, code)));
  return languages.size === codes.length && !languages.has(null) ? codes : [];
}

/** Numbers in a cell or box beside the code that they count. */
function isGutter(pre: ElementNode, text: string): boolean {
  if (!isNumbersOnly(text)) return false;
  const box = pre.parent?.tag === 'td' ? pre.parent : pre.parent?.parent?.tag === 'td' ? pre.parent.parent : null;
  const beside = (box ?? pre).parent?.children ?? [];
  return (
    beside.some(
      (other) =>
        other.kind === 'element' && other !== (box ?? pre) && (other.tag === 'pre' || find(other, isPre) !== null),
    ) && box !== null
  );
}

function isPre(node: ElementNode): boolean {
  return node.tag === 'pre';
}
