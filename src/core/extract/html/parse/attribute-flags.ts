// Flags of an element from its class, id and visibility attributes.

import { createLruCache } from '../../../lru-cache.ts';
import { CLASS_WORDS, ID_WORDS } from './class-words.table.ts';
import type { ElementNode } from './html-node.ts';
import { flag } from './node-flags.ts';

const LANGUAGE_WORD = /^(?:language|lang|highlight|brush|source|sourcecode|src)-./;

const CONTENTS_WORD = /(?:^toc-|-toc$)/;
const NAVIGATION_WORD = /(?:-(?:nav|navbar|navigation|breadcrumbs?|footer|sidebar)$)/;

const TOOLTIP_TEXT_WORD = /-tooltip-?text$/;
const TOOLTIP_WORD = /(?:^|-)tooltip$/;
const CODE_BUTTON_WORD =
  /(?:^|-)(?:(?:run|try|play|live|copy)-(?:btn|button|link)|(?:btn|button)-(?:run|try|play|copy))(?:-|$)/;

/** Flags of words that are not in the table, by their first or last part. */
function flagsOfParts(word: string): number {
  if (CONTENTS_WORD.test(word)) return flag.tableOfContents;
  return NAVIGATION_WORD.test(word) ? flag.weakChrome : 0;
}

/** Flags that apply to classes only: an id may be generated from a heading about buttons. */
function flagsOfClassParts(word: string): number {
  const bits = flagsOfParts(word);
  if (bits !== 0) return bits;
  if (TOOLTIP_TEXT_WORD.test(word)) return flag.hidden;
  if (TOOLTIP_WORD.test(word)) return flag.tooltip;
  return CODE_BUTTON_WORD.test(word) ? flag.codeChrome : 0;
}

/** Sites use the same few hundred class values on every page, so their flags are cached across pages. */
const cache = createLruCache<string, number>(5_000);

export function flagsOfClass(value: string): number {
  const cached = cache.get(value);
  if (cached !== undefined) return cached;
  const bits = value.length > MAX_CLASS_CHARS ? 0 : parseClass(value);
  // A slice of a page keeps the whole page in memory; a copy does not.
  if (value.length <= MAX_CACHED_CHARS) cache.set(` ${value}`.slice(1), bits);
  return bits;
}

export function flagsOfId(value: string): number {
  if (value.length > MAX_ID_CHARS) return 0;
  const plain = normalizeClassWord(value);
  return ID_WORDS.get(plain) ?? flagsOfParts(plain);
}

const MAX_CACHED_CHARS = 200;
const MAX_ID_CHARS = 24;
const MAX_CLASS_CHARS = 4_000;
const MAX_WORD_CHARS = 60;

function parseClass(value: string): number {
  let bits = 0;
  for (const word of value.split(/\s+/)) {
    if (word === '' || word.length > MAX_WORD_CHARS) continue;
    if (LANGUAGE_WORD.test(word)) bits |= flag.codeWrapper;
    const plain = normalizeClassWord(word);
    bits |= CLASS_WORDS.get(plain) ?? flagsOfClassParts(plain);
  }
  return bits;
}

/** `tableOfContents_bqdL`, `table_of_contents` and `TableOfContents` are all `table-of-contents`. */
export function normalizeClassWord(word: string): string {
  const withoutHash = word.replace(/_+[A-Za-z0-9-]{4,8}$/, (hash) => (/[A-Z0-9]/.test(hash) ? '' : hash));
  return withoutHash
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/_+/g, '-')
    .toLowerCase();
}

/** Whether an element is invisible on the page. Tab panels count as visible: a click shows them. */
export function isHiddenElement(node: ElementNode, bits: number): boolean {
  const { attributes } = node;
  if (isTabPanel(node, bits)) return false;
  const hidden = attributes['hidden'];
  if (hidden !== undefined && hidden !== 'until-found' && hidden !== 'false') return true;
  if (attributes['aria-hidden'] === 'true') return true;
  const style = attributes['style'];
  if (style !== undefined && hidesByStyle(style)) return true;
  return node.tag === 'dialog' && attributes['open'] === undefined;
}

function isTabPanel(node: ElementNode, bits: number): boolean {
  return (bits & flag.tabPanel) !== 0 || node.attributes['role'] === 'tabpanel';
}

const MAX_STYLE_CHARS = 2_000;
const HIDING_STYLES: ReadonlySet<string> = new Set([
  'display:none',
  'visibility:hidden',
  'visibility:collapse',
  'font-size:0',
  'font-size:0px',
  'opacity:0',
  'clip:rect(0,0,0,0)',
  'clip:rect(0 0 0 0)',
  'clip-path:inset(100%)',
]);

function hidesByStyle(style: string): boolean {
  for (const part of style.slice(0, MAX_STYLE_CHARS).toLowerCase().split(';')) {
    const rule = part.replace('!important', '').split(':');
    const [name, value] = [rule[0]?.trim() ?? '', rule[1]?.trim() ?? ''];
    if (HIDING_STYLES.has(`${name}:${value}`) || isOffscreen(name, value)) return true;
  }
  return false;
}

/** `left:-9999px` moves text off screen. */
function isOffscreen(name: string, value: string): boolean {
  if (name !== 'left' && name !== 'top' && name !== 'right' && name !== 'text-indent' && name !== 'margin-left') {
    return false;
  }
  return value.startsWith('-') && Number.parseFloat(value) <= -999;
}
