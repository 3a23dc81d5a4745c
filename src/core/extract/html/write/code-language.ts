// The language that the page states for a code block: in a class of the code element, its pre or the boxes around them.

import { classWords, type ElementNode } from '../parse/html-node.ts';
import { LANGUAGE_NAMES, NO_LANGUAGE } from './code-language.table.ts';

const PREFIX = /^(?:language|lang|highlight|brush|code|source|src|sourcecode)[-:]([A-Za-z0-9+#_./-]+)$/;
/** An ambiguous prefix: trusted only before the name of a language. */
const WEAK_PREFIX = /^example-([A-Za-z0-9+#_.-]+)$/;
const DATA_ATTRIBUTES = ['data-lang', 'data-language', 'data-code-lang'] as const;
/** Boxes further out may contain several blocks. */
const MAX_BOXES = 4;
const BOXES = new Set([
  'div',
  'figure',
  'td',
  'tr',
  'tbody',
  'table',
  'span',
  'pre',
  'code',
  'section',
  'rustdoc-code',
]);

/** Lower case, as stated by the page; null if it states none. */
export function codeLanguage(pre: ElementNode, code: ElementNode | null): string | null {
  const inner = code === null ? null : (statedPrefix(code) ?? statedName(code));
  if (inner !== null) return inner;
  const own = statedPrefix(pre) ?? statedName(pre);
  if (own !== null) return own;
  let box = pre.parent;
  for (let step = 0; step < MAX_BOXES && box !== null && BOXES.has(box.tag); step += 1) {
    const stated = statedPrefix(box) ?? (isHighlighter(box) ? statedName(box) : null);
    if (stated !== null) return stated;
    box = box.parent;
  }
  return null;
}

function statedPrefix(node: ElementNode): string | null {
  for (const name of DATA_ATTRIBUTES) {
    const value = node.attributes[name];
    if (value !== undefined && isUsable(value.toLowerCase())) return value.toLowerCase();
  }
  const words = classWords(node);
  for (const [index, word] of words.entries()) {
    const stated = word === 'brush:' ? words[index + 1] : (PREFIX.exec(word)?.[1] ?? namedExample(word));
    const name = stated === undefined ? null : languageName(stated.replace(/;$/, ''));
    if (name !== null) return name;
  }
  return null;
}

function namedExample(word: string): string | undefined {
  const name = WEAK_PREFIX.exec(word)?.[1];
  return name !== undefined && LANGUAGE_NAMES.has(name.toLowerCase()) ? name : undefined;
}

/** `source-shell` and `text-html-basic` are grammar names: the language follows the prefix. */
function languageName(stated: string): string | null {
  const name = stated.toLowerCase().replace(/^(?:source|text)-/, '');
  return isUsable(name) ? name : null;
}

function isUsable(name: string): boolean {
  return name !== '' && name.length <= 30 && !NO_LANGUAGE.has(name) && /^[a-z0-9+#_./-]+$/.test(name);
}

/** A class that is just the name of a language. */
function statedName(node: ElementNode): string | null {
  for (const word of classWords(node)) {
    const name = word.toLowerCase().replace(/;$/, '');
    if (LANGUAGE_NAMES.has(name) && !NO_LANGUAGE.has(name)) return name;
  }
  const lang = node.attributes['lang']?.toLowerCase();
  return lang !== undefined && lang.length > 2 && LANGUAGE_NAMES.has(lang) ? lang : null;
}

const HIGHLIGHTERS = new Set([
  'hljs',
  'highlight',
  'sourcecode',
  'prism',
  'shiki',
  'mw-highlight',
  'mw-geshi',
  'listing',
  'code',
  'codehilite',
]);

/** A highlighter's box may state the language as a bare class; on any other box `go` may mean anything. */
function isHighlighter(node: ElementNode): boolean {
  return classWords(node).some((word) => HIGHLIGHTERS.has(word.toLowerCase()));
}
