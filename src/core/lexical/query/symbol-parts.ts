// How symbols are compared: in lower case, with one separator for all languages, and from the start of any component, so that
// `HashMap.merge` and `merge` find `java.util.HashMap#merge`. Segments, Qdrant and the database store these parts.

import { splitSymbols } from '../../model/document.ts';

/** Longer ones are compared by their beginning; an index of PostgreSQL takes no longer text. */
const MAX_PART_CHARS = 200;
/** A name with more components is matched from its start and from the last few. */
const MAX_PARTS = 12;

/** A symbol, or the beginning of one, as it is compared. */
export function symbolKey(symbol: string): string {
  return symbol
    .toLowerCase()
    .replace(/\(\)$/, '')
    .replaceAll(/[.:#]+/g, '.')
    .slice(0, MAX_PART_CHARS);
}

/** Each name of a chunk, and the parts of it after a dot, colon or hash. */
export function symbolParts(symbols: string): readonly string[] {
  return [...new Set(splitSymbols(symbols).flatMap(partsOf))];
}

function partsOf(symbol: string): readonly string[] {
  const key = symbolKey(symbol);
  const trailing: string[] = [];
  for (let at = key.lastIndexOf('.', key.length - 2); at !== -1; at = key.lastIndexOf('.', at - 1)) {
    trailing.push(key.slice(at + 1));
    if (at === 0 || trailing.length === MAX_PARTS - 1) break;
  }
  return [key, ...trailing];
}

export function symbolStartsWith(symbols: string, prefix: string): boolean {
  const key = symbolKey(prefix);
  return symbolParts(symbols).some((part) => part.startsWith(key));
}

/** Whether the whole symbol or its last components are what was asked for. */
export function isExactSymbol(symbol: string, prefix: string): boolean {
  return symbolParts(symbol).includes(symbolKey(prefix));
}
