// Frees the text that a substring was sliced from.

/** A slice keeps its whole parent string in memory; a copy does not. */
export function detachString(text: string): string {
  return ` ${text}`.slice(1);
}
