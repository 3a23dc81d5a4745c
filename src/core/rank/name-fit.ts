// Whether a query names a section: its heading, symbol or anchor is an identifier of the query, or the query itself.

import { nameKey, withoutArguments } from '../lexical/query/name-key.ts';
import { phraseText, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { splitSymbols } from '../model/document.ts';

/** A section whose whole name is asked for, one whose owner and name are words of the query, and one that is asked for by the last component of its name. */
const EXACT = 1;
const OWNER_AND_NAME = 0.9;
const LAST_COMPONENT = 0.7;
const MAX_NAME_CHARS = 120;
const MIN_WORD_CHARS = 3;

interface NamedSection {
  /** From the page title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly symbol: string | null;
}

/**
 * 1 if the query has the section's name, or an identifier and all other words of its heading; less if `HashMap` and `merge` are among its words, or if it has the last component
 * (`dumps` of `json.dumps`), otherwise 0.
 */
export function nameFit(
  { names, words }: Pick<ParsedQuery, 'names' | 'words'>,
  { headings, anchor, symbol }: NamedSection,
): number {
  const heading = headings.at(-1) ?? '';
  const symbols = symbol === null ? [] : splitSymbols(symbol);
  if ([heading, anchor ?? '', ...symbols].some((name) => has(names, name))) return EXACT;
  if (isNamedByWords(names, words, heading)) return EXACT;
  if (symbols.some((name) => hasOwnerAndName(words, name))) return OWNER_AND_NAME;
  return [withoutArguments(heading), ...symbols].some((name) => has(names, lastComponent(name))) ? LAST_COMPONENT : 0;
}

function has(names: ReadonlySet<string>, name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_CHARS && names.has(nameKey(name));
}

function hasOwnerAndName(words: readonly string[], symbol: string): boolean {
  if (symbol.length > MAX_NAME_CHARS) return false;
  const [name = '', owner = ''] = withoutArguments(symbol.toLowerCase())
    .split(/[.:#/]+/)
    .toReversed();
  if (name === owner || Math.min(name.length, owner.length) < MIN_WORD_CHARS) return false;
  return words.includes(name) && words.includes(owner);
}

/** Whether all words of a heading are in the query, and one of them is an identifier of it: `onFinish callback`. */
function isNamedByWords(names: ReadonlySet<string>, words: readonly string[], heading: string): boolean {
  if (names.size === 0 || heading.length > MAX_NAME_CHARS || !heading.includes(' ')) return false;
  const own = phraseText(heading).split(' ');
  return own.some((word) => names.has(nameKey(word))) && own.every((word) => words.includes(word));
}

function lastComponent(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1);
}
