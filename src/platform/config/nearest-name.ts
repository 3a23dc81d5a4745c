// Which of the known names a misspelt one most likely meant.

const LONGEST = 120;

/** The first of the nearest; empty only where nothing is known. */
export function nearestName(wrong: string, known: readonly string[]): string {
  const given = wrong.slice(0, LONGEST).toLowerCase();
  let best = '';
  let least = Infinity;
  for (const name of known) {
    const distance = edits(given, name.slice(0, LONGEST).toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function edits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (above[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(change, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[to.length] ?? 0;
}
