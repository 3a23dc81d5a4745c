// Formulas as TeX between dollar signs: from MathML annotations, KaTeX, MathJax scripts, Sphinx delimiters and images.

import { find, type ElementNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import { collapse } from './inline-text.ts';
import { ownText } from './code-text.ts';

/** The formula of an element as Markdown; null if it is not a formula or has no TeX. */
export function mathMarkdown(node: ElementNode): string | null {
  const tex = texOf(node);
  if (tex === null || tex === '') return null;
  return isDisplay(node) ? `$$${tex}$$` : `$${tex}$`;
}

/** Whether an element was rendered by a script from the TeX next to it. */
export function isRenderedMath(node: ElementNode): boolean {
  if ((node.flags & flag.math) === 0) return false;
  const next = node.parent?.children[node.childIndex + 1];
  return next?.kind === 'element' && isTexScript(next);
}

export function isTexScript(node: ElementNode): boolean {
  return node.tag === 'script' && (node.attributes['type'] ?? '').startsWith('math/tex');
}

function texOf(node: ElementNode): string | null {
  if (isTexScript(node)) return clean(ownText(node));
  if (node.tag === 'img') return (node.flags & flag.math) === 0 ? null : clean(node.attributes['alt'] ?? '');
  const annotation = find(node, isTexAnnotation);
  if (annotation !== null) return clean(ownText(annotation));
  if (node.tag === 'math') return null;
  return delimited(ownText(node).trim());
}

function isTexAnnotation(node: ElementNode): boolean {
  return node.tag === 'annotation' && (node.attributes['encoding'] ?? '').toLowerCase().includes('tex');
}

const DELIMITERS: ReadonlyArray<readonly [string, string]> = [
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
];

function delimited(text: string): string | null {
  for (const [open, close] of DELIMITERS) {
    if (text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close)) {
      return clean(text.slice(open.length, -close.length));
    }
  }
  return null;
}

function isDisplay(node: ElementNode): boolean {
  if (node.tag === 'div' || (node.flags & flag.mathDisplay) !== 0) return true;
  if (node.attributes['display'] === 'block' || node.attributes['display'] === 'true') return true;
  if ((node.parent?.flags ?? 0) & flag.mathDisplay) return true;
  return (node.attributes['type'] ?? '').includes('mode=display');
}

function clean(tex: string): string {
  return collapse(tex).trim();
}
