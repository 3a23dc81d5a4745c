// What a word that nobody wrote may have meant: the known words that differ by a letter or two.

export interface KnownWord {
  readonly term: string;
  /** Chunks that have it. */
  readonly having: number;
}

const SHORTEST = 4;
const LONG = 8;

/** Only plain words are guessed at: names and numbers are taken as they are. */
export function mayBeMisspelt(token: string): boolean {
  return token.length >= SHORTEST && token.length <= 32 && /^[a-z]+$/.test(token);
}

/** Letters by which another word may differ: the longer the word, the more. */
export function reachOf(token: string): number {
  return token.length >= LONG ? 2 : 1;
}

/** Nearest first; among equally near ones the more frequent. */
export function nearestWords(token: string, known: readonly KnownWord[], limit: number): KnownWord[] {
  const most = reachOf(token);
  const near: Array<{ readonly word: KnownWord; readonly distance: number }> = [];
  for (const word of known) {
    if (Math.abs(word.term.length - token.length) > most) continue;
    const distance = editDistance(token, word.term, most);
    if (distance > 0 && distance <= most) near.push({ word, distance });
  }
  near.sort(
    (left, right) =>
      left.distance - right.distance ||
      right.word.having - left.word.having ||
      (left.word.term < right.word.term ? -1 : 1),
  );
  return near.slice(0, limit).map(({ word }) => word);
}

/** Insertions, deletions, changes and swaps of neighbours; stops counting above `most`. */
export function editDistance(left: string, right: string, most: number): number {
  const width = right.length + 1;
  let [beforeLast, last, current] = rowsOf(width);
  for (let column = 0; column < width; column += 1) last[column] = column;
  for (let row = 1; row <= left.length; row += 1) {
    if (fillRow({ left, right, row }, current, last, beforeLast) > most) return most + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[right.length] ?? most + 1;
}

type Rows = readonly [Uint16Array, Uint16Array, Uint16Array];

/** Lent for one comparison: thousands of words are compared with a misspelt one. */
const ROOM = 128;
const kept: Rows = [new Uint16Array(ROOM), new Uint16Array(ROOM), new Uint16Array(ROOM)];

function rowsOf(width: number): Rows {
  return width <= ROOM ? kept : [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
}

/** Returns the least number of the row. */
function fillRow(
  { left, right, row }: { readonly left: string; readonly right: string; readonly row: number },
  current: Uint16Array,
  last: Uint16Array,
  beforeLast: Uint16Array,
): number {
  const letter = left.charCodeAt(row - 1);
  const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1;
  current[0] = row;
  let least = row;
  for (let column = 1; column <= right.length; column += 1) {
    const other = right.charCodeAt(column - 1);
    let distance = Math.min(
      (last[column] ?? 0) + 1,
      (current[column - 1] ?? 0) + 1,
      (last[column - 1] ?? 0) + Number(letter !== other),
    );
    const isSwap = column > 1 && letter === right.charCodeAt(column - 2) && letterBefore === other;
    if (isSwap) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
    current[column] = distance;
    least = Math.min(least, distance);
  }
  return least;
}
