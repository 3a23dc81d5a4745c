// Reads the class and id of an element into bits. Class values repeat all over a page, so each is read once.

import { CLASS_WORDS, ID_WORDS } from './class-words.table.ts';
import { flag } from './node-flags.ts';

const LANGUAGE_WORD = /^(?:language|lang|highlight|brush|source|sourcecode|src)-./;

const CONTENTS_WORD = /(?:^toc-|-toc$)/;
const NAVIGATION_WORD = /(?:-(?:nav|navbar|navigation|breadcrumbs?|footer|sidebar)$)/;

const HOVER_TEXT_WORD = /-tooltip-?text$/;
const HOVER_WORD = /(?:^|-)tooltip$/;
const CODE_BUTTON_WORD =
  /(?:^|-)(?:(?:run|try|play|live|copy)-(?:btn|button|link)|(?:btn|button)-(?:run|try|play|copy))(?:-|$)/;

/** Words that are not in the table, by their last part. */
function flagsOfParts(word: string): number {
  if (CONTENTS_WORD.test(word)) return flag.tableOfContents;
  return NAVIGATION_WORD.test(word) ? flag.weakChrome : 0;
}

/** What only a class says: an id may be made from a heading about buttons. */
function flagsOfClassParts(word: string): number {
  const bits = flagsOfParts(word);
  if (bits !== 0) return bits;
  if (HOVER_TEXT_WORD.test(word)) return flag.hidden;
  if (HOVER_WORD.test(word)) return flag.hoverBox;
  return CODE_BUTTON_WORD.test(word) ? flag.codeFurniture : 0;
}

/** Sites use the same few hundred values on every page, so readings are kept from page to page, up to a limit. */
const known = new Map<string, number>();
const MAX_KNOWN = 5_000;

export function flagsOfClass(value: string): number {
  const before = known.get(value);
  if (before !== undefined) return before;
  const bits = value.length > MAX_CLASS_LENGTH ? 0 : readClass(value);
  if (known.size >= MAX_KNOWN) known.clear();
  // A piece of a page keeps the whole page in memory; a copy of the piece does not.
  if (value.length <= MAX_KEPT_LENGTH) known.set(` ${value}`.slice(1), bits);
  return bits;
}

export function flagsOfId(value: string): number {
  if (value.length > MAX_ID_LENGTH) return 0;
  const plain = plainWord(value);
  return ID_WORDS.get(plain) ?? flagsOfParts(plain);
}

const MAX_KEPT_LENGTH = 200;
const MAX_ID_LENGTH = 24;
const MAX_CLASS_LENGTH = 4_000;
const MAX_WORD_LENGTH = 60;

function readClass(value: string): number {
  let bits = 0;
  for (const word of value.split(/\s+/)) {
    if (word === '' || word.length > MAX_WORD_LENGTH) continue;
    if (LANGUAGE_WORD.test(word)) bits |= flag.codeWrapper;
    const plain = plainWord(word);
    bits |= CLASS_WORDS.get(plain) ?? flagsOfClassParts(plain);
  }
  return bits;
}

/** `tableOfContents_bqdL`, `table_of_contents` and `TableOfContents` are all `table-of-contents`. */
export function plainWord(word: string): string {
  const withoutHash = word.replace(/_+[A-Za-z0-9-]{4,8}$/, (hash) => (/[A-Z0-9]/.test(hash) ? '' : hash));
  return withoutHash
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/_+/g, '-')
    .toLowerCase();
}
