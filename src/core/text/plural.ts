// Counts in sentences.

/** `1 page`, `2 pages`. */
export function pluralize(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** `12,345`. */
export function thousands(n: number): string {
  return n.toLocaleString('en-US');
}
