// Where a term is in a sorted list of terms.

/** Index of the first term that does not sort before the given one. */
export function firstTermFrom(terms: readonly string[], term: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? '') < term) low = middle + 1;
    else high = middle;
  }
  return low;
}
