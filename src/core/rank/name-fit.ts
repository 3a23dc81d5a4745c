// Whether a query names a section: its heading, symbol or anchor is an identifier of the query, or the query itself.

import { nameKey, withoutArguments } from '../lexical/query/name-key.ts';
import { splitSymbols } from '../model/document.ts';

/** A section whose whole name is asked for, against one that is asked for by the last component of its name. */
const EXACT = 1;
const LAST_COMPONENT = 0.7;
const MAX_NAME_CHARS = 120;

interface NamedSection {
  /** From the page title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly symbol: string | null;
}

/** 1 if `names` has the section's name, less if it has its last component (`dumps` of `json.dumps`), otherwise 0. */
export function nameFit(names: ReadonlySet<string>, { headings, anchor, symbol }: NamedSection): number {
  if (names.size === 0) return 0;
  const heading = headings.at(-1) ?? '';
  const symbols = symbol === null ? [] : splitSymbols(symbol);
  if ([heading, anchor ?? '', ...symbols].some((name) => has(names, name))) return EXACT;
  return [withoutArguments(heading), ...symbols].some((name) => has(names, lastComponent(name))) ? LAST_COMPONENT : 0;
}

function has(names: ReadonlySet<string>, name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_CHARS && names.has(nameKey(name));
}

function lastComponent(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1);
}
