// Counts in sentences.

/** `1 page`, `2 pages`. */
export function pluralize(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
