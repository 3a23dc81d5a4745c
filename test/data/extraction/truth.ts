// The ground truth of one page, read from its HTML with the selectors of its family. Imports nothing from src.

import { load, type CheerioAPI } from 'cheerio';
import { EVERYWHERE, type Family } from './families.table.ts';
import { languageName } from './languages.table.ts';
import {
  boxedCodeText,
  codeText,
  countWords,
  isElement,
  measure,
  plainText,
  type Heading,
  type TreeElement,
} from './measure.ts';

export interface CodeTruth {
  /** Accepted texts of the block; the first is what the page shows. */
  readonly texts: readonly string[];
  readonly language: string | null;
}

export interface Truth {
  readonly codes: readonly CodeTruth[];
  readonly headings: readonly Heading[];
  /** Words that must be extracted. */
  readonly words: Readonly<Record<string, number>>;
  /** Words that may be extracted. */
  readonly optional: Readonly<Record<string, number>>;
}

export function truthOf(html: string, family: Family): Truth {
  const $ = load(html);
  const optionalTexts = [$('title').first().text(), ...attributes($, 'img', 'alt')];
  const selector = family.roots.find((candidate) => $(candidate).length > 0) ?? 'body';
  linesToPre($, family);
  $([...EVERYWHERE.drop, ...family.drop].join(',')).remove();
  removeComments($);
  const roots = outermost($, selector);
  optionalTexts.push(
    ...extractTexts($, roots, [...EVERYWHERE.optional, ...family.optional]),
    ...extractContentsLists($, roots),
  );
  const { codes, headings } = measure($, roots);
  const blocks = codes.map(({ node }) => ({
    texts: textsOf($, node, family.toggles ?? []),
    language: statedLanguage($, node, family.language),
  }));
  optionalTexts.push(...extractTexts($, roots, family.toggles ?? []));
  return {
    codes: blocks,
    headings,
    words: Object.fromEntries(measure($, roots).words),
    optional: Object.fromEntries(countWords(optionalTexts.join('\n'))),
  };
}

/** Removes the matching elements and returns their texts. */
function extractTexts($: CheerioAPI, roots: readonly TreeElement[], selectors: readonly string[]): string[] {
  if (selectors.length === 0) return [];
  const nodes = $([...roots])
    .find(selectors.join(','))
    .toArray();
  const texts = nodes.map((node) => plainText(node));
  for (const node of nodes) $(node).remove();
  return texts;
}

/** A list of nothing but links into its own page is a table of contents. */
function extractContentsLists($: CheerioAPI, roots: readonly TreeElement[]): string[] {
  const lists = $([...roots])
    .find('ul, ol')
    .toArray()
    .filter((list) => {
      const links = $(list).find('a[href^="#"]');
      if (links.length < 3) return false;
      const rest = $(list).clone();
      rest.find('a[href^="#"]').remove();
      return !/[\p{L}\p{N}]/u.test(rest.text());
    });
  const texts = lists.map((list) => plainText(list));
  for (const list of lists) $(list).remove();
  return texts;
}

function attributes($: CheerioAPI, selector: string, name: string): string[] {
  return $(selector)
    .toArray()
    .map((node) => $(node).attr(name) ?? '');
}

function removeComments($: CheerioAPI): void {
  $('*')
    .contents()
    .filter((_, node) => node.nodeType === 8)
    .remove();
}

function outermost($: CheerioAPI, selector: string): TreeElement[] {
  const all = $(selector).toArray().filter(isElement);
  const within = new Set(all.flatMap((node) => $(node).find(selector).toArray()));
  return all.filter((node) => !within.has(node));
}

/** Converts code with one element per line to a `pre` with the same lines. */
function linesToPre($: CheerioAPI, family: Family): void {
  if (family.lines === undefined) return;
  const { block, line } = family.lines;
  for (const node of $(block).toArray()) {
    const clone = $(node).clone();
    clone.find(family.drop.join(',')).remove();
    const text = clone
      .find(line)
      .toArray()
      .map((one) => codeText(one));
    if (text.length > 0) $(node).replaceWith($('<pre></pre>').text(text.join('\n')));
  }
}

/** The block as shown, without each of its toggled parts, and without all of them; each with and without line breaks at boxes. */
function textsOf($: CheerioAPI, node: TreeElement, toggles: readonly string[]): string[] {
  const texts = new Set([boxedCodeText(node), codeText(node)]);
  const present = toggles.filter((toggle) => $(node).find(toggle).length > 0);
  for (const removed of [...present, ...(present.length > 1 ? [present.join(',')] : [])]) {
    const clone = $(node).clone();
    clone.find(removed).remove();
    for (const copy of clone.toArray()) texts.add(boxedCodeText(copy)).add(codeText(copy));
  }
  return [...texts].filter((text) => text.trim() !== '');
}

function statedLanguage($: CheerioAPI, node: TreeElement, patterns: readonly RegExp[]): string | null {
  const candidates = [
    ...$(node).children('code').toArray(),
    ...$(node).toArray(),
    ...$(node).parents().slice(0, 3).toArray(),
  ];
  for (const element of candidates) {
    for (const pattern of patterns) {
      const found = pattern.exec($(element).attr('class') ?? '')?.[1];
      if (found !== undefined) return languageName(found);
    }
  }
  return null;
}
