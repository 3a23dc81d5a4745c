// Measures an HTML tree: code blocks, headings, words. Ground truth and extractor output are measured by the same code, so
// no rule favours either.

import type { CheerioAPI } from 'cheerio';

/** An element of cheerio's tree; cheerio does not export the type. */
export type TreeElement = Extract<ReturnType<CheerioAPI['root']>[number]['children'][number], { attribs: unknown }>;
type TreeNode = TreeElement | TreeElement['children'][number];

export function bodies($: CheerioAPI): TreeElement[] {
  return $('body').toArray();
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

export interface Measured {
  readonly codes: ReadonlyArray<{ readonly text: string; readonly node: TreeElement }>;
  readonly headings: readonly Heading[];
  readonly words: ReadonlyMap<string, number>;
}

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const TEXT = 3;
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}]/gu;
const NON_TEXT_TAGS = new Set(['script', 'style', 'template', 'head', 'noscript', 'textarea', 'select', 'iframe']);

export function measure($: CheerioAPI, roots: readonly TreeElement[]): Measured {
  const blocks = roots.flatMap((root) => codeNodes($, root));
  return {
    codes: blocks.map((node) => ({ text: codeText(node), node })).filter((code) => code.text.trim() !== ''),
    headings: roots.flatMap((root) => headingsOf($, root)),
    words: countWords(roots.map(plainText).join('\n')),
  };
}

/** The innermost `pre` elements. A `pre` with several `code` elements and nothing else is one block per element. */
function codeNodes($: CheerioAPI, root: TreeElement): TreeElement[] {
  const blocks = $(root).find('pre').addBack('pre').toArray().filter(isElement);
  return blocks.flatMap((pre) => {
    if ($(pre).find('pre').length > 0) return [];
    const codes = $(pre).children('code').toArray();
    const several = codes.length > 1 && $(pre).clone().children('code').remove().end().text().trim() === '';
    return several ? codes : [pre];
  });
}

export function isElement(node: object): node is TreeElement {
  return 'attribs' in node;
}

function headingsOf($: CheerioAPI, root: TreeElement): Heading[] {
  return $(root)
    .find('h1,h2,h3,h4,h5,h6')
    .addBack('h1,h2,h3,h4,h5,h6')
    .toArray()
    .filter(isElement)
    .map((node) => ({ level: Number(node.name.slice(1)), text: plainText(node).replaceAll(/\s+/g, ' ').trim() }))
    .filter((heading) => /[\p{L}\p{N}]/u.test(heading.text));
}

/** Text of a preformatted element: line breaks become line feeds, everything else is unchanged. */
export function codeText(node: TreeNode): string {
  if (node.nodeType === TEXT && 'data' in node) return node.data;
  if (!('name' in node) || !('children' in node) || NON_TEXT_TAGS.has(node.name)) return '';
  return node.name === 'br' ? '\n' : node.children.map(codeText).join('');
}

/** The same, with a line break wherever a box inside the block starts or ends in the middle of a line. */
export function boxedCodeText(node: TreeNode): string {
  if (node.nodeType === TEXT && 'data' in node) return node.data;
  if (!('name' in node) || !('children' in node) || NON_TEXT_TAGS.has(node.name)) return '';
  if (node.name === 'br') return '\n';
  let text = '';
  let endsBox = false;
  for (const child of node.children) {
    const childText = boxedCodeText(child);
    if (childText === '') continue;
    const isBox = 'name' in child && child.name !== 'br' && !INLINE.has(child.name);
    if ((isBox || endsBox) && text !== '' && !text.endsWith('\n') && !childText.startsWith('\n')) text += '\n';
    text += childText;
    endsBox = isBox;
  }
  return text;
}

/** Text with a line feed wherever a browser would start a new box. */
export function plainText(node: TreeNode): string {
  const out: string[] = [];
  write(node, out);
  return out.join('');
}

function write(node: TreeNode, out: string[]): void {
  if (node.nodeType === TEXT && 'data' in node) out.push(node.data);
  if (!('name' in node) || !('children' in node) || NON_TEXT_TAGS.has(node.name)) return;
  const boxed = !INLINE.has(node.name);
  if (boxed) out.push('\n');
  for (const child of node.children) write(child, out);
  if (boxed) out.push('\n');
}

/** Control, zero-width, bidirectional and tag characters are invisible, and an extractor may remove them. */
export function withoutInvisibles(text: string): string {
  return text.replaceAll(INVISIBLE, '');
}

/** Runs of letters and digits in lower case; scripts without spaces are counted by character. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const run of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(run))
      words.push(...Array.from(run));
    else words.push(run);
  }
  return words;
}

export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
