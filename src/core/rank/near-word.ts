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

/** Nearest first; among equally near ones the more frequent. */
export function nearestWords(token: string, known: readonly KnownWord[], limit: number): KnownWord[] {
  const most = token.length >= LONG ? 2 : 1;
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
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = nextRow({ left, right, row }, last, beforeLast);
    if (Math.min(...current) > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? most + 1;
}

function nextRow(
  { left, right, row }: { readonly left: string; readonly right: string; readonly row: number },
  last: readonly number[],
  beforeLast: readonly number[],
): number[] {
  const current = [row];
  for (let column = 1; column <= right.length; column += 1) {
    const isSame = left[row - 1] === right[column - 1];
    const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    current.push(
      Math.min(
        entry(last, column) + 1,
        entry(current, column - 1) + 1,
        entry(last, column - 1) + Number(!isSame),
        isSwap ? entry(beforeLast, column - 2) + 1 : Infinity,
      ),
    );
  }
  return current;
}

function entry(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
