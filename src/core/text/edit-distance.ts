// Damerau–Levenshtein distance (optimal string alignment), for spell correction, and the names to suggest for a misspelled one.

import { compareText } from './compare-text.ts';

/** Insertions, deletions, substitutions and transpositions; returns `maxDistance + 1` for anything farther. */
export function editDistance(left: string, right: string, maxDistance: number): number {
  const width = right.length + 1;
  let [beforeLast, last, current] = rowsFor(width);
  for (let column = 0; column < width; column += 1) last[column] = column;
  for (let row = 1; row <= left.length; row += 1) {
    if (fillRow({ left, right, row }, current, last, beforeLast) > maxDistance) return maxDistance + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return Math.min(last[right.length] ?? 0, maxDistance + 1);
}

type Rows = readonly [Uint16Array, Uint16Array, Uint16Array];

/** Rows are reused: thousands of terms are compared with one misspelled word. */
const ROW_CAPACITY = 128;
const reusedRows: Rows = [new Uint16Array(ROW_CAPACITY), new Uint16Array(ROW_CAPACITY), new Uint16Array(ROW_CAPACITY)];

function rowsFor(width: number): Rows {
  return width <= ROW_CAPACITY ? reusedRows : [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
}

/** Returns the smallest value of the row. */
function fillRow(
  { left, right, row }: { readonly left: string; readonly right: string; readonly row: number },
  current: Uint16Array,
  last: Uint16Array,
  beforeLast: Uint16Array,
): number {
  const letter = left.charCodeAt(row - 1);
  const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1;
  current[0] = row;
  let smallest = row;
  for (let column = 1; column <= right.length; column += 1) {
    const other = right.charCodeAt(column - 1);
    let distance = Math.min(
      (last[column] ?? 0) + 1,
      (current[column - 1] ?? 0) + 1,
      (last[column - 1] ?? 0) + Number(letter !== other),
    );
    const isTransposition = column > 1 && letter === right.charCodeAt(column - 2) && letterBefore === other;
    if (isTransposition) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
    current[column] = distance;
    smallest = Math.min(smallest, distance);
  }
  return smallest;
}

const MAX_DISTANCE = 3;
const MAX_SUGGESTIONS = 5;
const MAX_NAME_CHARS = 120;

/**
 * Closest first: names that contain the given one, begin with it or are contained in it, then those within a small edit distance, which
 * is smaller for a short name: `foo` resembles nothing that has three other letters.
 */
export function suggestNames(misspelled: string, names: readonly string[]): string[] {
  const query = misspelled.toLowerCase().slice(0, MAX_NAME_CHARS);
  const maxDistance = Math.min(MAX_DISTANCE, Math.ceil(query.length / 3));
  const scored = names.map((name) => {
    const lower = name.toLowerCase().slice(0, MAX_NAME_CHARS);
    const contains = lower.startsWith(query) || (query.length >= 2 && (lower.includes(query) || query.includes(lower)));
    return { name, distance: contains ? 0 : editDistance(query, lower, maxDistance) };
  });
  const close = scored.filter(({ distance }) => distance <= maxDistance);
  close.sort((left, right) => left.distance - right.distance || compareText(left.name, right.name));
  return close.slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}

/** The name for an error message, followed by those that may have been meant. */
export function withSuggestions(misspelled: string, names: readonly string[]): string {
  const suggestions = suggestNames(misspelled, names);
  return suggestions.length === 0 ? misspelled : `${misspelled} (did you mean ${suggestions.join(' or ')}?)`;
}
